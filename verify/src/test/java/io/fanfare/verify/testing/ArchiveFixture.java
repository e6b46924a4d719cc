package io.fanfare.verify.testing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.favourite.Favourites;
import io.fanfare.core.feed.HomeMetrics;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.PulledAuthors;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.Difference;
import io.fanfare.verify.Verifier.Scope;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Stores with an archive: four statuses of an author stay in Redis, archived ones thaw for no time, unless further
 * settings say otherwise.
 */
public final class ArchiveFixture implements AutoCloseable {
    public final StoreFixture f;
    public final Settings settings;
    public final Archive archive;
    public final Statuses statuses;
    public final Timelines timelines;
    public final Favourites favourites;
    public final ArchivePass pass;
    public final MeterRegistry metrics = new SimpleMeterRegistry();

    /** Among how many statuses of a home a repost of the same is looked for. */
    public int foldWindow = 40;

    public ArchiveFixture(TestRedis redis, Archive archive, String... more) {
        this.f = StoreFixture.on(redis);
        this.archive = archive;
        String[] ours = {"archive.profile-max=4", "archive.thaw-for=0ms", "queue.depth-max=1000000"};
        this.settings = StoreFixture.settings(
                Stream.concat(Stream.of(ours), Stream.of(more)).toArray(String[]::new));
        this.statuses = statuses(f.link);
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(f.link, InstantSource.system());
        this.timelines =
                new Timelines(
                        f.link,
                        new Homes(f.link, settings.feeds()),
                        statuses,
                        viewerRelationships,
                        new PulledAuthors(f.link, new Shards(settings.redis().shards()), System::nanoTime),
                        new Random(1),
                        InstantSource.offset(InstantSource.system(), Homes.CLOCKS_APART),
                        settings.feeds(),
                        new HomeMetrics(metrics)) {
                    @Override
                    protected int foldWindow() {
                        return foldWindow;
                    }
                };
        this.favourites = favourites(f.link);
        this.pass = new ArchivePass(f.link, settings, archive);
    }

    public Statuses statuses(Redis redis) {
        return new Statuses(redis, settings, RenderCache.none(), archive);
    }

    public Favourites favourites(Redis redis) {
        Statuses own = statuses(redis);
        return new Favourites(
                redis,
                settings,
                own,
                new ViewerRelationshipsReader(redis, InstantSource.system()),
                new SubjectEdges(redis, settings, own.archived()),
                (account, notification) -> Future.succeededFuture());
    }

    @CanIgnoreReturnValue
    public long post(long author) {
        return f.get(() -> statuses.post(Post.of(author, "hello"), null))
                .status()
                .id();
    }

    @CanIgnoreReturnValue
    public boolean delete(long author, long id) {
        return f.get(() -> statuses.delete(author, id)).isPresent();
    }

    public void like(long account, long author, long status) {
        f.get(() -> favourites.like(account, new Reference(status, author)));
    }

    /** Passes until there is nothing to do at once. */
    public void archive(long author) {
        while (f.get(() -> pass.run(Id.shard(author)))) {
            // Goes on.
        }
    }

    public List<Long> walk(long author, int limit) {
        return walk(page -> timelines.profile(author, 0, page), limit);
    }

    public List<Long> walkHome(long reader, int limit) {
        return walk(page -> timelines.home(reader, page), limit);
    }

    /** The source of one page. */
    public interface Pages {
        Future<Page<Status>> page(PageRequest request);
    }

    private List<Long> walk(Pages pages, int limit) {
        List<Long> walk = new ArrayList<>();
        PageRequest next = PageRequest.newest(limit);
        while (true) {
            PageRequest request = next;
            Page<Status> page = f.get(() -> pages.page(request));
            walk.addAll(StoreFixture.ids(page));
            if (page.next() == 0) {
                return walk;
            }
            next = PageRequest.olderThan(page.next(), limit);
        }
    }

    /** The profile from below, page by page upward; newest first as {@link #walk}. */
    public List<Long> walkUp(long author, int limit) {
        List<Long> walk = new ArrayList<>();
        long above = 1;
        while (true) {
            PageRequest request = new PageRequest(Id.MAX, 0, above, limit);
            Page<Status> page = f.get(() -> timelines.profile(author, 0, request));
            if (page.items().isEmpty()) {
                return walk;
            }
            walk.addAll(0, StoreFixture.ids(page));
            above = page.prev();
        }
    }

    public List<String> profile(long author) {
        return f.members(Keys.profile(author));
    }

    /** The faults found in Redis, or between Redis and the archive. */
    public List<String> differences() {
        return f.get(() -> Verification.of(f.link, settings, archive, Scope.ALL, false)).left().stream()
                .map(Difference::detail)
                .toList();
    }

    @Override
    public void close() {
        f.close();
    }
}
