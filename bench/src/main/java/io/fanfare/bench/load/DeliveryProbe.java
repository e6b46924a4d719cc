package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.core.feed.Homes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Posts and deletes through the API and times how long it takes until the homes of some followers hold the post, or no
 * longer do: it looks again a millisecond after each answer, so that a figure is too long by up to one look. For the
 * command's event loop.
 */
public final class DeliveryProbe {
    private static final int CONNECTIONS = 32;
    private static final long GIVE_UP_NANOS = 60_000_000_000L;

    private final Vertx vertx;
    private final HttpClient http;
    private final Homes homes;

    /** @param port of the API on this machine */
    public DeliveryProbe(Vertx vertx, int port, Homes homes) {
        this.vertx = vertx;
        this.homes = homes;
        this.http = vertx.createHttpClient(
                new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(port),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    /**
     * How long a post took, in nanoseconds since it was due.
     *
     * @param status its id
     * @param answered until the API answered
     * @param delivered until all readers had it in their homes
     */
    public record Times(long status, long answered, long delivered) {}

    /**
     * Posts, and answers how long it took from {@code dueNanos} until all these readers have the post in their homes.
     * Fails when the post is refused, or has not arrived within a minute.
     */
    public Future<Times> deliver(String token, List<Long> readers, long dueNanos) {
        return http.request(HttpMethod.POST, "/api/v1/statuses")
                .compose(request -> request.putHeader("Authorization", "Bearer " + token)
                        .putHeader("Content-Type", "application/x-www-form-urlencoded")
                        .send(Buffer.buffer("status=the+quick+brown+fox+jumps+over+the+lazy+dog")))
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture(
                                new BenchFailed("a post was refused with status " + response.statusCode())))
                .compose(body -> {
                    long answered = System.nanoTime() - dueNanos;
                    long status = Long.parseLong(body.toJsonObject().getString("id"));
                    return awaitHomes(readers, dueNanos, "a post did not reach", all -> homes.lacking(all, status))
                            .map(delivered -> new Times(status, answered, delivered));
                });
    }

    /**
     * Deletes a post, and answers how long it took from {@code dueNanos} until none of these readers has it in the home
     * any more, in nanoseconds. Fails when the delete is refused, or the post is still there after a minute.
     */
    public Future<Long> delete(String token, long status, List<Long> readers, long dueNanos) {
        return http.request(HttpMethod.DELETE, "/api/v1/statuses/" + status)
                .compose(request ->
                        request.putHeader("Authorization", "Bearer " + token).send())
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture(
                                new BenchFailed("a delete was refused with status " + response.statusCode())))
                .compose(body ->
                        awaitHomes(readers, dueNanos, "a deleted post stayed in", all -> homes.lacking(all, status)
                                .map(lacking -> without(all, lacking))));
    }

    private static List<Long> without(List<Long> readers, List<Long> others) {
        Set<Long> left = new LinkedHashSet<>(readers);
        others.forEach(left::remove);
        return List.copyOf(left);
    }

    private Future<Long> awaitHomes(List<Long> readers, long dueNanos, String problem, Look look) {
        Promise<Long> done = Promise.promise();
        awaitHomes(readers, dueNanos, problem, look, done);
        return done.future();
    }

    /** At the first reader again and again, and at the others once that one is done: looking takes little of Redis. */
    private void awaitHomes(List<Long> readers, long dueNanos, String problem, Look look, Promise<Long> done) {
        look.waiting(readers.subList(0, 1))
                .compose(first -> first.isEmpty() ? look.waiting(readers) : Future.succeededFuture(readers))
                .onComplete(
                        waiting -> {
                            long nanos = System.nanoTime() - dueNanos;
                            if (waiting.isEmpty()) {
                                done.complete(nanos);
                            } else if (nanos > GIVE_UP_NANOS) {
                                done.fail(new BenchFailed(problem + " " + waiting.size() + " homes"));
                            } else {
                                vertx.setTimer(1, timer -> awaitHomes(waiting, dueNanos, problem, look, done));
                            }
                        },
                        done::fail);
    }

    /** Finds those of these readers whose homes are not yet as they are to become. */
    private interface Look {
        Future<List<Long>> waiting(List<Long> readers);
    }
}
