package io.fanfare.client.stream;

import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.error.ProtocolException;
import io.fanfare.client.http.Answer;
import io.fanfare.client.http.Arguments;
import io.fanfare.client.http.Call;
import io.fanfare.client.http.Json;
import io.fanfare.client.http.Reason;
import io.fanfare.client.http.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Holds one stream: connects, reads frames into the buffer, and connects again after the last one. Runs on the thread
 * of the stream; {@link #change} and {@link #stop} are for any thread.
 */
final class StreamLoop implements Runnable {
    /** A later attempt may be answered; all others of 4xx are final. */
    private static final Set<Integer> PASSING = Set.of(408, 420, 425, 429);

    private static final int REFUSAL_BYTES_MAX = 64 * 1024;

    /** The stream was replaced by a newer one of the same token, which would replace that one in turn. */
    private static final int REPLACED = 7;

    private static final int ALL_SENT = 9;

    /** So many connections in a row that break the rules, without a good event between them, end the stream. */
    private static final int BROKEN_MAX = 3;

    private final StreamContext context;
    private final EventBuffer buffer;
    private final long silenceNanos;
    private final int eventBytesMax;
    private final boolean failsFast;
    private final Consumer<String> onReconnect;
    private final Backoff backoff;
    private final EventParser parser = new EventParser();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private volatile StreamTarget target;
    private volatile String connection;
    private volatile Chunks open;
    private volatile URI server;
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    private StreamTarget requested;
    private Cursor cursor;

    /** The last position that counts against repetitions; a gap resets it. */
    private Cursor last;

    private long demandedMillis;
    private boolean busy;
    private boolean everAnswered;
    private boolean ended;
    private int broken;

    /** The reason that the server gave for the end of the connection; null = none. */
    private String farewell;

    private int turn;

    StreamLoop(
            StreamContext context,
            StreamTarget target,
            EventBuffer buffer,
            Cursor from,
            long silenceNanos,
            int eventBytesMax,
            boolean failsFast,
            Consumer<String> onReconnect) {
        this.context = context;
        this.target = target;
        this.buffer = buffer;
        this.cursor = from;
        this.last = from;
        this.silenceNanos = silenceNanos;
        this.eventBytesMax = eventBytesMax;
        this.failsFast = failsFast;
        this.onReconnect = onReconnect;
        this.backoff = new Backoff(context.random());
    }

    long repeats() {
        return repeats.get();
    }

    long connections() {
        return connections.get();
    }

    void stop() {
        stopped.countDown();
    }

    @Override
    public void run() {
        try {
            while (stopped.getCount() > 0 && !ended) {
                String why = hold();
                if (!ended) {
                    pauseAfter(why);
                }
            }
            buffer.end(null);
        } catch (InterruptedException closed) {
            buffer.end(null);
        } catch (RuntimeException e) {
            buffer.end(e);
        } finally {
            // After an Error of the JVM the consumer must not wait for ever.
            buffer.end(new IllegalStateException("the thread of the stream has ended by an error"));
        }
    }

    private void pauseAfter(String why) throws InterruptedException {
        long wait = busy ? backoff.afterRefusal(demandedMillis) : backoff.afterLoss(demandedMillis);
        List<URI> servers = context.servers().get();
        if (failsFast && !everAnswered && backoff.failures() >= servers.size()) {
            String all = String.join(" or ", servers.stream().map(URI::toString).toList());
            throw new ConnectionException("no server answers at " + all + " (" + why + ")", false, null);
        }
        onReconnect.accept(why + "; coming back in " + wait + " ms" + (cursor.isEmpty() ? "" : ", after " + cursor));
        boolean unused = stopped.await(wait, TimeUnit.MILLISECONDS);
    }

    /** One connection, from its request to its end. The result says why it ended. */
    private String hold() throws InterruptedException {
        demandedMillis = -1;
        busy = false;
        farewell = null;
        List<URI> servers = context.servers().get();
        server = servers.get(turn++ % servers.size());
        // Made before the answer, so that an answer which comes after a cancel is closed too.
        try (Chunks chunks = new Chunks()) {
            CompletableFuture<HttpResponse<Chunks>> sent = context.http().sendAsync(request(), head -> chunks);
            HttpResponse<Chunks> response;
            try {
                response = sent.get(silenceNanos, TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                return Reason.of(e.getCause());
            } catch (TimeoutException | InterruptedException e) {
                boolean unused = sent.cancel(true);
                if (e instanceof InterruptedException interrupted) {
                    throw interrupted;
                }
                return "the server did not answer in time";
            }
            open = chunks;
            String why = read(response, chunks);
            return farewell == null ? why : farewell;
        } catch (IOException lost) {
            return farewell == null ? lost.getMessage() : farewell;
        } finally {
            connection = null;
            open = null;
        }
    }

    private HttpRequest request() {
        StreamTarget now = target;
        requested = now;
        HttpRequest.Builder request = HttpRequest.newBuilder(Transport.address(server, now.path()))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Accept", "text/event-stream")
                .header("Accept-Encoding", "gzip");
        if (now.isPost()) {
            request.header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(now.filterForm()));
        }
        String token = context.token().get();
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!cursor.isEmpty()) {
            request.header("Last-Event-ID", cursor.value());
        }
        return request.build();
    }

    private String read(HttpResponse<Chunks> response, Chunks chunks) throws IOException, InterruptedException {
        int status = response.statusCode();
        if (status == 204) {
            ended = true;
            return "the server has sent everything";
        }
        HttpHeaders headers = response.headers();
        try (Body body = new Body(chunks, headers, context.nanos())) {
            body.waitFor(silenceNanos);
            if (status != 200) {
                String text = body.beginning(REFUSAL_BYTES_MAX);
                return refused(context.refusals().of("the stream " + target.name(), status, headers, text), headers);
            }
            return events(headers, body);
        }
    }

    private String events(HttpHeaders headers, Body body) throws IOException, InterruptedException {
        String type = headers.firstValue("Content-Type").orElse("");
        if (!type.startsWith("text/event-stream")) {
            throw new ProtocolException("the server answered the request for a stream with another type: is " + server
                    + " a Fanfare server?");
        }
        long unused = connections.incrementAndGet();
        try {
            return events(body);
        } catch (ProtocolException failure) {
            if (++broken >= BROKEN_MAX) {
                throw failure;
            }
            return failure.getMessage();
        }
    }

    private String events(Body body) throws IOException, InterruptedException {
        SseReader reader = new SseReader(eventBytesMax);
        ByteBuffer bytes = body.next();
        while (bytes != null && !ended) {
            long lines = reader.lines();
            for (SseReader.Frame frame : reader.read(bytes)) {
                handle(frame);
            }
            if (reader.retryMillis() >= 0) {
                demandedMillis = reader.retryMillis();
            }
            if (reader.lines() > lines) {
                body.waitFor(silenceNanos);
            }
            bytes = body.next();
        }
        return "the server ended the connection";
    }

    private String refused(FanfareException failure, HttpHeaders headers) {
        if (failure instanceof ApiException refusal
                && (PASSING.contains(refusal.status()) || refusal.status() >= 500)) {
            everAnswered = true;
            busy = true;
            demandedMillis = context.refusals()
                    .retryAfter(headers)
                    .map(Duration::toMillis)
                    .orElse(-1L);
            return "the server answers " + refusal.status() + ": " + refusal.sentence();
        }
        throw failure;
    }

    private void handle(SseReader.Frame frame) throws InterruptedException {
        if (ended) {
            return;
        }
        if (frame.data().isEmpty()) {
            moved(Cursor.received(frame.idOrEmpty()));
        } else if (frame.name().equals("disconnect")) {
            disconnected(frame.data());
        } else {
            event(parser.parse(frame));
        }
    }

    private void moved(Cursor to) {
        if (!last.isAtOrAfter(to) || to.value().endsWith("-end")) {
            cursor = to;
            last = to;
            buffer.move(to);
        }
    }

    private void event(StreamEvent event) throws InterruptedException {
        Cursor at = Cursor.received(event.id());
        if (event instanceof StreamEvent.Hello hello) {
            everAnswered = true;
            backoff.reset();
            connection = hello.connection();
            if (!target.equals(requested)) {
                // It was changed between the request and this answer.
                open.cut("the filter was changed");
            }
        } else if (event instanceof StreamEvent.Gap) {
            // After the reason "future" the numbers of the same log begin below the cursor.
            last = Cursor.NONE;
        } else if (!at.isEmpty() && last.isAtOrAfter(at)) {
            long unused = repeats.incrementAndGet();
            return;
        }
        if (!(event instanceof StreamEvent.Hello)) {
            broken = 0;
        }
        if (!at.isEmpty() && !last.isAtOrAfter(at)) {
            cursor = at;
            last = at;
        }
        buffer.put(event, cursor);
    }

    private record Disconnect(int code, String reason, String message) {}

    private void disconnected(String data) {
        everAnswered = true;
        Disconnect disconnect = Json.read(data, Disconnect.class);
        String sentence = Optional.ofNullable(disconnect.message()).orElse(disconnect.reason());
        if (disconnect.code() == REPLACED) {
            throw new ConnectionException("the server says: " + sentence, true, null);
        }
        if (disconnect.code() == ALL_SENT) {
            ended = true;
        } else {
            farewell = "the server says: " + sentence;
        }
    }

    /** The filter of the open connection, and of all later ones. */
    synchronized void change(Filter filter) {
        Arguments.check(target.isPost(), "only the stream filter has a filter that can be changed");
        StreamTarget changed = target.with(filter);
        String changing = connection;
        boolean accepted = changing != null && accepts(changing, changed.filterForm());
        // Not before the server has accepted it: a reconnect in between must not be refused for good.
        target = changed;
        String now = connection;
        Chunks held = open;
        if (now != null && held != null && !(accepted && now.equals(changing))) {
            held.cut("the filter was changed");
        }
    }

    /** Whether the connection has the filter now; false = it is lost or unknown. Throws what the server refuses. */
    private boolean accepts(String connectionId, String form) {
        try {
            Call call = Call.of("PUT", "/api/v1/streaming/connections/" + connectionId + "/filter", true)
                    .body("application/x-www-form-urlencoded", () -> BodyPublishers.ofString(form), Duration.ZERO);
            Answer unused = context.callsTo().apply(server).send(call);
            return true;
        } catch (ApiException refusal) {
            if (refusal.status() != 404) {
                throw refusal;
            }
            return false;
        } catch (ConnectionException lost) {
            return false;
        }
    }
}
