package io.fanfare.common.event;

/** An event with its place in the one total order: {@code seq} goes up by one per event within an {@code epoch}. */
public record LoggedEvent(String epoch, long seq, Event event) {}
