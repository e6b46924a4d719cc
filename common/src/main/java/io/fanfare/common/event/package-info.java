/**
 * The event log: what happened, in one order that every stream node tells alike.
 *
 * <p>{@link io.fanfare.common.event.EventLog} gives each event its number, keeps it in a Redis Stream and publishes it,
 * in one script, so that what is published comes in the log's order. {@link io.fanfare.common.event.EventCodec} is its
 * wire form, the bodies are those of {@code common.view}. To add a kind of event: a constant in
 * {@link io.fanfare.common.event.Event.Kind}, who renders it in {@code Views}, who appends it, and which streams want
 * it.
 */
package io.fanfare.common.event;
