package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.Future;

/** What a filter wants, where each status that the viewer's own filters match says so. */
public record MarkingFilter(StreamFilter filter, FilterMarks marks) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return filter.wants(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event);
    }

    @Override
    public boolean wantsRedacted(StreamEvent event) {
        return filter.wantsRedacted(event);
    }

    @Override
    public LoggedEvent told(StreamEvent event) {
        LoggedEvent marked = marks.marked(event);
        return marked == null ? filter.told(event) : marked;
    }

    /** Who has no filters shares what is made for everybody. */
    @Override
    public StreamFilter plain() {
        return marks.isEmpty() ? filter.plain() : this;
    }

    @Override
    public StreamFilter stateless() {
        return filter.stateless();
    }

    @Override
    public boolean knows(String epoch, long seq) {
        return filter.knows(epoch, seq);
    }

    @Override
    public Future<Void> learnUpTo(String epoch, long seq) {
        return filter.learnUpTo(epoch, seq);
    }

    @Override
    public boolean isReady() {
        return filter.isReady();
    }

    @Override
    public void whenReady(Runnable then) {
        filter.whenReady(then);
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return new MarkingFilter(filter.changedTo(other), marks);
    }

    @Override
    public String label() {
        return filter.label();
    }

    @Override
    public int weight() {
        return filter.weight();
    }

    @Override
    public int cost() {
        return filter.cost();
    }

    @Override
    public boolean changeable() {
        return filter.changeable();
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        return filter.join(subscriberIndex, listener);
    }

    @Override
    public <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        filter.leave(subscriberIndex, listener);
    }
}
