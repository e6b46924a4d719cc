package io.fanfare.app.listen;

import io.fanfare.common.event.EventId;
import io.fanfare.failure.Reason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Holds one native stream as a careful client does: whenever the connection ends or falls silent it comes back, when
 * the server has said or else a little later each time, and goes on right behind the last event. One event loop.
 */
final class ListenSession {
    /** Heartbeats come far more often. */
    private static final int SILENCE_SECONDS = 90;

    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;
    private static final long STEP_MILLIS = 250;
    private static final long STEPS_MILLIS_MAX = 16_000;
    private static final long BUSY_MILLIS = 5_000;
    private static final long BUSY_MILLIS_MAX = 320_000;
    private static final long NO_HINT = -1;

    /** Receives the events and remarks of a session. */
    interface Output {
        /** An event of the log. Answers whether more is wanted. */
        boolean event(String id, String name, String data);

        /** Something about the stream itself, as a sentence. */
        void remark(String sentence);
    }

    private final Vertx vertx;
    private final HttpClient http;
    private final List<URI> servers;
    private final StreamRequest streamRequest;
    private final String token;
    private final RandomGenerator random;
    private final Output out;
    private final Promise<Void> done = Promise.promise();

    private String cursor = "";
    private String untilEpoch = "";
    private long until = Long.MAX_VALUE;
    private long hintMillis = NO_HINT;
    private int turn;
    private int failures;
    private int refusals;
    private boolean everAnswered;

    /**
     * @param servers where it may be had, tried in turn
     * @param token empty = none
     * @param authority PEM file of the certificates that are trusted; empty = those of the JVM
     */
    ListenSession(
            Vertx vertx,
            List<URI> servers,
            StreamRequest streamRequest,
            String token,
            Optional<Path> authority,
            RandomGenerator random,
            Output out) {
        this.vertx = vertx;
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                .setReadIdleTimeout(SILENCE_SECONDS);
        authority.ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        this.http = vertx.httpClientBuilder()
                .with(options)
                // The response ends with the connection, and another one is opened: nothing to log.
                .withConnectHandler(connection -> connection.exceptionHandler(lost -> {}))
                .build();
        this.servers = List.copyOf(servers);
        this.streamRequest = streamRequest;
        this.token = token;
        this.random = random;
        this.out = out;
    }

    /** Completes when all that was wanted has come, or it was stopped; fails with {@link ListenFailed}. */
    Future<Void> start() {
        connect();
        return done.future();
    }

    /** For any thread. */
    void stop() {
        done.tryComplete();
    }

    private void connect() {
        if (done.future().isComplete()) {
            return;
        }
        hintMillis = NO_HINT;
        http.request(request())
                .compose(request ->
                        streamRequest.asPost() ? request.send(Buffer.buffer(streamRequest.form())) : request.send())
                .compose(this::read)
                .onComplete(ended -> comeBack("the server ended the connection"), cause -> comeBack(Reason.of(cause)));
    }

