package io.fanfare.client.http;

import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.error.ProtocolException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sends requests, and repeats what is safe: a lost answer or a 502, 503 or 504 when a second arrival does no harm, a
 * 429 always. For any thread; a call blocks its thread.
 */
public final class Transport {
    private static final long BACK_OFF_MILLIS = 250;
    private static final int BACK_OFF_DOUBLINGS_MAX = 5;
    private static final String HEX = "0123456789abcdef";

    /**
     * The limits of each call.
     *
     * @param timeLimit of one attempt
     * @param attempts at most, the first included
     * @param waitMax a longer wait that the server demands fails the call at once
     * @param bodyBytesMax of an answer
     */
    public record Limits(Duration timeLimit, int attempts, Duration waitMax, int bodyBytesMax) {}

    private final HttpClient http;
    private final Supplier<List<URI>> servers;
    private final Supplier<String> token;
    private final Limits limits;
    private final Refusals refusals;
    private final RandomGenerator random;
    private final Pause pause;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Makes calls.
     *
     * @param servers of one installation, before each attempt; after a failure the next one is used
     * @param token of each attempt; empty = none
     */
    public Transport(
            HttpClient http,
            Supplier<List<URI>> servers,
            Supplier<String> token,
            Limits limits,
            Refusals refusals,
            RandomGenerator random,
            Pause pause) {
        this.http = http;
        this.servers = servers;
        this.token = token;
        this.limits = limits;
        this.refusals = refusals;
        this.random = random;
        this.pause = pause;
    }

    /** A key of 128 random bits. */
    public String newKey() {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < 32; i++) {
            key.append(HEX.charAt(random.nextInt(16)));
        }
        return key.toString();
    }

    /**
     * Sends until there is an answer that a further attempt will not change.
     *
     * @throws FanfareException when the last attempt failed
     */
    public Answer send(Call call) {
        boolean mayBeDone = false;
        for (int attempt = 1; ; attempt++) {
            FanfareException failure;
            try {
                return once(call);
            } catch (ApiException | ConnectionException e) {
                failure = e;
            }
            if (mayBeDone && isGone(call, failure)) {
                return new Answer(204, HttpHeaders.of(Map.of(), (name, value) -> true), "");
            }
            mayBeDone |= mayBeDone(failure);
            Duration wait = waitBefore(call, attempt, failure).orElseThrow(rethrow(failure));
            try {
                pause.of(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failure;
            }
        }
    }

    /** Whether the server may have carried out the request in spite of the failure. */
    private static boolean mayBeDone(FanfareException failure) {
        return failure instanceof ApiException refusal
                ? refusal.status() >= 500
                : ((ConnectionException) failure).mayHaveArrived();
    }

    /** An attempt before, whose answer was lost, has deleted it. */
    private static boolean isGone(Call call, FanfareException failure) {
        return call.method().equals("DELETE") && failure instanceof ApiException refusal && refusal.status() == 404;
    }

    private static Supplier<FanfareException> rethrow(FanfareException failure) {
        return () -> failure;
    }

    /** Empty = no further attempt. */
    private Optional<Duration> waitBefore(Call call, int attempt, FanfareException failure) {
        if (attempt >= limits.attempts()) {
            return Optional.empty();
        }
        boolean repeats;
        Duration demanded = Duration.ZERO;
        if (failure instanceof ApiException refusal) {
            int status = refusal.status();
            repeats = status == 429 || (call.repeatable() && (status == 502 || status == 503 || status == 504));
            demanded = refusal.retryAfter().orElse(Duration.ZERO);
        } else {
            repeats = call.repeatable() || !((ConnectionException) failure).mayHaveArrived();
        }
        if (!repeats
                || demanded.compareTo(limits.waitMax()) > 0
                || Thread.currentThread().isInterrupted()) {
            return Optional.empty();
        }
        long most = BACK_OFF_MILLIS << Math.min(attempt - 1, BACK_OFF_DOUBLINGS_MAX);
        return Optional.of(demanded.plusMillis(most / 2 + random.nextLong(most / 2 + 1)));
    }

    private Answer once(Call call) {
        List<URI> now = servers.get();
        URI server = now.get(Math.floorMod(turn.get(), now.size()));
        Duration limit = call.timeLimit().isZero() ? limits.timeLimit() : call.timeLimit();
        CompletableFuture<HttpResponse<String>> sent =
                http.sendAsync(request(server, call), head -> new BoundedBody(limits.bodyBytesMax()));
        HttpResponse<String> response;
        try {
            response = sent.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw lost(call, server, e.getCause());
        } catch (TimeoutException e) {
            boolean unused = sent.cancel(true);
            int unusedTurn = turn.incrementAndGet();
            throw new ConnectionException(
                    call.name() + " had no whole answer within " + limit.toMillis() + " ms", true, null);
        } catch (InterruptedException e) {
            boolean unused = sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new ConnectionException(call.name() + " was interrupted", true, null);
        }
        if (response.statusCode() / 100 == 2) {
            return new Answer(response.statusCode(), response.headers(), response.body());
        }
        throw refusals.of(call.name(), response.statusCode(), response.headers(), response.body());
    }

    private FanfareException lost(Call call, URI server, Throwable cause) {
        if (cause instanceof ProtocolException hostile) {
            return new ProtocolException(call.name() + ": " + hostile.getMessage());
        }
        int unused = turn.incrementAndGet();
        boolean refused = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
        return new ConnectionException(
                call.name() + " to " + server + " had no answer: " + Reason.of(cause), !refused, cause);
    }

    private HttpRequest request(URI server, Call call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(server, call.path()))
                .version(HttpClient.Version.HTTP_1_1)
                .method(call.method(), call.body().get())
                .header("Accept", "application/json");
        String shown = token.get();
        if (!shown.isEmpty()) {
            request.header("Authorization", "Bearer " + shown);
        }
        if (!call.contentType().isEmpty()) {
            request.header("Content-Type", call.contentType());
        }
        if (!call.idempotencyKey().isEmpty()) {
            request.header("Idempotency-Key", call.idempotencyKey());
        }
        return request.build();
    }

    /** The server may be known under a path of its own, such as {@code https://host/feeds}. */
    public static URI address(URI server, String path) {
        String base = server.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }
}
