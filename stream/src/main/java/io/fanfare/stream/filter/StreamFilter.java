package io.fanfare.stream.filter;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.Future;

/** Decides which events one connection receives. Confined to one event loop. */
public interface StreamFilter {
    /**
     * Whether the event goes to the connection. A filter does not want the kinds that it does not name. May be called
     * with any event of the log, in order, perhaps twice in a row.
     */
    boolean wants(StreamEvent event);

    /** {@link #wants} of an event that the index has found for it: the index's conditions need no second check. */
    default boolean confirms(StreamEvent event) {
        return wants(event);
    }

    /**
     * Whether an event that it wanted is still wanted when words of a status inside have been left out since, because
     * that was deleted.
     */
    default boolean wantsRedacted(StreamEvent event) {
        return true;
    }

    /**
     * Whether the answer depends on the event alone, so that connections with an equal filter may share what is made
     * for one of them.
     */
    default boolean shared() {
        return false;
    }

    /**
     * The event that the connection receives in the place of one that it wants; null = the event itself, which is
     * written once for all.
     */
    default LoggedEvent replacement(StreamEvent event) {
        return null;
    }

    /** A filter that gives the same answers at this moment and may be {@link #shared} when this is not. */
    default StreamFilter plain() {
        return this;
    }

    /**
     * A filter that gives the same answers at this moment and keeps no state between calls, so that the order of events
     * does not matter.
     */
    default StreamFilter stateless() {
        return this;
    }

    /**
     * Whether reposts of what it has let through lately are to be left out, once it is known what the viewer hides: see
     * {@link RepostFoldingFilter}.
     */
    default boolean foldsReposts() {
        return false;
    }

    /** Whether it has taken into account all that has happened up to there. */
    default boolean knows(String epoch, long seq) {
        return true;
    }

    /**
     * Catches up with the events up to there that were not passed to it. It is not called until this completes; when
     * this fails, nothing has changed.
     */
    default Future<Void> learnUpTo(String epoch, long seq) {
        return Future.succeededFuture();
    }

    /** A gap: the next event does not follow the last one passed to it. */
    default void skipped() {}

    /**
     * Whether it can be called at the moment. It is not called before that, so that a stream waits at its cursor and
     * loses nothing.
     */
    default boolean isReady() {
        return true;
    }

    /** Runs once it {@link #isReady}. */
    default void whenReady(Runnable then) {
        then.run();
    }

    /** The filter in its place when the client changes its request. */
    default StreamFilter changedTo(StreamFilter other) {
        return other;
    }

    /** A short description for the operator, without a word of the user's; may be empty. */
    default String label() {
        return "";
    }

    /** The memory of the client's part, in terms. */
    default int weight() {
        return 0;
    }

    /** The cost of a call with an event, in terms; 0 = it looks at no text. */
    default int cost() {
        return weight();
    }

    /** Whether a client has put it together and may put another in its place. */
    default boolean changeable() {
        return false;
    }

    /**
     * Enters the listener where the index finds it for the events that this filter wants, so that it is not called for
     * the others. Answers false when it wants so much that it is called for each.
     */
    default <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        return false;
    }

    /** Undoes {@link #join}. */
    default <S> void leave(SubscriberIndex<S> subscriberIndex, S listener) {}
}
