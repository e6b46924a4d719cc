/** Filters of a user: their keywords, their statuses and what a match does. */
package io.fanfare.api.filter;
