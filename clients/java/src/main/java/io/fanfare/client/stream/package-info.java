/** Streams of events that survive lost connections, restarts and slow readers. */
package io.fanfare.client.stream;
