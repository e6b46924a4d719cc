package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;

/** The events of a filter, with a mark on each status that the viewer's own filters match. */
public record MarkingFilter(StreamFilter filter, FilterMarks marks) implements DelegatingFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return filter.wants(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event);
    }

    @Override
    public LoggedEvent replacement(StreamEvent event) {
        LoggedEvent marked = marks.marked(event);
        return marked == null ? filter.replacement(event) : marked;
    }

    /** A viewer without filters shares the frames that are made for everybody. */
    @Override
    public StreamFilter plain() {
        return marks.isEmpty() ? filter.plain() : this;
    }

    @Override
    public StreamFilter stateless() {
        return filter.stateless();
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return new MarkingFilter(filter.changedTo(other), marks);
    }
}
