/** Scheduled posts: when they are due, and their changes. */
package io.fanfare.api.schedule;
