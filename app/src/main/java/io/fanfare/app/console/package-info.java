/**
 * The operator's console: {@code /console} on the management server. Its pages are static files that ask
 * {@code /console/api}, whose answers come from the same classes as those of {@code fanfare admin}. Confined to the
 * management server's event loop, with a Redis link of its own.
 */
package io.fanfare.app.console;
