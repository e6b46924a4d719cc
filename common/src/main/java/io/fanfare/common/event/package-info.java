/**
 * The event log: events in one order, which every stream node sends alike.
 *
 * <p>{@link io.fanfare.common.event.EventLog} gives each event its number, keeps it in a Redis Stream and publishes it,
 * in one script, so that what is published comes in the log's order. {@link io.fanfare.common.event.EventCodec} is its
 * wire form, the bodies are those of {@code event.body}. To add a kind of event, follow the recipe in CONTRIBUTING.md.
 */
package io.fanfare.common.event;
