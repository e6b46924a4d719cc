package io.fanfare.bench.scenario;

import io.fanfare.bench.load.AuthorDraw;
import io.fanfare.bench.replay.FeedClient;
import io.fanfare.bench.replay.FeedClient.Answer;
import io.fanfare.bench.replay.FeedClient.Call;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Posts and pages of homes of {@code bench failover}, each due at a fixed rate whatever the server does (open loop). A
 * request that the server puts off is sent again, a post with its Idempotency-Key, until it is answered or the patience
 * ends. One event loop; when the load has ended, any thread may read what it has noted.
 */
final class FailoverLoad {
    private static final int CONNECTIONS = 256;

    /** Under way at most. What is due beyond it waits, and is timed from when it was due. */
    private static final int AT_ONCE_MAX = 10_000;

    private static final long TICK_MILLIS = 2;
    private static final int PAGE = 20;

    private final Vertx vertx;
    private final FeedClient client;
    private final List<String> tokens;
    private final AuthorDraw authors;
    private final Random random;
    private final double postsPerSecond;
    private final double readsPerSecond;
    private final List<Request> posts = new ArrayList<>();
    private final List<Request> reads = new ArrayList<>();
    private long beginNanos;
    private long timer;
    private int underWay;
    private String firstFailure = "";

    /**
     * @param tokens of all users, in their order
     * @param patience how long a request is repeated
     */
    FailoverLoad(
            Vertx vertx,
            int port,
            List<String> tokens,
            AuthorDraw authors,
            Random random,
            double postsPerSecond,
            double readsPerSecond,
            Duration patience) {
        this.vertx = vertx;
        this.tokens = tokens;
        this.authors = authors;
        this.random = random;
        this.postsPerSecond = postsPerSecond;
        this.readsPerSecond = readsPerSecond;
        client = new FeedClient(
                vertx, CONNECTIONS, () -> URI.create("http://127.0.0.1:" + port), patience, System::nanoTime);
    }

    /** A post or a read, with its times by {@link System#nanoTime}. */
    static final class Request {
        private final int user;
        private final long dueNanos;
        private long answeredNanos;
        private long id;

        private Request(int user, long dueNanos) {
            this.user = user;
            this.dueNanos = dueNanos;
        }

        /** The author, or the reader. */
        int user() {
            return user;
        }

        long dueNanos() {
            return dueNanos;
        }

        /** Whether it was answered with success. */
        boolean isAcknowledged() {
            return answeredNanos != 0;
        }

        long answeredNanos() {
            return answeredNanos;
        }

        /** The status that a post became. */
        long id() {
            return id;
        }
    }

    /** Its text, by which a status is known again. */
    static String text(int post) {
        return "post " + post + " beside failovers: the quick brown fox jumps over the lazy dog";
    }

    void begin() {
        beginNanos = System.nanoTime();
        timer = vertx.setPeriodic(TICK_MILLIS, tick -> sendWhatIsDue());
    }

    /** Nothing more is due from now on. */
    void end() {
        vertx.cancelTimer(timer);
    }

    Future<Void> close() {
        return client.close();
    }

    /** Whether no request has waited for longer than so. */
    boolean isFluent(long nanos) {
        long now = System.nanoTime();
        return posts.stream().noneMatch(post -> !post.isAcknowledged() && now - post.dueNanos() > nanos);
    }

    /** Whether every request has been answered or given up. */
    boolean isOver() {
        return underWay == 0;
    }

    /** In the order in which they were due. */
    List<Request> posts() {
        return posts;
    }

    List<Request> reads() {
        return reads;
    }

    /** Attempts that were put off and repeated. */
    long repeated() {
        return client.retries().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Why the first request was given up; empty = none was. */
    String firstFailure() {
        return firstFailure;
    }

    private void sendWhatIsDue() {
        for (long due = due(posts, postsPerSecond); isDue(due); due = due(posts, postsPerSecond)) {
            post(due);
        }
        for (long due = due(reads, readsPerSecond); isDue(due); due = due(reads, readsPerSecond)) {
            read(due);
        }
    }

    /** When the next of them is due. */
    private long due(List<Request> sent, double perSecond) {
        return beginNanos + (long) (sent.size() / perSecond * TimeUnit.SECONDS.toNanos(1));
    }

    private boolean isDue(long due) {
        return due <= System.nanoTime() && underWay < AT_ONCE_MAX;
    }

    private void post(long due) {
        int number = posts.size();
        Request post = new Request(authors.next(), due);
        posts.add(post);
        JsonObject body = new JsonObject().put("status", text(number));
        send(post, new Call(HttpMethod.POST, "/api/v1/statuses", tokens.get(post.user()), body, "failover-" + number));
    }

    private void read(long due) {
        Request read = new Request(random.nextInt(tokens.size()), due);
        reads.add(read);
        send(read, Call.get("/api/v1/timelines/home?limit=" + PAGE, tokens.get(read.user())));
    }

    private void send(Request request, Call call) {
        underWay++;
        client.send(call)
                .map(answer -> note(request, call, answer))
                .onFailure(cause -> fail(cause.getMessage()))
                .onComplete(done -> underWay--);
    }

    private Void note(Request request, Call call, Answer answer) {
        if (!answer.isOk()) {
            fail(call.method() + " " + call.path() + " answered " + answer.status());
            return null;
        }
        if (call.body() != null) {
            request.id = Long.parseLong(answer.body().toJsonObject().getString("id"));
        }
        request.answeredNanos = System.nanoTime();
        return null;
    }

    private void fail(String reason) {
        if (firstFailure.isEmpty()) {
            firstFailure = reason;
        }
    }
}
