package io.fanfare.stream.wire;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/** How one kind of stream speaks; see {@link Wording} for what its methods promise. */
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
    TWITTER(new TwitterLines(false)),
    LENGTHS_AND_TWITTER(new TwitterLines(true));

    private final Wording wording;

    Dialect(Wording wording) {
        this.wording = wording;
    }

    /** Whether a client of this dialect must never see an error status for what is temporary: an EventSource would give up for ever. */
    public boolean endsInBand() {
        return this == NATIVE;
    }

    /** Whether its clients show a token as the password of HTTP Basic. */
    public boolean knowsBasic() {
        return this == TWITTER || this == LENGTHS_AND_TWITTER;
    }

    /** Whether its clients show a token in the address: those of Mastodon that cannot set headers know no other way. */
    public boolean knowsTokenInAddress() {
        return this == MASTODON || this == MASTODON_SOCKET;
    }

    public String contentType() {
        return wording.contentType();
    }

    public Buffer greeting(Hello hello) {
        return wording.greeting(hello);
    }

    public Buffer event(LoggedEvent event) {
        return wording.event(event);
    }

    public boolean tells(Event.Kind kind) {
        return wording.tells(kind);
    }

    public Buffer heartbeat(String epoch, long cursor) {
        return wording.heartbeat(epoch, cursor);
    }

    public Buffer gap(Gap gap) {
        return wording.gap(gap);
    }

    public Buffer warning(int percentFull) {
        return wording.warning(percentFull);
    }

    /** Whether it can say how much a client was not told. */
    public boolean tellsLimits() {
        return wording.limit(0, 0) != null;
    }

    public Buffer limit(long leftOut, long millis) {
        return wording.limit(leftOut, millis);
    }

    public Buffer finished(String epoch, long cursor) {
        return wording.finished(epoch, cursor);
    }

    public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
        return wording.disconnect(why, stream, retryMillis);
    }
}
