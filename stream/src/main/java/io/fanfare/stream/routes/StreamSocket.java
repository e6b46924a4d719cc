package io.fanfare.stream.routes;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.Problems;
import io.fanfare.stream.access.StreamAdmission;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.session.StartPosition;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.stream.session.StreamOptions;
import io.fanfare.stream.session.StreamSink;
import io.fanfare.stream.session.Subscriber;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Mastodon's WebSocket: one socket, any of its streams, subscribed to by {@code ?stream=} or by messages:
 *
 * <pre>{@code
 * > {"type":"subscribe","stream":"hashtag","tag":"fanfare"}
 * < {"stream":["hashtag","fanfare"],"event":"update","payload":"{\"id\":...}"}
 * > {"type":"unsubscribe","stream":"hashtag","tag":"fanfare"}
 * }</pre>
 *
 * The token comes in the header, as {@code access_token} where the settings let it, or as the sub-protocol, which is
 * echoed. Confined to one event loop.
 */
final class StreamSocket {
    private static final int STREAMS_MAX = 20;

    /** Free for applications to use (RFC 6455, 7.4.2). */
    private static final int CLOSE_CODES = 4000;

    private static final int GOING_AWAY = 1001;
    private static final int POLICY_VIOLATION = 1008;
    private static final int TOO_LONG = 1009;

    /** Messages without sense that are answered; the next one ends the socket. */
    private static final int NONSENSE_MAX = 1;

    private static final long LAST_WORDS_MILLIS = 1000;

    private static final Buffer PING = Buffer.buffer();

    private final StreamHub hub;
    private final StreamAdmission admission;
    private final MastodonStreams streams;
    private final long deadAfterNanos;

    /** @param deadAfter how long a client may give no sign of life when one is due */
    StreamSocket(StreamHub hub, StreamAdmission admission, MastodonStreams streams, Duration deadAfter) {
        this.hub = hub;
        this.admission = admission;
        this.streams = streams;
        this.deadAfterNanos = deadAfter.toNanos();
    }

    void mount(Router router, String path) {
        router.get(path).handler(this::open);
    }

