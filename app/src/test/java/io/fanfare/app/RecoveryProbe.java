package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Authors who post all the time, and a follower of each who looks whether the post has come: how long after the end of
 * a fault posts are delivered again within {@link #BOUND}, by every author.
 */
final class RecoveryProbe implements AutoCloseable {
    /** From the request until the follower's home has the post; several times what it takes on a busy machine. */
    private static final Duration BOUND = Duration.ofSeconds(2);

    /** In different shards, most likely. */
    private static final int PAIRS = 4;

    private static final int PAUSE_MILLIS = 200;
    private static final int LOOK_MILLIS = 20;
    private static final Duration RECOVERED_MAX = Duration.ofMinutes(5);

    /** Upper bounds of the histogram's buckets. */
    private static final List<Integer> BUCKETS_MILLIS = List.of(250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000);

    private final List<Pair> pairs = new ArrayList<>();
    private final List<Long> recoveries = new ArrayList<>();
    private final Map<String, Long> slowest = new TreeMap<>();
    private volatile boolean ended;

    private RecoveryProbe() {}

    /** Signs them up; returns when all of their posts are delivered in time. */
    static RecoveryProbe begin(String url) throws Exception {
        RecoveryProbe probe = new RecoveryProbe();
        for (int i = 0; i < PAIRS; i++) {
            Client author = Client.signUp(url, "probe" + i);
            Client reader = Client.signUp(url, "probed" + i);
            reader.follow(url, author);
            probe.pairs.add(probe.new Pair(url, author, reader));
        }
        probe.pairs.forEach(pair -> pair.thread.start());
        long unused = probe.awaitRecovery(System.nanoTime());
        return probe;
    }

    /** Notes how long it takes from now on, and returns then. */
    void recover(String fault) {
        long millis = TimeUnit.NANOSECONDS.toMillis(awaitRecovery(System.nanoTime()));
        recoveries.add(millis);
        slowest.merge(fault, millis, Math::max);
        System.out.println("recovered after " + millis + " ms from " + fault);
    }

    private long awaitRecovery(long since) {
        Awaitility.await("delivery in time").atMost(RECOVERED_MAX).until(() -> {
            pairs.forEach(pair -> assertThat(pair.failed).isNull());
            return pairs.stream().allMatch(pair -> pair.last.begun() - since >= 0);
        });
        return pairs.stream().mapToLong(pair -> pair.last.done() - since).max().orElseThrow();
    }

    /** A histogram of the recoveries, and the slowest of each fault. */
    void print() {
        int from = 0;
        for (int to : BUCKETS_MILLIS) {
            printBucket("<= " + to + " ms", from, to);
            from = to;
        }
        printBucket("longer", from, Integer.MAX_VALUE);
        System.out.printf(
                "recoveries %d, p50 %d ms, p99 %d ms, slowest of each fault in ms %s%n",
                recoveries.size(), quantile(0.5), p99Millis(), slowest);
    }

    /** The 99th percentile of the recoveries, in ms. */
    long p99Millis() {
        return quantile(0.99);
    }

    private void printBucket(String name, int from, int to) {
        int count = (int) recoveries.stream()
                .filter(millis -> millis > from && millis <= to)
                .count();
        System.out.printf("%12s %4d %s%n", name, count, "#".repeat(count));
    }

    private long quantile(double part) {
        List<Long> sorted =
                recoveries.stream().sorted(Comparator.naturalOrder()).toList();
        return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
    }

    /** Lets them end. */
    @Override
    public void close() {
        ended = true;
    }

    /**
     * A post that came in time.
     *
     * @param begun when it was sent
     * @param done when it was in the home
     */
    private record Delivery(long begun, long done) {}

    private final class Pair {
        private final String url;
        private final Client author;
        private final Client reader;
        private final Thread thread = new Thread(this::run, "recovery-probe");
        private volatile Delivery last = new Delivery(Long.MIN_VALUE / 2, 0);
        private volatile Throwable failed;

        Pair(String url, Client author, Client reader) {
            this.url = url;
            this.author = author;
            this.reader = reader;
            thread.setDaemon(true);
        }

        private void run() {
            try {
                while (!ended) {
                    deliver();
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (Exception e) {
                failed = e;
            }
        }

        private void deliver() throws Exception {
            long begun = System.nanoTime();
            try {
                HttpResponse<String> answer = author.send("POST", url + "/api/v1/statuses", "probe " + begun, "");
                if (answer.statusCode() != 200) {
                    return;
                }
                String id = new JsonObject(answer.body()).getString("id");
                while (System.nanoTime() - begun < BOUND.toNanos()) {
                    HttpResponse<String> home = Client.get(url + "/api/v1/timelines/home?limit=1", reader.token());
                    if (home.statusCode() == 200 && home.body().contains("\"" + id + "\"")) {
                        last = new Delivery(begun, System.nanoTime());
                        return;
                    }
                    Thread.sleep(LOOK_MILLIS);
                }
            } catch (IOException away) {
                // The next one may come.
            }
        }
    }
}
