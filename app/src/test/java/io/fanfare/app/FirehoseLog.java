package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The posts and the gaps that {@code fanfare listen} has printed of the firehose. */
final class FirehoseLog implements AutoCloseable {
    /** The longest distance between the id of a post and its place in the log, beside a gap: a failover and a retry. */
    private static final long ASIDE_MILLIS = 15_000;

    private final FanfareProcess listen;

    /** Ids of posts. */
    private final Set<String> came = new HashSet<>();

    /** The moments between which something is missing, each with a margin: Unix time in ms. */
    private final List<long[]> gaps = new ArrayList<>();

    private FirehoseLog(FanfareProcess listen) {
        this.listen = listen;
    }

    /** Begins to listen; returns when the stream runs. */
    static FirehoseLog begin(Path dir, String url, Client client) {
        FanfareProcess listen = FanfareProcess.ofClient(
                dir, "listen", "--json", "--url=" + url, "--token=" + client.token(), "firehose");
        awaitUntil("the first event", () -> {
            try {
                String unused = client.post(url, "is anybody there");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return listen.output().contains("is anybody there");
        });
        return new FirehoseLog(listen);
    }

    /** Fails unless each of these posts has come, or lies where a gap was told. */
    void assertThatNothingIsMissingSilently(Set<String> posts) {
        String newest =
                posts.stream().max(Comparator.comparing(Long::parseLong)).orElseThrow();
        awaitUntil("the newest post " + newest, () -> {
            read();
            return came.contains(newest) || !listen.isAlive();
        });
        assertThat(listen.isAlive()).as("listen goes on").isTrue();
        List<String> missing =
                posts.stream().filter(post -> !came.contains(post)).toList();
        System.out.printf(
                "stream: %d posts came, %d gaps told, %d posts are there and did not come%n",
                came.size(), gaps.size(), missing.size());
        assertThat(missing).allSatisfy(post -> assertThat(gaps)
                .as("gaps about %d", time(post))
                .anyMatch(gap -> gap[0] <= time(post) && time(post) <= gap[1]));
    }

    private void read() {
        came.clear();
        gaps.clear();
        long[] last = {0};
        listen.eachLine(line -> {
            if (line.startsWith("{\"event\":\"status\"") && line.endsWith("}}")) {
                String id = new JsonObject(line).getJsonObject("data").getString("id");
                came.add(id);
                last[0] = time(id);
                gaps.stream().filter(gap -> gap[1] == Long.MAX_VALUE).forEach(gap -> gap[1] = last[0] + ASIDE_MILLIS);
            } else if (line.contains("gap: ")) {
                gaps.add(new long[] {last[0] - ASIDE_MILLIS, Long.MAX_VALUE});
            }
        });
    }

    private static long time(String id) {
        return Id.epochMillis(Long.parseLong(id));
    }

    @Override
    public void close() {
        listen.close();
    }
}
