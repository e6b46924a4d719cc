package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.Future;

/** What a filter wants, without what the viewer's shield hides. */
public record HidingFilter(StreamFilter filter, HiddenAccounts hiddenAccounts) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        // The filter is asked in any case: it may learn from the event.
        return filter.wants(event) && hiddenAccounts.lets(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event) && hiddenAccounts.lets(event);
    }

    @Override
    public boolean wantsRedacted(StreamEvent event) {
        return filter.wantsRedacted(event);
    }

    @Override
    public LoggedEvent told(StreamEvent event) {
        return filter.told(event);
    }

    /** Who hides nobody shares what is made for everybody. */
    @Override
    public StreamFilter plain() {
        return hiddenAccounts.hides() ? this : filter;
    }

    @Override
    public StreamFilter stateless() {
        return new HidingFilter(filter.stateless(), hiddenAccounts);
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
        return hiddenAccounts.isKnown() && filter.isReady();
    }

    @Override
    public void whenReady(Runnable then) {
        hiddenAccounts.whenKnown(() -> filter.whenReady(then));
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return new HidingFilter(other, hiddenAccounts);
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