    private RequestOptions request() {
        URI at = servers.get(turn++ % servers.size());
        boolean tls = "https".equals(at.getScheme());
        RequestOptions request = new RequestOptions()
                .setMethod(streamRequest.asPost() ? HttpMethod.POST : HttpMethod.GET)
                .setHost(at.getHost())
                .setPort(at.getPort() > 0 ? at.getPort() : tls ? 443 : 80)
                .setSsl(tls)
                .setURI((at.getPath() == null ? "" : at.getPath()) + streamRequest.uri())
                .putHeader(HttpHeaders.ACCEPT, "text/event-stream");
        if (streamRequest.asPost()) {
            request.putHeader(HttpHeaders.CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        if (!token.isEmpty()) {
            request.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token);
        }
        if (!cursor.isEmpty()) {
            request.putHeader("Last-Event-ID", cursor);
        }
        return request;
    }

    /** Completes when the connection has ended. */
    private Future<Void> read(HttpClientResponse response) {
        int status = response.statusCode();
        if (status == 204) {
            stop();
            return Future.succeededFuture();
        }
        if (status != 200) {
            return response.body().compose(body -> refused(status, body, response.getHeader("Retry-After")));
        }
        response.handler(new SseParser(new Events()));
        return response.end();
    }

    private Future<Void> refused(int status, Buffer body, String retryAfter) {
        String sentence = "the server answers " + status + ": " + error(body);
        if (status == 429 || status == 420 || status >= 500) {
            refusals++;
            long wait = BUSY_MILLIS << Math.min(refusals - 1, 10);
            boolean hasHint = retryAfter != null && retryAfter.matches("\\d{1,5}");
            hintMillis = hasHint ? Long.parseLong(retryAfter) * 1000 : Math.min(wait, BUSY_MILLIS_MAX);
            everAnswered = true;
            return Future.failedFuture(sentence);
        }
        boolean barred = status == 401 || status == 403 || status == 404;
        String hint = status == 401 ? " Show an access token with --token or in FANFARE_TOKEN." : "";
        done.tryFail(new ListenFailed(sentence + hint, !barred));
        return Future.succeededFuture();
    }

    private static String error(Buffer body) {
        try {
            JsonObject json = new JsonObject(body);
            return json.getString("error_description", json.getString("error", ""));
        } catch (DecodeException | ClassCastException noJson) {
            return "no reason is given";
        }
    }

    private void comeBack(String why) {
        if (done.future().isComplete()) {
            return;
        }
        failures++;
        if (!everAnswered && failures >= servers.size()) {
            String all = String.join(" or ", servers.stream().map(URI::toString).toList());
            done.tryFail(new ListenFailed("no server answers at " + all + " (" + why + ")", false));
            return;
        }
        long most = Math.min(STEP_MILLIS * failures, STEPS_MILLIS_MAX);
        long wait = hintMillis != NO_HINT ? hintMillis : most - random.nextLong(most / 2 + 1);
        out.remark(why + "; coming back in " + wait + " ms" + (cursor.isEmpty() ? "" : ", after " + cursor));
        long unused = vertx.setTimer(Math.max(1, wait), timer -> connect());
    }

    /** Handles the events of one connection. */
    private final class Events implements SseParser.Listener {
        @Override
        public void retry(long millis) {
            hintMillis = millis;
        }

        @Override
        public void moved(String id) {
            cursor = id;
            if (isPast(EventId.parse(id).orElseThrow())) {
                stop();
            }
        }

        @Override
        public void event(String id, String name, String data) {
            if (done.future().isComplete()) {
                return;
            }
            switch (name) {
                case "hello" -> hello(new JsonObject(data));
                case "gap" -> gap(new JsonObject(data));
                case "warning", "limit" -> out.remark(name + ": " + data);
                case "disconnect" -> disconnect(new JsonObject(data));
                default -> logged(id, name, data);
            }
        }

        private void hello(JsonObject hello) {
            everAnswered = true;
            failures = 0;
            refusals = 0;
            if (cursor.isEmpty()) {
                // Cut off before the first event, one must not begin anew.
                cursor = new EventId(hello.getString("epoch"), hello.getLong("from") - 1).toString();
                until = streamRequest.ends() ? hello.getLong("tip") : Long.MAX_VALUE;
                // One that does not end goes on in whatever epoch comes next, such as that of a restored service.
                untilEpoch = streamRequest.ends() ? hello.getString("epoch") : "";
            }
        }

        private void gap(JsonObject gap) {
            Long missed = gap.getLong("missed");
            out.remark("gap: " + (missed == null ? "an unknown number of" : missed) + " events cannot be had any more ("
                    + gap.getString("reason") + ")");
        }

        private void disconnect(JsonObject why) {
            everAnswered = true;
            String sentence = "the server says: " + why.getString("message", why.getString("reason"));
            switch (why.getInteger("code", 0)) {
                case 7 -> done.tryFail(new ListenFailed(sentence, false));
                case 9 -> stop();
                default -> out.remark(sentence);
            }
        }

        private void logged(String id, String name, String data) {
            cursor = id;
            EventId event = EventId.parse(id).orElseThrow();
            boolean wanted = event.seq() <= until || isOfAnotherEpoch(event);
            if (!wanted || !out.event(id, name, data) || isPast(event)) {
                stop();
            }
        }

        private boolean isPast(EventId event) {
            return event.seq() >= until || isOfAnotherEpoch(event);
        }

        private boolean isOfAnotherEpoch(EventId event) {
            return !untilEpoch.isEmpty() && !event.epoch().equals(untilEpoch);
        }
    }
}
