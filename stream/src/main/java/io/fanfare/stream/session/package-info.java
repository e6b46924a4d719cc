/**
 * Open streams: {@link io.fanfare.stream.session.StreamHub} opens and ends those of one event loop,
 * {@link io.fanfare.stream.session.ServeLoop} serves them in turns, {@link io.fanfare.stream.session.Subscriber} is the
 * cursor of one, {@link io.fanfare.stream.session.CatchUp} leads it to the ring,
 * {@link io.fanfare.stream.session.StreamConnection} sends everything but events,
 * {@link io.fanfare.stream.session.StreamSink} writes to its connection with back-pressure.
 */
package io.fanfare.stream.session;
