/**
 * Open streams: {@link io.fanfare.stream.session.StreamHub} serves all of one event loop,
 * {@link io.fanfare.stream.session.Subscriber} is the cursor of one, {@link io.fanfare.stream.session.StreamSink}
 * writes to its connection with back-pressure.
 */
package io.fanfare.stream.session;
