package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads timelines: home (with rebuild, bounds and deepening, feeds.md sections 4 and 6) and profile. What a page shows is filtered by the truth: the status lives, its author is
 * followed, the viewer may see it.
 */
public class Timelines {
    private static final Logger LOG = LoggerFactory.getLogger(Timelines.class);

    /** How often a reading starts again because the home it found missing has been built by somebody else meanwhile. */
    private static final int STARTS_MAX = 8;

    private final Redis redis;
    private final Homes homes;
    private final Statuses statuses;
    private final Graph graph;
    private final RandomGenerator random;
    private final Settings.Feeds settings;
    private long rebuilds;

    public Timelines(
            Redis redis, Homes homes, Statuses statuses, Graph graph, RandomGenerator random, Settings.Feeds settings) {
        this.redis = redis;
        this.homes = homes;
        this.statuses = statuses;
        this.graph = graph;
        this.random = random;
        this.settings = settings;
    }

    /**
     * A page of what the reader and those the reader follows have posted. Works from the profiles when the home is away, and builds it on the way; when Redis takes no writes, without
     * storing it.
     */
    public Future<Page<Status>> home(long reader, PageRequest page) {
        return home(reader, page, STARTS_MAX);
    }

    private Future<Page<Status>> home(long reader, PageRequest page, int starts) {
        // Pure push: no author is pulled. The dial's place is here: P, the pulled authors among those followed, is
        // taken from the state cache before the home is read, and each
        // outbox in P joins the home as a source of the scan.
        List<Command> commands = List.of(Homes.read(reader), Graph.followees(reader), Homes.timeToLive(reader));
        return Chunks.send(redis, commands).compose(replies -> {
            Optional<Stretch> home = Homes.complete(replies.get(0));
            if (home.isEmpty()) {
                return create(reader, page, starts);
            }
            // Beside the answer: when it does not succeed, a later read tries again, and a home that is lost is
            // rebuilt.
            homes.renew(reader, replies.get(2).asLong())
                    .onFailure(cause -> LOG.debug("home not renewed cause={}", cause.toString()));
            return fromHome(page, authors(reader, Statuses.longs(replies.get(1))), home.get());
        });
    }

    private Future<Page<Status>> fromHome(PageRequest page, List<Long> authors, Stretch home) {
        Filter filter = byAuthor(authors);
        return page.minId() > 0
                ? Ascent.fromHome(redis, filter, page, authors, home).run()
                : Descent.fromHome(redis, filter, page, authors, home).run();
    }

    /** Starts a rebuild or joins the one under way. The list must exist before anything is read: a post that comes later is then pushed onto it. */
    private Future<Page<Status>> create(long reader, PageRequest page, int starts) {
        String token = Long.toHexString(random.nextLong());
        return homes.create(reader, token)
                .compose(
                        joined -> joined.isEmpty() && starts > 1
                                ? home(reader, page, starts - 1)
                                : rebuild(reader, page, joined),
                        cause -> refusesWrites(cause)
                                ? rebuild(reader, page, Optional.empty())
                                : Future.failedFuture(cause));
    }

    private static boolean refusesWrites(Throwable cause) {
        return cause instanceof RedisError error && error.refusesWrites();
    }

    /** Follows are read after the list exists: a follow that comes later finds the home and backfills it. Without a token nothing is stored. */
    private Future<Page<Status>> rebuild(long reader, PageRequest page, Optional<String> token) {
        rebuilds++;
        return graph.followingOf(reader).compose(following -> {
            List<Long> authors = authors(reader, following);
            return newest(authors)
                    .compose(read -> store(reader, token, Stretch.merged(read)).map(read))
                    .compose(read -> fromRebuild(page, authors, read));
        });
    }

    /** The newest posts of each author, in the order of {@code authors}: together about a home full, and of nobody less than an outbox holds. */
    private Future<List<Stretch>> newest(List<Long> authors) {
        int share = Math.max(settings.outboxMax(), settings.homeMax() / authors.size());
        List<Command> commands = new ArrayList<>(authors.size());
        for (long author : authors) {
            commands.add(Statuses.older(author, Id.MAX, share));
        }
        return Chunks.send(redis, commands).map(replies -> stretches(replies, share));
    }

    private static List<Stretch> stretches(List<Reply> replies, int limit) {
        List<Stretch> stretches = new ArrayList<>(replies.size());
        for (Reply reply : replies) {
            stretches.add(Statuses.older(reply, limit));
        }
        return stretches;
    }

    private Future<Void> store(long reader, Optional<String> token, Stretch read) {
        if (token.isEmpty()) {
            return Future.succeededFuture();
        }
        return homes.merge(reader, token.get(), read)
                .recover(cause -> refusesWrites(cause) ? Future.succeededFuture() : Future.failedFuture(cause));
    }

    /** The answer comes from what was read, whatever has become of the home: it is never empty or late. */
    private Future<Page<Status>> fromRebuild(PageRequest page, List<Long> authors, List<Stretch> read) {
        Filter filter = byAuthor(authors);
        return page.minId() > 0
                ? Ascent.fromHome(redis, filter, page, authors, Stretch.merged(read))
                        .run()
                : Descent.fromProfiles(redis, filter, page, authors, read).run();
    }

    /** Whose posts a home shows: those of everybody followed, and one's own. */
    private static List<Long> authors(long reader, List<Long> following) {
        List<Long> authors = new ArrayList<>(following);
        authors.add(reader);
        return authors;
    }

    /** Followers may see everything, so that the author is followed is all there is to ask. */
    Filter byAuthor(List<Long> authors) {
        Set<Long> wanted = new HashSet<>(authors);
        return new Filter(statuses, status -> wanted.contains(status.authorId()));
    }

    /** The author's statuses that the viewer may see; {@code viewer} 0 = anonymous. */
    public Future<Page<Status>> profile(long author, long viewer, PageRequest page) {
        return seesPrivate(viewer, author)
                .map(sees -> new Filter(statuses, status -> sees || status.visibility() != Visibility.PRIVATE))
                .compose(filter -> profile(author, filter, page));
    }

    private Future<Page<Status>> profile(long author, Filter filter, PageRequest page) {
        List<Long> authors = List.of(author);
        return page.minId() > 0
                ? Ascent.fromProfiles(redis, filter, page, authors).run()
                : Descent.fromProfiles(redis, filter, page, authors, List.of(new Stretch(List.of(), page.maxId() - 1)))
                        .run();
    }

    /** Whether the viewer (0 = anonymous) may see a status. */
    public Future<Boolean> maySee(long viewer, Status status) {
        return status.visibility() == Visibility.PRIVATE
                ? seesPrivate(viewer, status.authorId())
                : Future.succeededFuture(true);
    }

    private Future<Boolean> seesPrivate(long viewer, long author) {
        if (viewer == 0 || viewer == author) {
            return Future.succeededFuture(viewer == author);
        }
        return graph.follows(viewer, author);
    }

    /** How many homes this process has rebuilt since it started; a replay shows that it is 0. */
    public long rebuilds() {
        return rebuilds;
    }
}
