/**
 * The stream role: sends events to clients, in the log's order, without a silent gap. It stands alone: nothing here
 * knows of the API or the worker.
 *
 * <p>The way of an event, one copy per event loop: {@link io.fanfare.stream.relay.EventRelay} receives it and fills
 * holes from the log, {@link io.fanfare.stream.relay.EventRing} keeps it and has it encoded once per dialect,
 * {@link io.fanfare.stream.session.ServeLoop} wakes the streams, each {@link io.fanfare.stream.session.Subscriber}
 * takes what follows its cursor when its socket is free. {@link io.fanfare.stream.routes.StreamRoutes} lets listeners
 * in, {@link io.fanfare.stream.session.StreamHub} opens their streams.
 *
 * <p>Pull rather than push, because there is then no queue per client: a slow reader costs its cursor. Rejected: a
 * bounded queue per connection with a kick when it is full, which punishes bursts and makes a silent gap.
 *
 * <p>To add a kind of stream: a {@code filter} (who gets what), a {@code wire.Dialect} if it speaks differently, and a
 * route.
 */
package io.fanfare.stream;
