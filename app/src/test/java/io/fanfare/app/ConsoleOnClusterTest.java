package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The servers and the map of slots that the console shows of a cluster, before and after a failover. */
@Tag("programs")
@Timeout(240)
class ConsoleOnClusterTest {
    private static final String VIEWER = "a-viewer-of-this-test";
    private static final int SLOTS = 16_384;
    private static final Duration FAILOVER_MAX = Duration.ofSeconds(90);

    @TempDir
    Path dir;

    @Test
    void eachSlotIsShownWithItsMasterAndReplicasAlsoAfterAFailover() throws Exception {
        try (TestRedis redis = TestRedis.freshCluster(
                AppendSync.EVERYSEC, "cluster-node-timeout 2000", "cluster-replica-validity-factor 0")) {
            List<RedisProcess> masters = redis.servers();
            List<RedisProcess> replicas = new ArrayList<>();
            masters.forEach(master -> replicas.add(redis.replicaOf(master)));
            try (FanfareProcess up = FanfareProcess.up(
                    dir.resolve("data"),
                    "--set",
                    "redis.mode=cluster",
                    "--set",
                    "redis.url=" + redis.server().url().reveal(),
                    "--set",
                    "console.viewer-token=" + VIEWER)) {
                ConsoleBrowser viewer = ConsoleBrowser.loggedIn(up.runtime().managementUrl(), VIEWER);
                Map<String, Set<String>> pairs = new TreeMap<>();
                for (int i = 0; i < masters.size(); i++) {
                    pairs.put(address(masters.get(i)), Set.of(address(replicas.get(i))));
                }
                awaitMap(viewer, pairs);

                redis.failOver(masters.get(0), replicas.get(0));
                pairs.remove(address(masters.get(0)));
                pairs.put(address(replicas.get(0)), Set.of());
                awaitMap(viewer, pairs);
            }
        }
    }

    /** Waits until all slots, each once, belong to these masters with these replicas, and the masters are shown. */
    private static void awaitMap(ConsoleBrowser viewer, Map<String, Set<String>> replicasByMaster) {
        Awaitility.await().atMost(FAILOVER_MAX).untilAsserted(() -> {
            JsonObject shown = viewer.look("redis");
            Map<String, Set<String>> found = new TreeMap<>();
            Set<Long> slots = new HashSet<>();
            for (Object range : shown.getJsonArray("slots")) {
                JsonObject one = (JsonObject) range;
                for (long slot = one.getLong("first"); slot <= one.getLong("last"); slot++) {
                    assertThat(slots.add(slot)).as("slot %d once", slot).isTrue();
                }
                Set<String> replicas = new HashSet<>();
                one.getJsonArray("replicas").forEach(replica -> replicas.add((String) replica));
                found.put(one.getString("master"), replicas);
            }
            assertThat(slots).hasSize(SLOTS);
            assertThat(found).isEqualTo(replicasByMaster);
            assertThat(nodes(shown.getJsonArray("nodes"))).isEqualTo(replicasByMaster.keySet());
        });
    }

    /** The nodes that answer, each of them a master; the dead one may be shown with its error. */
    private static Set<String> nodes(JsonArray shown) {
        Set<String> nodes = new HashSet<>();
        for (Object node : shown) {
            JsonObject one = (JsonObject) node;
            if (!one.containsKey("error")) {
                assertThat(one.getString("role")).as(one.encode()).isEqualTo("master");
                nodes.add(one.getString("node"));
            }
        }
        return nodes;
    }

    private static String address(RedisProcess server) {
        return "127.0.0.1:" + URI.create(server.url().reveal()).getPort();
    }
}
