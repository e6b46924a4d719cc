package io.fanfare.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Post;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.feed.SwitchedArchive;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Searches of statuses that have left Redis. */
@ParameterizedClass
@KindsOfRedis
class ArchivedSearchTest {
    @Parameter
    TestRedis.Kind kind;

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private SwitchedArchive archive;
    private StoreFixture f;

    @BeforeEach
    void open() {
        Settings.Archive settings =
                SettingsLoader.defaultsWith("archive.timeout=60s").archive();
        Secret url = new Secret("jdbc:sqlite:" + folder.resolve("archive.db"));
        archive = new SwitchedArchive(JdbcArchive.of(vertx, settings.at(url), new SimpleMeterRegistry()));
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
        TestRedis.await(archive.close());
        TestRedis.await(vertx.close());
    }

    @Test
    void aRebuiltSearchIndexFindsArchivedStatuses() {
        Settings settings = StoreFixture.settings(
                "archive.profile-max=4",
                "archive.thaw-for=0ms",
                "queue.depth-max=1000000",
                "search.directory=" + folder.resolve("search"),
                "search.poll=20ms");
        Statuses statuses = new Statuses(f.link, settings, RenderCache.none(), archive);
        long author = f.users(1)[0];
        List<Long> posts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            posts.add(
                    0,
                    f.get(() -> statuses.post(Post.of(author, "hello"), null))
                            .status()
                            .id());
        }
        ArchivePass pass = new ArchivePass(f.link, settings, archive);
        while (f.get(() -> pass.run(Id.shard(author)))) {
            // Goes on.
        }
        assertThat(f.get(() -> statuses.delete(author, posts.get(7)))).isPresent();
        SearchIndex index = SearchIndex.of(vertx, settings.search(), metrics);
        SearchFeed feed = new SearchFeed(
                index,
                settings.with(TestSettings.redis(f.redis.options())),
                archive,
                metrics,
                new SecureRandom(),
                Clock.systemUTC(),
                DiskReserve.none());
        archive.isAway = true;
        String deployed = TestRedis.await(vertx.deployVerticle(feed));
        TestRedis.awaitUntil(
                "it is said that searches find only a part",
                () -> gauge("fanfare.search.building") == 1 && gauge("fanfare.search.lag") > 0.1);
        archive.isAway = false;
        SearchIndex.Request request =
                new SearchIndex.Request(SearchQuery.parse("hello"), author, Map.of(), 0, 0, Id.MAX);
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                        TestRedis.await(index.search(request, 20)))
                .isEqualTo(posts.subList(0, 7)));
        TestRedis.awaitUntil("it is whole", () -> gauge("fanfare.search.building") == 0);
        assertThat(gauge("fanfare.search.oldest")).isEqualTo(Id.epochMillis(posts.get(6)) / 1000.0);
        assertThat(metrics.get("fanfare.search.pruned").counter().count()).isZero();
        TestRedis.await(vertx.undeploy(deployed));
    }

    private double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}
