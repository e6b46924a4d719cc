package io.fanfare.app.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * People who use a server as they always do: post, read their home, open a stream, look around, log in now and then.
 * Each has an address and a pace of their own; how long every answer took is kept, from the moment it was asked for.
 */
final class OrdinaryUsers implements AutoCloseable {
    private static final long PACE_MILLIS = 1500;
    private static final long ANSWER_MILLIS = 20_000;

    /** One action in so many. */
    private static final int LOG_IN_EVERY = 40;

    private final int port;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, ConcurrentLinkedQueue<Long>> took = new ConcurrentHashMap<>();
    private final Map<String, Integer> failed = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** @param clients the app of each */
    OrdinaryUsers(int port, List<Town.Person> people, List<String> clients, long seed) {
        this.port = port;
        for (int i = 0; i < people.size(); i++) {
            Town.Person person = people.get(i);
            String address = address(i);
            String client = clients.get(i);
            long own = seed + i;
            Thread thread = new Thread(() -> live(person, address, client, new Random(own)), "user");
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    /** The source address of a user, each in another network. */
    static String address(int user) {
        return "127." + (10 + user) + ".0.1";
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Forgets what was, for a new period. */
    void restart() {
        took.clear();
        failed.clear();
    }

    /** The share of all answers, 0.99 for example, that came within so many milliseconds. */
    double quantile(double share) {
        return quantile(
                took.values().stream().flatMap(ConcurrentLinkedQueue::stream).toList(), share);
    }

    /** The failures, counted by kind. */
    Map<String, Integer> failed() {
        return new TreeMap<>(failed);
    }

    /** A line for each kind of request. */
    String report() {
        StringBuilder report = new StringBuilder();
        new TreeMap<>(took)
                .forEach((kind, times) -> report.append(String.format(
                        Locale.ROOT,
                        "  %-12s %6d answers   p50 %7.1f ms   p99 %7.1f ms   max %7.1f ms%n",
                        kind,
                        times.size(),
                        quantile(List.copyOf(times), 0.5),
                        quantile(List.copyOf(times), 0.99),
                        quantile(List.copyOf(times), 1))));
        return report + "  failed: " + failed();
    }

    private static double quantile(List<Long> nanos, double share) {
        if (nanos.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))] / 1e6;
    }

    private void live(Town.Person person, String address, String client, Random random) {
        Wire wire = null;
        Wire stream = null;
        long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt((int) PACE_MILLIS));
        try {
            while (!stopped) {
                pauseUntil(next);
                long due = next;
                next += TimeUnit.MILLISECONDS.toNanos(PACE_MILLIS);
                int what = random.nextInt(LOG_IN_EVERY);
                String kind =
                        what == 0 ? "log in" : what < 4 ? "stream" : what < 14 ? "post" : what < 30 ? "home" : "look";
                try {
                    if (kind.equals("stream")) {
                        close(stream);
                        stream = Wire.open(port, address);
                        answer(stream, kind, request("GET", "/api/v1/streaming/user", person, null), due);
                        continue;
                    }
                    wire = wire == null || wire.ended() ? Wire.open(port, address) : wire;
                    answer(wire, kind, ask(kind, person, client, random), due);
                } catch (IOException e) {
                    failed.merge(kind + ": " + e.getMessage(), 1, Integer::sum);
                    close(wire);
                    wire = null;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(wire);
            close(stream);
        }
    }

    private static byte[] ask(String kind, Town.Person person, String client, Random random) {
        return switch (kind) {
            case "log in" ->
                new RawRequest("POST", "/oauth/token")
                        .body(
                                "application/x-www-form-urlencoded",
                                client + "&grant_type=password&scope=read+write&username=" + person.name()
                                        + "&password=" + Town.PASSWORD.replace(' ', '+'))
                        .bytes();
            case "post" ->
                request("POST", "/api/v1/statuses", person, "status=ordinary+words+" + random.nextInt(1_000_000));
            case "home" -> request("GET", "/api/v1/timelines/home?limit=20", person, null);
            default -> request("GET", "/api/v1/notifications?limit=20", person, null);
        };
    }

    private static byte[] request(String method, String target, Town.Person person, String form) {
        RawRequest request = new RawRequest(method, target).token(person.token());
        return (form == null
                        ? request
                        : request.body("application/x-www-form-urlencoded", form.getBytes(StandardCharsets.UTF_8)))
                .bytes();
    }

    private void answer(Wire wire, String kind, byte[] request, long due) throws IOException {
        wire.forget();
        wire.send(request, Integer.MAX_VALUE, ANSWER_MILLIS);
        Wire.Reply reply = wire.reply(kind.equals("stream"), /* bodiless= */ false, ANSWER_MILLIS);
        if (stopped) {
            return;
        }
        took.computeIfAbsent(kind, fresh -> new ConcurrentLinkedQueue<>()).add(System.nanoTime() - due);
        if (reply.status() != 200) {
            throw new IOException(reply.status() == 0 ? "no answer" : "answer " + reply.status());
        }
    }

    private void pauseUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0 && !stopped) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static void close(Wire wire) {
        if (wire != null) {
            wire.close();
        }
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
