/** Passwords and keys: values that no log, message or output shows. */
package io.fanfare.secret;
