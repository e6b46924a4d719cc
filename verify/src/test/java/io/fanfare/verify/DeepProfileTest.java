package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.fanfare.verify.testing.ArchiveFixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The whole profile of an author, of whose posts a fifth stays in Redis, walked backwards page by page. During every
 * page the author posts and deletes, readers like, which thaws archived posts, and take back, and a worker freezes them
 * again and moves more.
 *
 * <p>{@code -Dfanfare.tests.posts=5000} is the long form.
 */
@ParameterizedClass
@KindsOfRedis
class DeepProfileTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int POSTS = Integer.getInteger("fanfare.tests.posts", 1500);
    private static final int KEPT = POSTS / 5;
    private static final int PER_PAGE = 40;

    @Parameter
    TestRedis.Kind kind;

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final Random random = new Random(SEED);
    private Archive archive;
    private ArchiveFixture a;
    private long author;
    private long fan;

    /** The living statuses of the author, without those that were deleted before the page that is read now. */
    private final List<Long> living = new ArrayList<>();

    private final Set<Long> deletedSince = new HashSet<>();
    private final Set<Long> liked = new HashSet<>();

    @BeforeEach
    void open() {
        archive = JdbcArchive.of(
                vertx,
                SettingsLoader.defaultsWith("archive.timeout=60s")
                        .archive()
                        .at(new Secret("jdbc:sqlite:" + folder.resolve("archive.db"))),
                new SimpleMeterRegistry());
        a = new ArchiveFixture(kind.redis(), archive, "archive.profile-max=" + KEPT);
        long[] users = a.f.users(2);
        author = users[0];
        fan = users[1];
    }

    @AfterEach
    void close() {
        a.close();
        TestRedis.await(archive.close());
        TestRedis.await(vertx.close());
    }

    @Test
    void aWalkShowsEachPostOnceAcrossTheBorderWhateverHappensMeanwhile() {
        for (int post = 0; post < POSTS; post++) {
            living.add(a.post(author));
        }
        a.archive(author);
        assertThat(a.profile(author)).hasSize(KEPT);
        List<Long> atStart = List.copyOf(living);

        List<Long> walk = new ArrayList<>();
        Set<Long> deleted = new HashSet<>();
        PageRequest next = PageRequest.newest(PER_PAGE);
        while (next != null) {
            PageRequest request = next;
            Page<Status> page = a.f.get(() -> whileActing(request));
            List<Long> shown = StoreFixture.ids(page);
            assertThat(shown).as("deleted before, seed %d", SEED).noneMatch(deleted::contains);
            walk.addAll(shown);
            deleted.addAll(deletedSince);
            deletedSince.clear();
            next = page.next() == 0 ? null : PageRequest.olderThan(page.next(), PER_PAGE);
        }

        assertThat(walk).as("seed %d", SEED).doesNotHaveDuplicates().isSortedAccordingTo((x, y) -> Long.compare(y, x));
        List<Long> mustBeShown =
                atStart.stream().filter(id -> !deleted.contains(id)).toList();
        assertThat(walk).as("seed %d", SEED).containsAll(mustBeShown);
        assertThat(deleted).hasSizeGreaterThan(POSTS / 50);

        a.archive(author);
        assertThat(a.walk(author, PER_PAGE)).as("seed %d", SEED).containsExactlyInAnyOrderElementsOf(living);
        assertThat(likes()).as("seed %d", SEED).isEqualTo(liked);
        assertThat(a.differences()).as("seed %d", SEED).isEmpty();
    }

    /** A page, and what happens at the same time. */
    private Future<Page<Status>> whileActing(PageRequest request) {
        Future<Page<Status>> page = a.timelines.profile(author, 0, request);
        List<Future<?>> all = new ArrayList<>(List.of(page));
        Set<Long> taken = new HashSet<>();
        for (int act = 0; act < 4; act++) {
            long id = living.get(random.nextInt(living.size()));
            if (act == 0) {
                all.add(a.statuses
                        .post(Post.of(author, "meanwhile"), null)
                        .onSuccess(posted -> living.add(posted.status().id())));
            } else if (taken.add(id)) {
                all.add(act == 1 ? delete(id) : likeOrTakeBack(id));
            }
        }
        if (random.nextInt(3) == 0) {
            all.add(a.pass.run(Id.shard(author)));
        }
        return Future.join(all).map(done -> page.result());
    }

    private Future<?> delete(long id) {
        living.remove(id);
        liked.remove(id);
        deletedSince.add(id);
        return a.statuses.delete(author, id);
    }

    private Future<?> likeOrTakeBack(long id) {
        if (liked.remove(id)) {
            return a.favourites.unlike(fan, id);
        }
        liked.add(id);
        return a.favourites.like(fan, new Reference(id, author));
    }

    private Set<Long> likes() {
        Map<Long, Status> found = new HashMap<>();
        for (int from = 0; from < living.size(); from += 500) {
            List<Long> part = living.subList(from, Math.min(living.size(), from + 500));
            found.putAll(a.f.get(() -> a.statuses.load(part)));
        }
        Set<Long> likes = new HashSet<>();
        found.values().stream()
                .filter(status -> status.counters().likes() == 1)
                .forEach(status -> likes.add(status.id()));
        return likes;
    }
}
