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
import java.util.List;

/**
 * Posts through the API and times how long it takes until the homes of some followers hold the post: it looks again a
 * millisecond after each answer, so that a figure is too long by up to one look. For the command's event loop.
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
                    Promise<Long> arrived = Promise.promise();
                    look(status, readers, dueNanos, arrived);
                    return arrived.future().map(delivered -> new Times(status, answered, delivered));
                });
    }

    /** At the first reader again and again, and at the others once that one has it: looking takes little of Redis. */
    private void look(long status, List<Long> readers, long dueNanos, Promise<Long> arrived) {
        homes.lacking(readers.subList(0, 1), status)
                .compose(first -> first.isEmpty() ? homes.lacking(readers, status) : Future.succeededFuture(readers))
                .onComplete(
                        lacking -> {
                            long nanos = System.nanoTime() - dueNanos;
                            if (lacking.isEmpty()) {
                                arrived.complete(nanos);
                            } else if (nanos > GIVE_UP_NANOS) {
                                arrived.fail(new BenchFailed("a post did not reach " + lacking.size() + " homes"));
                            } else {
                                vertx.setTimer(1, timer -> look(status, lacking, dueNanos, arrived));
                            }
                        },
                        arrived::fail);
    }
}
