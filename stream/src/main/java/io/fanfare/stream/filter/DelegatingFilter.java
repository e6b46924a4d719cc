package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.Future;

/** A filter that changes the events of another one, and delegates the rest to it. */
interface DelegatingFilter extends StreamFilter {
    /** The other one. */
    StreamFilter filter();

    @Override
    default boolean wantsRedacted(StreamEvent event) {
        return filter().wantsRedacted(event);
    }

    @Override
    default LoggedEvent replacement(StreamEvent event) {
        return filter().replacement(event);
    }

    @Override
    default boolean knows(String epoch, long seq) {
        return filter().knows(epoch, seq);
    }

    @Override
    default Future<Void> learnUpTo(String epoch, long seq) {
        return filter().learnUpTo(epoch, seq);
    }

    @Override
    default void skipped() {
        filter().skipped();
    }

    @Override
    default boolean isReady() {
        return filter().isReady();
    }

    @Override
    default void whenReady(Runnable then) {
        filter().whenReady(then);
    }

    @Override
    default String label() {
        return filter().label();
    }

    @Override
    default int weight() {
        return filter().weight();
    }

    @Override
    default int cost() {
        return filter().cost();
    }

    @Override
    default boolean changeable() {
        return filter().changeable();
    }

    @Override
    default <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        return filter().join(subscriberIndex, listener);
    }

    @Override
    default <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {
        filter().leave(subscriberIndex, listener);
    }
}
