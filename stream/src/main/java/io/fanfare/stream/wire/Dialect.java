package io.fanfare.stream.wire;

import io.fanfare.common.event.LoggedEvent;
import io.vertx.core.buffer.Buffer;

/**
 * How one kind of stream speaks. A method answers null when the dialect has no words for the thing: an event is then passed over; a gap or a disconnect is told by ending the
 * stream, which makes a client of that dialect reload. Immutable; buffers are shared between connections and never changed.
 */
public enum Dialect {
    /** Server-sent events with ids, control events and a heartbeat that moves the cursor. */
    NATIVE {
        @Override
        public Buffer greeting(Hello hello) {
            return NativeSse.greeting(hello);
        }

        @Override
        public Buffer event(LoggedEvent event) {
            return NativeSse.event(event);
        }

        @Override
        public Buffer heartbeat(String epoch, long cursor) {
            return NativeSse.heartbeat(epoch, cursor);
        }

        @Override
        public Buffer gap(Gap gap) {
            return NativeSse.gap(gap);
        }

        @Override
        public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
            return NativeSse.disconnect(why, stream, retryMillis);
        }
    },
    /** Server-sent events as Mastodon's clients parse them. */
    MASTODON {
        @Override
        public Buffer greeting(Hello hello) {
            return MastodonSse.GREETING;
        }

        @Override
        public Buffer event(LoggedEvent event) {
            return MastodonSse.event(event);
        }

        @Override
        public Buffer heartbeat(String epoch, long cursor) {
            return MastodonSse.HEARTBEAT;
        }

        @Override
        public Buffer gap(Gap gap) {
            return null;
        }

        @Override
        public Buffer disconnect(Disconnect why, String stream, long retryMillis) {
            return null;
        }
    };

    /** The first bytes of a stream. */
    public abstract Buffer greeting(Hello hello);

    public abstract Buffer event(LoggedEvent event);

    /** Keeps a silent stream open. {@code cursor} is a seq up to which everything has been looked at for the connection. */
    public abstract Buffer heartbeat(String epoch, long cursor);

    public abstract Buffer gap(Gap gap);

    /** The last bytes of a stream that the server ends. {@code stream} is its name, {@code retryMillis} when to come back. */
    public abstract Buffer disconnect(Disconnect why, String stream, long retryMillis);
}
