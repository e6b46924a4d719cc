package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.Future;

/** What a filter wants, without what the viewer's shield hides. */
public record Shielded(StreamFilter filter, Shield shield) implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        // The filter is asked in any case: it may learn from the event.
        return filter.wants(event) && shield.lets(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event) && shield.lets(event);
    }

    @Override
    public boolean wantsLess(StreamEvent event) {
        return filter.wantsLess(event);
    }

    @Override
    public LoggedEvent told(StreamEvent event) {
        return filter.told(event);
    }

    /** Who hides nobody shares what is made for everybody. */
    @Override
    public StreamFilter plain() {
        return shield.hides() ? this : filter;
    }

    @Override
    public StreamFilter unlearning() {
        return new Shielded(filter.unlearning(), shield);
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
        return shield.isKnown() && filter.isReady();
    }

    @Override
    public void whenReady(Runnable then) {
        shield.whenKnown(() -> filter.whenReady(then));
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return new Shielded(other, shield);
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
    public boolean changeable() {
        return filter.changeable();
    }

    @Override
    public <S> boolean join(Audience<S> audience, S listener) {
        return filter.join(audience, listener);
    }

    @Override
    public <S> void leave(Audience<S> audience, S listener) {
        filter.leave(audience, listener);
    }
}
