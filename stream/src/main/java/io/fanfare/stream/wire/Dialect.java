package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/** How one kind of stream speaks; see {@link DialectWriter} for what its methods promise. */
public enum Dialect {
    /** Server-sent events with ids, control events and a heartbeat that moves the cursor. */
    NATIVE(new NativeSse()),
    /** The same as lines of JSON. */
    LINES(new JsonLines(false)),
    LENGTHS_AND_LINES(new JsonLines(true)),
    /** Server-sent events as Mastodon's clients parse them. */
    MASTODON(new MastodonSse()),
    /** Messages of Mastodon's WebSocket, without their beginning. */
    MASTODON_SOCKET(new MastodonSocket()),
    /** Lines as clients of Twitter's API parse them. */
    TWITTER(new TwitterLines(false, new Tweet(false))),
    LENGTHS_AND_TWITTER(new TwitterLines(true, new Tweet(false))),
    /** The same with {@code tweet_mode=extended}. */
    TWITTER_EXTENDED(new TwitterLines(false, new Tweet(true))),
    LENGTHS_AND_TWITTER_EXTENDED(new TwitterLines(true, new Tweet(true)));

    private final DialectWriter dialectWriter;

    Dialect(DialectWriter dialectWriter) {
        this.dialectWriter = dialectWriter;
    }

    /**
     * Whether a client of this dialect must never see an error status for what is temporary: an EventSource would give
     * up for ever.
     */
    public boolean endsInBand() {
        return this == NATIVE;
    }

    /** Whether its clients show a token as the password of HTTP Basic. */
    public boolean knowsBasic() {
        return dialectWriter instanceof TwitterLines;
    }

    /** Whether its clients show a token in the address: those of Mastodon that cannot set headers know no other way. */
    public boolean knowsTokenInAddress() {
        return this == MASTODON || this == MASTODON_SOCKET;
    }

    public String contentType() {
        return dialectWriter.contentType();
    }

    public Buffer greeting(Hello hello) {
        return dialectWriter.greeting(hello);
    }

    /** Null for an event of a kind that the dialect does not send. */
    public Buffer event(LoggedEvent event) {
        return sends(event.event().kind()) ? dialectWriter.event(event) : null;
    }

    /** Whether its clients receive events of that kind. */
    public boolean sends(Event.Kind kind) {
        return !kind.isInternal() && dialectWriter.sends(kind);
    }

    public Buffer heartbeat(String epoch, long cursor) {
        return dialectWriter.heartbeat(epoch, cursor);
    }

    public Buffer gap(Gap gap) {
        return dialectWriter.gap(gap);
    }

    public Buffer warning(int percentFull) {
        return dialectWriter.warning(percentFull);
    }

    /** Whether it has a notice for events that are left out. */
    public boolean sendsLimits() {
        return dialectWriter.limit(0, 0) != null;
    }

    public Buffer limit(long leftOut, long millis) {
        return dialectWriter.limit(leftOut, millis);
    }

    /** Whether it can say how an article stands. */
    public boolean sendsVotes() {
        return dialectWriter.vote(0, 0, 0, 0) != null;
    }

    public Buffer vote(long article, long author, long votes, long score) {
        return dialectWriter.vote(article, author, votes, score);
    }

    /** Whether its clients are shown what the viewer's filters match, on every stream of a user. */
    public boolean marksFiltered() {
        return filtersChanged() != null;
    }

    public Buffer filtersChanged() {
        return dialectWriter.filtersChanged();
    }

    public Buffer finished(String epoch, long cursor) {
        return dialectWriter.finished(epoch, cursor);
    }

    public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return dialectWriter.disconnect(why, stream, retryMillis);
    }
}
