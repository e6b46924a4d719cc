/**
 * Request bodies as validated records. A constructor refuses what is not valid with the field and the reason, so an
 * instance is always acceptable.
 */
package io.fanfare.api.request;
