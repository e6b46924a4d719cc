package io.fanfare.bench.replay;

import io.fanfare.app.listen.SseParser;
import io.fanfare.common.event.EventId;
import io.fanfare.failure.Reason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Holds the firehose during the run as a careful client would: whenever the connection ends or falls silent, it
 * connects again and resumes behind the last event it saw. Notes when each status came, and whatever a stream must not
 * do: go back, repeat, jump over a gap, refuse to resume. One event loop; {@link #arrivedNanos} may be asked from
 * anywhere.
 */
final class Firehose {
    private static final String PATH = "/api/v1/streaming/firehose";
    private static final long RECONNECT_MILLIS = 250;
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

    /** Heartbeats come every 15 s; three of them missing means that nobody is there. */
    private static final int SILENCE_SECONDS = 45;

    private final Vertx vertx;
    private final HttpClient http;
    private final Supplier<URI> base;
    private final String token;
    private final LongSupplier nanos;
    private final Differences differences = new Differences();
    private final Map<Long, Long> arrivals = new ConcurrentHashMap<>();
    private final Map<Long, Long> authors = new HashMap<>();
    private final Promise<Void> listening = Promise.promise();

    private String epoch = "";
    private long lastSeq;
    private long lastEventNanos;
    private long events;
    private long gaps;
    private long reconnects;
    private boolean closed;

    Firehose(Vertx vertx, Supplier<URI> base, String token, LongSupplier nanos) {
        this.vertx = vertx;
        this.http = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                        .setReadIdleTimeout(SILENCE_SECONDS))
                // The response ends with the connection, and another one is opened: nothing to log.
                .withConnectHandler(connection -> connection.exceptionHandler(lost -> {}))
                .build();
        this.base = base;
        this.token = token;
        this.nanos = nanos;
    }

    /**
     * Completes when the server has said hello: whatever is posted from then on must come. Fails when the first
     * connection does.
     */
    Future<Void> listen() {
        connect();
        return listening.future();
    }

    /** When the status first came; 0 when it did not. */
    long arrivedNanos(long status) {
        return arrivals.getOrDefault(status, 0L);
    }

    /** The author's account id of every status that came. */
    Map<Long, Long> authors() {
        return authors;
    }

    /** Faults of the stream itself. */
    Differences differences() {
        return differences;
    }

    long events() {
        return events;
    }

    /** When anything last came. */
    long lastEventNanos() {
        return lastEventNanos;
    }

    long gaps() {
        return gaps;
    }

    long reconnects() {
        return reconnects;
    }

    Future<Void> close() {
        closed = true;
        return http.close();
    }

    private void connect() {
        URI at = base.get();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(at.getHost())
                .setPort(at.getPort())
                .setSsl("https".equals(at.getScheme()))
                .setURI(PATH)
                .putHeader(HttpHeaders.ACCEPT, "text/event-stream")
                .putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token);
        if (!epoch.isEmpty()) {
            options.putHeader("Last-Event-ID", new EventId(epoch, lastSeq).toString());
        }
        http.request(options)
                .compose(request -> request.send())
                .compose(this::read)
                .onComplete(end -> reconnect("the server ended it"), cause -> reconnect(Reason.of(cause)));
    }

    /** Completes when the connection has ended. */
    private Future<Void> read(HttpClientResponse response) {
        if (response.statusCode() != 200) {
            return Future.failedFuture("status " + response.statusCode());
        }
        SseParser parser = new SseParser(this::event);
        response.handler(parser);
        return response.end();
    }

    private void reconnect(String why) {
        if (closed) {
            return;
        }
        if (!listening.future().isComplete()) {
            listening.fail("the firehose did not open: " + why);
            return;
        }
        vertx.setTimer(RECONNECT_MILLIS, timer -> {
            if (!closed) {
                reconnects++;
                connect();
            }
        });
    }

    private void event(String id, String name, String data) {
        switch (name) {
            case "hello" -> hello(new JsonObject(data));
            case "gap" -> {
                gaps++;
                differences.add("the stream reported a gap: " + data);
            }
            case "warning", "limit", "disconnect", "notification" -> {
                // Told about the connection, not events of the log.
            }
            default -> logged(id, name, data);
        }
    }

    private void hello(JsonObject hello) {
        if (!listening.future().isComplete()) {
            epoch = hello.getString("epoch", "");
            // Not the tip, which may be beyond events that are yet to come.
            lastSeq = number(hello.getValue("from")) - 1;
            listening.complete();
        } else if (!Boolean.TRUE.equals(hello.getBoolean("resumed"))) {
            differences.add("the stream did not resume after " + new EventId(epoch, lastSeq) + ": " + hello.encode());
        }
    }

    private void logged(String id, String name, String data) {
        events++;
        lastEventNanos = nanos.getAsLong();
        EventId place = EventId.parse(id).filter(EventId::hasEpoch).orElse(null);
        if (place == null) {
            differences.add("the stream sent a " + name + " with id '" + id + "'");
            return;
        }
        if (!place.epoch().equals(epoch)) {
            differences.add("the stream went from epoch " + epoch + " to " + place.epoch() + ": the log was lost");
            epoch = place.epoch();
        } else if (place.seq() <= lastSeq) {
            differences.add("the stream went back from " + lastSeq + " to " + place.seq());
        }
        lastSeq = place.seq();
        if (name.equals("status")) {
            status(new JsonObject(data));
        }
    }

    private void status(JsonObject status) {
        long id = number(status.getValue("id"));
        JsonObject account = status.getJsonObject("account", new JsonObject());
        authors.put(id, number(account.getValue("id")));
        if (arrivals.putIfAbsent(id, lastEventNanos) != null) {
            differences.add("the stream sent status " + id + " twice");
        }
    }

    /** Ids travel as decimal strings, sequence numbers as numbers; -1 when it is neither. */
    private static long number(Object value) {
        if (value instanceof Number n) {
            return n.longValue();
        }
        try {
            return value instanceof String text ? Long.parseLong(text) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
