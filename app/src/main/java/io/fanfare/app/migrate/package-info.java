/**
 * The move of a running site from one Redis to another: copy while it runs, close the source for writes, copy the rest,
 * compare, mark the source. Blocking, on an event loop of its own.
 */
package io.fanfare.app.migrate;
