/** {@code fanfare listen}: a client of the native streams that comes back by itself and misses nothing. */
package io.fanfare.app.listen;