    private void open(RoutingContext ctx) {
        HttpServerRequest request = ctx.request();
        if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
            Problems.answer(
                    ctx,
                    new Refusal(
                            Refusal.Reason.NOT_FOUND,
                            "This address is a WebSocket; for server-sent events take a stream's own, such as "
                                    + ctx.normalizedPath() + "/user."));
            return;
        }
        request.pause();
        identify(request)
                .compose(listener -> request.toWebSocket().map(socket -> new Session(request, socket, listener)))
                .onComplete(Session::begin, cause -> {
                    request.resume();
                    Problems.answer(ctx, cause);
                });
    }

    private Future<StreamAdmission.Listener> identify(HttpServerRequest request) {
        String refused = refusal(term -> request.getParam(term) != null);
        if (refused != null) {
            return Future.failedFuture(new Refusal(Refusal.Reason.MALFORMED, refused));
        }
        return admission
                .arriving(request)
                .compose(come -> token(request))
                .compose(token -> admission.identify(token, /* userDue= */ false))
                .map(listener -> {
                    admission.admit(request);
                    return admission.arrived(listener);
                });
    }

    /** The refusal of a parameter that streams over HTTP have and these have not; null = none. */
    private static String refusal(Predicate<String> given) {
        if (given.test("max_rate")) {
            return StreamOptions.MAX_RATE_UNKNOWN;
        }
        return given.test("with") || given.test("replies")
                ? "The user stream of a socket sends all that the home shows: leave with and replies away, or take /api/v1/streaming/user."
                : null;
    }

    private Future<String> token(HttpServerRequest request) {
        String bearer = Authentication.bearer(request);
        if (bearer != null) {
            return Future.succeededFuture(bearer);
        }
        return admission
                .tokenInAddress(request, Dialect.MASTODON_SOCKET)
                .map(token -> token != null ? token : request.getHeader("Sec-WebSocket-Protocol"));
    }

    /** One socket and its streams. A ping keeps it open while all of them are silent, or while it has none. */
    private final class Session implements Connection, StreamHub.Socket, FrameLimiter.Listener {
        private final HttpServerRequest request;
        private final ServerWebSocket socket;
        private final StreamAdmission.Listener listener;
        private final Map<String, Channel> channels = new LinkedHashMap<>();
        private final List<Runnable> atEnd = new ArrayList<>();
        private final FrameLimiter frames;
        private boolean ended;
        private long writtenAtNanos;
        private long readAtNanos;
        private int nonsense;

        /** Whether a ping has not been answered yet, and when the first such one was sent. */
        private boolean pinged;

        private long pingedAtNanos;

        Session(HttpServerRequest request, ServerWebSocket socket, StreamAdmission.Listener listener) {
            this.request = request;
            this.socket = socket;
            this.listener = listener;
            this.frames = new FrameLimiter(this, hub.timers()::nanos);
        }

        void begin() {
            if (socket.isClosed()) {
                return;
            }
            StreamSink.beforeFrames(request.connection(), frames);
            StreamSink.limitUnsent(request.connection(), Subscriber.TURN_BYTES_MAX);
            socket.setWriteQueueMaxSize(Subscriber.TURN_BYTES_MAX);
            socket.drainHandler(writable -> channels.values().forEach(Channel::drained));
            socket.exceptionHandler(this::broken);
            socket.pongHandler(answered -> pinged = false);
            socket.closeHandler(closed -> forget());
            writtenAtNanos = hub.timers().nanos();
            readAtNanos = writtenAtNanos;
            hub.add(this);
            // Last: this may end it.
            admission.opened(listener, request, this);
            socket.textMessageHandler(this::message);
            String stream = request.getParam("stream");
            if (stream != null && !ended) {
                String tag = request.getParam("tag");
                String list = request.getParam("list");
                subscribe(stream, tag != null ? tag : list != null ? list : "");
            }
        }

        @Override
        public void whenEnded(Runnable run) {
            if (ended) {
                run.run();
            } else {
                atEnd.add(run);
            }
        }

        /** It counts no longer, though its client may take a while to leave. */
        private void forget() {
            if (!ended) {
                ended = true;
                frames.finish();
                hub.remove(this);
                channels.values().forEach(Channel::gone);
                atEnd.forEach(hub.timers()::guarded);
                atEnd.clear();
            }
        }

        /**
         * Mostly a message that is too long: Vert.x passes over it and would go on. Where it is the connection that
         * broke, nobody receives the close.
         */
        private void broken(Throwable cause) {
            boolean open = !ended && !socket.isClosed();
            forget();
            if (open && cause instanceof CorruptedWebSocketFrameException corrupted) {
                closeOrCut(corrupted.closeStatus().code(), "frame against RFC 6455");
            } else if (open) {
                closeOrCut(TOO_LONG, "message too long");
            }
        }

        @Override
        public void violated(int code, String rule) {
            if (ended) {
                return;
            }
            hub.counters().violations++;
            forget();
            closeOrCut(code, rule);
        }

        /** Vert.x answers, and then waits for an answer that is never taken from who does not read. */
        @Override
        public void closing() {
            forget();
            hub.timers().after(LAST_WORDS_MILLIS, () -> StreamSink.cut(request.connection()));
        }

        /** An answer to a ping may have waited among what was not read. */
        @Override
        public void resumed() {
            readAtNanos = hub.timers().nanos();
            pingedAtNanos = readAtNanos;
        }

        /** With 4000 and the code of a disconnect event as its own: there are no words for it on the socket. */
        @Override
        public void evict(Disconnect why) {
            if (ended) {
                return;
            }
            forget();
            closeOrCut(CLOSE_CODES + why.code(), why.reason());
        }

        /** A client that does not read would not see the code either. */
        private void closeOrCut(int code, String reason) {
            if (isFull()) {
                StreamSink.cut(request.connection());
            } else {
                close(code, reason).onFailure(gone -> {});
            }
        }

        @Override
        public Future<Void> goAway() {
            if (ended) {
                return Future.succeededFuture();
            }
            forget();
            return close(GOING_AWAY, Disconnect.SHUTDOWN.reason());
        }

        /**
         * Vert.x would wait ten seconds for the client to answer. Completes when the client has been notified, or has
         * answered.
         */
        private Future<Void> close(int code, String reason) {
            hub.timers().after(LAST_WORDS_MILLIS, () -> StreamSink.cut(request.connection()));
            return socket.close((short) code, reason);
        }

        @Override
        public boolean ended() {
            return ended;
        }

        /**
         * Pings a silent client, and gives one up that does not answer: what little is written to it may wait in the
         * kernel for an hour.
         */
        @Override
        public long beat(long nanos, long silenceMax) {
            if (ended) {
                return 0;
            }
            if (isDead(nanos)) {
                evict(Disconnect.STALL);
                return silenceMax;
            }
            boolean full = isFull();
            if (!full && nanos - writtenAtNanos >= silenceMax) {
                ping(nanos);
            }
            return full ? silenceMax : silenceMax - (nanos - writtenAtNanos);
        }

        /**
         * While it is paused, a stream on it judges how fast its client reads; where there is none, nothing but answers
         * waits.
         */
        private boolean isDead(long nanos) {
            if (frames.isPaused()) {
                return channels.isEmpty() && nanos - readAtNanos >= deadAfterNanos;
            }
            readAtNanos = nanos;
            return pinged && nanos - pingedAtNanos >= deadAfterNanos;
        }

        private void ping(long nanos) {
            if (!pinged) {
                pinged = true;
                pingedAtNanos = nanos;
            }
            writtenAtNanos = nanos;
            socket.writePing(PING).onFailure(gone -> {});
        }

        /** One that the client is closing takes nothing any more. */
        private boolean isFull() {
            return socket.isClosed() || socket.writeQueueFull();
        }

        private void message(String text) {
            try {
                obey(text);
            } catch (RuntimeException | StackOverflowError e) {
                fail(e);
            }
        }

        /** Ends the socket, since the server has failed on it. */
        @Override
        public void fail(Throwable cause) {
            hub.failures().add(Failures.Scope.STREAM, cause);
            evict(Disconnect.STREAM_EXCEPTION);
        }

        private void obey(String text) {
            if (ended) {
                return;
            }
            Optional<SocketMessage> read = SocketMessage.parse(text);
            if (read.isEmpty()) {
                nonsense();
                return;
            }
            SocketMessage message = read.get();
            String refused = refusal(message.fields()::contains);
            if (refused != null) {
                error(refused);
            } else if (message.type().equals("subscribe")) {
                subscribe(message.stream(), message.argument());
            } else {
                unsubscribe(message.stream(), message.argument());
            }
        }

        /** One may be a mistake of a client that goes on; more are of none that listens. */
        private void nonsense() {
            if (nonsense++ < NONSENSE_MAX) {
                error(
                        "A message must be JSON such as {\"type\":\"subscribe\",\"stream\":\"user\"}, its type subscribe or unsubscribe.");
            } else {
                violated(POLICY_VIOLATION, "messages must be JSON, of type subscribe or unsubscribe");
            }
        }

        private void subscribe(String name, String argument) {
            String key = name + " " + argument;
            if (channels.containsKey(key)) {
                return;
            }
            Channel channel = new Channel(key, name, argument);
            if (channels.size() == STREAMS_MAX) {
                channel.refuse(new Refusal(
                        Refusal.Reason.TOO_MANY,
                        "A socket has at most " + STREAMS_MAX + " streams: unsubscribe from one."));
                return;
            }
            channels.put(key, channel);
            StartPosition now = StartPosition.of(null, hub.known());
            filter(name, argument).onComplete(filter -> channel.begin(filter, now), cause -> {
                // By now it may be another one, if it was unsubscribed from meanwhile.
                channels.remove(key, channel);
                channel.refuse(cause);
            });
        }

        private Future<? extends StreamFilter> filter(String name, String tag) {
            try {
                admission.arrived(listener);
                Principal who = MastodonStreams.isPersonal(name)
                        ? Authentication.require(listener.principal(), /* user= */ true, "read:statuses")
                        : listener.principal();
                return streams.named(name, tag, who)
                        .compose(filter -> admission.shielded(listener, filter))
                        .compose(filter -> admission.marked(listener, name, Dialect.MASTODON_SOCKET, filter));
            } catch (Refusal refusal) {
                return Future.failedFuture(refusal);
            }
        }

        private void unsubscribe(String name, String argument) {
            Channel channel = channels.remove(name + " " + argument);
            if (channel != null) {
                channel.gone();
            }
        }

        private void error(String sentence) {
            send("{\"error\":" + quoted(sentence) + ",\"status\":400}");
        }

        private void send(String message) {
            write(message).onFailure(gone -> {});
        }

        private Future<Void> write(String message) {
            writtenAtNanos = hub.timers().nanos();
            return socket.writeTextMessage(message);
        }

        /**
         * One stream on the socket: gives messages their beginning, and counts as one reader among the others of the
         * socket.
         */
        private final class Channel implements StreamSink {
            private final String key;
            private final String head;
            private final int headBytes;
            private final String name;
            private Runnable drained = () -> {};
            private Runnable gone = () -> {};
            private boolean left;
            private long taken;
            private long waiting;

            Channel(String key, String name, String argument) {
                this.key = key;
                this.name = name;
                this.head = "{\"stream\":[" + quoted(name) + (argument.isEmpty() ? "" : "," + quoted(argument)) + "]";
                this.headBytes = head.getBytes(StandardCharsets.UTF_8).length;
            }

            void begin(StreamFilter filter, StartPosition now) {
                if (left || socket.isClosed()) {
                    return;
                }
                try {
                    hub.makeSureOfRoom();
                } catch (Refusal full) {
                    channels.remove(key, this);
                    refuse(full);
                    return;
                }
                admission.claim(
                        listener, hub.open(name, this, filter, Dialect.MASTODON_SOCKET, StreamOptions.USUAL, now));
            }

            /** Says which stream it is, so that a client need not end the others. */
            void refuse(Throwable cause) {
                boolean refused = cause instanceof Refusal;
                String sentence = refused ? cause.getMessage() : "The stream cannot be opened at the moment.";
                int status = refused ? Problems.statusOf(((Refusal) cause).reason()) : 503;
                send("{\"error\":" + quoted(sentence) + ",\"status\":" + status + "," + head.substring(1) + "}");
            }

            void drained() {
                drained.run();
            }

            void gone() {
                left = true;
                gone.run();
            }

            @Override
            public boolean isFull() {
                return Session.this.isFull();
            }

            @Override
            public void open(int bytesMax, Runnable whenDrained, Runnable whenGone) {
                drained = whenDrained;
                gone = whenGone;
            }

            /** Messages are lines without their beginning. */
            @Override
            public void write(Buffer events) {
                int from = 0;
                byte[] bytes = events.getBytes();
                for (int i = 0; i < bytes.length; i++) {
                    if (bytes[i] == '\n') {
                        deliver(head + new String(bytes, from, i - from, StandardCharsets.UTF_8), headBytes + i - from);
                        from = i + 1;
                    }
                }
            }

            /** @param length in bytes of UTF-8, as the socket takes them */
            private void deliver(String message, int length) {
                waiting += length;
                Session.this
                        .write(message)
                        .onComplete(
                                sent -> {
                                    waiting -= length;
                                    taken += length;
                                },
                                broken -> gone.run());
            }

            @Override
            public long taken() {
                return taken;
            }

            @Override
            public long waiting() {
                return waiting;
            }

            @Override
            public void abort() {
                StreamSink.cut(request.connection());
            }

            /** The server ends the stream: so goes the socket, and its client comes back. */
            @Override
            public Future<Void> end(Disconnect why) {
                if (why != Disconnect.STREAM_EXCEPTION) {
                    return goAway();
                }
                evict(why);
                return Future.succeededFuture();
            }
        }
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
