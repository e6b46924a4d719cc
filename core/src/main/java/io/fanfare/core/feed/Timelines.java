package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.ListRule;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads timelines: home (with rebuild, bounds and deepening, docs/feeds.md, sections 4 and 5), lists and profile. Each
 * page checks what it shows: the status lives, its author or one of its hashtags is followed, the viewer may see it and
 * has not blocked or muted its author.
 */
public class Timelines {
    private static final Logger LOG = LoggerFactory.getLogger(Timelines.class);

    /** How often a reading starts again because the home it found missing has been built by somebody else meanwhile. */
    private static final int STARTS_MAX = 8;

    /** More entries than any home holds. */
    private static final int WHOLE = Integer.MAX_VALUE;

    /** Sorted entries that tell a client that asks for what is newer that there is little or nothing. */
    private static final int FEW = 4;

    /** How many of the sorted entries of a home a page reads. */
    private enum Depth {
        /** {@link #FEW}. */
        POLL,
        /** Some more than the newest page shows. */
        TAIL,
        ALL
    }

    private final Redis redis;
    private final Homes homes;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final FolloweeCache authors;
    private final HomeWalks walks;
    private final PulledAuthors pulled;
    private final RandomGenerator random;
    private final Settings.Feeds settings;
    private final HomeMetrics metrics;

    public Timelines(
            Redis redis,
            Homes homes,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships,
            PulledAuthors pulled,
            RandomGenerator random,
            InstantSource clock,
            Settings.Feeds settings,
            HomeMetrics metrics) {
        this(
                redis,
                homes,
                statuses,
                viewerRelationships,
                new FolloweeCache(),
                new HomeWalks(clock),
                pulled,
                random,
                settings,
                metrics);
    }

    Timelines(
            Redis redis,
            Homes homes,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships,
            FolloweeCache authors,
            HomeWalks walks,
            PulledAuthors pulled,
            RandomGenerator random,
            Settings.Feeds settings,
            HomeMetrics metrics) {
        this.redis = redis;
        this.homes = homes;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.authors = authors;
        this.walks = walks;
        this.pulled = pulled;
        this.random = random;
        this.settings = settings;
        this.metrics = metrics;
    }

    /**
     * A page of what the reader and those the reader follows have posted, and of public posts with hashtags that the
     * reader follows. Works from the profiles when the home is away, and builds it on the way; when Redis takes no
     * writes, without storing it.
     */
    public Future<Page<Status>> home(long reader, PageRequest page) {
        return home(reader, page, moment());
    }

    /** The same of a reading that began at a moment: what was true at any instant since will do. */
    public Future<Page<Status>> home(long reader, PageRequest page, long since) {
        return home(reader, page, since, STARTS_MAX, depth(page));
    }

    private static Depth depth(PageRequest page) {
        if (!reachesTop(page)) {
            return Depth.ALL;
        }
        return page.floor() > 0 ? Depth.POLL : Depth.TAIL;
    }

    /** Now: when a reading begins that changes nothing but homes. To be called on the event loop of the link. */
    public long moment() {
        return redis.moment();
    }

    /** @param depth of the first reading; a page with a floor below it needs a deeper one */
    private Future<Page<Status>> home(long reader, PageRequest page, long since, int starts, Depth depth) {
        FolloweeCache.Known known = authors.of(reader);
        int wanted =
                switch (depth) {
                    case POLL -> FEW;
                    case TAIL -> entries(page, known);
                    case ALL -> WHOLE;
                };
        return pulled.ready()
                .compose(ready -> {
                    // Side by side: who is pulled is known already, only the news are not.
                    Future<Void> news = known == null ? Future.succeededFuture() : pulled.refresh(known.authors());
                    String version = known == null ? "" : known.version();
                    long above = depth == Depth.POLL && !pulled.mayHaveNews(page.floor()) ? page.floor() : 0;
                    Future<Reply> home = redis.send(homes.read(reader, wanted, version, pulled.any(), above));
                    return Future.join(news, home).map(both -> home.result());
                })
                .compose(reply -> {
                    Optional<Homes.NothingNew> nothing = Homes.NothingNew.of(reply);
                    if (nothing.isPresent()) {
                        return Future.succeededFuture(empty(reader, page, nothing.get()));
                    }
                    if (Homes.isOfOtherVersion(reply)) {
                        authors.remember(reader, known.outdated());
                        return home(reader, page, since, starts, depth);
                    }
                    Optional<HomeReading> reading = HomeReading.of(reader, known, wanted, reply);
                    return reading.isEmpty()
                            ? create(reader, page, since, starts)
                            : remember(reader, reading.get())
                                    .compose(news -> reading.get().reaches(page) || !isTooShort(page, depth)
                                            ? fromHome(reader, page, since, reading.get())
                                            : home(reader, page, since, starts, deeper(depth)));
                });
    }

    private Page<Status> empty(long reader, PageRequest page, Homes.NothingNew nothing) {
        upkeep(reader, nothing.secondsLeft(), nothing.unsorted());
        metrics.read(HomeMetrics.Source.HOME, Set.of());
        return new Page<>(List.of(), page.floor() + 1, 0);
    }

    /** Beside the answer. If it does not succeed, a later read tries again, and a home that is lost is rebuilt. */
    private void upkeep(long reader, long secondsLeft, int unsorted) {
        homes.renew(reader, secondsLeft)
                .compose(done -> homes.sort(reader, unsorted))
                .onFailure(cause -> LOG.debug("home not renewed cause={}", cause.toString()));
    }

    /** Whether a reading of this depth that does not reach down to the floor of the page is of no use for it. */
    private static boolean isTooShort(PageRequest page, Depth depth) {
        return depth == Depth.POLL || page.minId() > 0;
    }

    private static Depth deeper(Depth depth) {
        return depth == Depth.POLL ? Depth.TAIL : Depth.ALL;
    }

    /** Caches newly read followees, then refreshes the pulled authors among them. */
    private Future<Void> remember(long reader, HomeReading reading) {
        if (!reading.changed()) {
            return Future.succeededFuture();
        }
        authors.remember(reader, reading.known());
        return pulled.refresh(reading.known().authors());
    }

    /**
     * How many of a home's sorted entries a page is likely to need: some more than it shows, since some are not shown,
     * and since those below tell which reposts are.
     */
    private int entries(PageRequest page, FolloweeCache.Known known) {
        return page.limit() + page.limit() / 2 + 1 + foldedAhead(known);
    }

    /** How many statuses a page probably needs below those that it shows. */
    private int foldedAhead(FolloweeCache.Known known) {
        return known != null && known.reposts() ? foldWindow() : 0;
    }

    /** How many statuses of a home tell whether the repost above them is shown. */
    protected int foldWindow() {
        return Post.REPOST_FOLD_WINDOW;
    }

    private static boolean isNewest(PageRequest page) {
        return page.minId() == 0 && reachesTop(page);
    }

    private static boolean reachesTop(PageRequest page) {
        return page.maxId() >= Id.MAX;
    }

    private Future<Page<Status>> fromHome(long reader, PageRequest page, long since, HomeReading reading) {
        if (hidesPartOf(page, reading)) {
            metrics.foundShort();
            if (reading.entries().ids().size() < rebuiltMin(reading.homePolicy().authors())) {
                return isAboveBorders(reading)
                        .compose(above -> above
                                ? recreate(reader, page, since, reading)
                                : fromComplete(reader, page, since, reading));
            }
        }
        return fromComplete(reader, page, since, reading);
    }

    /** Whether Redis has more than the home: a rebuild reaches down to the highest border of the authors at most. */
    private Future<Boolean> isAboveBorders(HomeReading reading) {
        return statuses.archived().borders(reading.homePolicy().authors()).map(borders -> borders.stream()
                .noneMatch(border -> border >= reading.entries().bound()));
    }

    /** Whether the floor of a home hides statuses that the newest page shows, or needs to know of. */
    private boolean hidesPartOf(PageRequest page, HomeReading reading) {
        IdRange entries = reading.entries();
        return isNewest(page)
                && reading.whole()
                && entries.bound() > page.floor()
                && entries.ids().size() <= page.limit() + foldedAhead(reading.known());
    }

    /**
     * Rebuilds a home that holds less than a rebuild leaves in it: so one rebuild is enough, whatever the sources hold.
     * When the home is another by now, or Redis takes no writes, what has been read of it will do.
     */
    private Future<Page<Status>> recreate(long reader, PageRequest page, long since, HomeReading reading) {
        return homes.recreate(reader, token(), reading.entries().bound(), pulled.any())
                .recover(cause ->
                        refusesWrites(cause) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(cause))
                .compose(joined -> {
                    if (joined.isEmpty()) {
                        return fromComplete(reader, page, since, reading);
                    }
                    metrics.rebuiltShort();
                    return rebuild(reader, page, since, joined);
                });
    }

    private Future<Page<Status>> fromComplete(long reader, PageRequest page, long since, HomeReading reading) {
        upkeep(reader, reading.secondsLeft(), reading.unsorted());
        HomePolicy homePolicy = reading.homePolicy();
        TimelineFilter filter = foldingFilter(homePolicy).since(since);
        List<Long> news = newsOf(reader, homePolicy.authors(), reading.pulled(), page);
        if (page.minId() > 0) {
            PageUp up = PageUp.fromHome(
                    redis,
                    filter,
                    page,
                    homePolicy.authors(),
                    reading.entries(),
                    news,
                    reading.pulled(),
                    homePolicy.tagTimelines());
            return up.above(() -> statusesBelow(reader, page, reading, filter))
                    .run()
                    .onSuccess(read -> metrics.read(HomeMetrics.Source.HOME, up.deeper()));
        }
        return pull(news, reading.pulled(), page).compose(pull -> {
            keep(reader, page, reading, pull);
            PageDown down = down(filter, page, reading, pull)
                    .above(() -> statusesBelow(reader, page, reading, filter))
                    .expectingReposts(reading.known().reposts());
            return down.run().onSuccess(read -> {
                metrics.read(HomeMetrics.Source.HOME, down.deeper());
                if (isNewest(page) && page.floor() == 0) {
                    authors.noteReposts(reader, down.hasReposts());
                }
            });
        });
    }

    private PageDown down(TimelineFilter filter, PageRequest page, HomeReading reading, Pull pull) {
        HomePolicy homePolicy = reading.homePolicy();
        PageDown down = reading.whole()
                ? PageDown.fromHome(redis, filter, page, homePolicy, reading.entries(), pull)
                : PageDown.fromTail(redis, filter, page, homePolicy, reading.entries(), pull);
        return down.and(homePolicy.tagTimelines())
                .walking(walks, reading.known().version());
    }

    /**
     * The next statuses of a home below a page, without leaving out reposts: they decide which reposts on the page are
     * shown.
     */
    private Future<List<Status>> statusesBelow(
            long reader, PageRequest page, HomeReading reading, TimelineFilter filter) {
        PageRequest below = pageBelow(page);
        List<Long> news = newsOf(reader, reading.homePolicy().authors(), reading.pulled(), below);
        return orNothingWithoutArchive(pull(news, reading.pulled(), below)
                .compose(pull -> down(filter.folding(0), below, reading, pull).run()));
    }

    private PageRequest pageBelow(PageRequest page) {
        return PageRequest.olderThan(page.floor() + 1, foldWindow());
    }

    /** Leaves out archived statuses while the archive is away: then a repost is shown that is otherwise not. */
    private static Future<List<Status>> orNothingWithoutArchive(Future<Page<Status>> reading) {
        return reading.map(Page::items)
                .recover(cause ->
                        cause == Archive.AWAY ? Future.succeededFuture(List.of()) : Future.failedFuture(cause));
    }

    /** The home's filter, as the reader wants it. */
    private TimelineFilter foldingFilter(HomePolicy homePolicy) {
        return homeFilter(homePolicy).folding(homePolicy.foldsReposts() ? foldWindow() : 0);
    }

    Future<Pull> pull(List<Long> authors, long from, PageRequest page) {
        return Pull.read(redis, statuses, authors, from, page);
    }

    /** The authors, of these, to pull; the reader's own posts are always in the home. */
    List<Long> newsOf(long reader, List<Long> followees, long held, PageRequest page) {
        List<Long> news = pulled.withNews(followees, Math.max(held, page.minId()));
        news.remove(reader);
        return news;
    }

    /**
     * Beside the answer: puts what has been pulled into the home once much of it is new there, or the home has never
     * held any, so that authors are asked only for what they have posted since. Not when nobody was pulled as far as
     * was known when the home was read: then its time is not known either.
     */
    private void keep(long reader, PageRequest page, HomeReading reading, Pull pull) {
        metrics.pulled(pull.authors().size());
        if (pull.authors().isEmpty() || reading.readAt() == 0 || !isNewest(page) || page.floor() > 0) {
            return;
        }
        Set<Long> held = Set.copyOf(reading.entries().ids());
        if (reading.pulled() > 0 && pull.countBeside(held) <= settings.homeSlack() / 5) {
            return;
        }
        List<Long> cut = pull.cut();
        Future<Pull> kept = cut.isEmpty() ? Future.succeededFuture(pull) : pull.deeper(redis, statuses, share(cut));
        kept.compose(all -> homes.pull(reader, reading.pulled(), reading.readAt(), IdRange.merged(all.ranges()), held))
                .onSuccess(done -> metrics.caughtUp())
                .onFailure(cause -> LOG.debug("home not caught up cause={}", cause.toString()));
    }

    /**
     * Starts a rebuild or joins the one under way. The list must exist before anything is read: a post that comes later
     * is then pushed onto it.
     */
    private Future<Page<Status>> create(long reader, PageRequest page, long since, int starts) {
        return homes.create(reader, token(), pulled.any())
                .compose(
                        joined -> joined.isEmpty() && starts > 1
                                ? home(reader, page, since, starts - 1, depth(page))
                                : rebuildAbsent(reader, page, since, joined),
                        cause -> refusesWrites(cause)
                                ? rebuildAbsent(reader, page, since, Optional.empty())
                                : Future.failedFuture(cause));
    }

    /** Unique mark of a rebuild. */
    private String token() {
        return Long.toHexString(random.nextLong());
    }

    private Future<Page<Status>> rebuildAbsent(long reader, PageRequest page, long since, Optional<String> token) {
        metrics.rebuiltAbsent();
        return rebuild(reader, page, since, token);
    }

    private static boolean refusesWrites(Throwable cause) {
        return cause instanceof RedisError error && error.refusesWrites();
    }

    /**
     * Follows are read after the list exists: a follow that comes later finds the home and backfills it. Without a
     * token nothing is stored.
     */
    private Future<Page<Status>> rebuild(long reader, PageRequest page, long since, Optional<String> token) {
        return BatchedPipeline.send(redis, HomePolicy.read(reader)).compose(replies -> {
            HomePolicy homePolicy = HomePolicy.of(reader, replies, viewerRelationships);
            return newest(homePolicy.authors())
                    .compose(read -> store(reader, token, IdRange.merged(read)).map(read))
                    .compose(read -> fromRebuild(page, since, homePolicy, read));
        });
    }

    /** The newest posts of each author, in the order of {@code authors}: together about a home full. */
    private Future<List<IdRange>> newest(List<Long> authors) {
        return new NewestPosts(redis, statuses, authors, settings.homeMax()).read();
    }

    private int share(List<Long> authors) {
        return Math.max(settings.outboxMax(), settings.homeMax() / authors.size());
    }

    /** A home with fewer ids is rebuilt; a rebuilt one holds as many at least, unless it holds all there are. */
    private int rebuiltMin(List<Long> authors) {
        return Math.min(share(authors), settings.homeMax());
    }

    private Future<Void> store(long reader, Optional<String> token, IdRange read) {
        if (token.isEmpty()) {
            return Future.succeededFuture();
        }
        return homes.merge(reader, token.get(), read)
                .recover(cause -> refusesWrites(cause) ? Future.succeededFuture() : Future.failedFuture(cause));
    }

    /** The answer comes from what was read, whatever has become of the home: it is never empty or late. */
    private Future<Page<Status>> fromRebuild(PageRequest page, long since, HomePolicy homePolicy, List<IdRange> read) {
        TimelineFilter filter = foldingFilter(homePolicy).since(since);
        List<Long> authors = homePolicy.authors();
        Supplier<Future<List<Status>>> below = () ->
                orNothingWithoutArchive(PageDown.fromProfiles(redis, filter.folding(0), pageBelow(page), authors, read)
                        .and(homePolicy.tagTimelines())
                        .run());
        if (page.minId() > 0) {
            PageUp up = PageUp.fromHome(
                    redis, filter, page, authors, IdRange.merged(read), List.of(), 0, homePolicy.tagTimelines());
            return up.above(below).run().onSuccess(done -> metrics.read(HomeMetrics.Source.REBUILT, up.deeper()));
        }
        PageDown down = PageDown.fromProfiles(redis, filter, page, authors, read)
                .and(homePolicy.tagTimelines())
                .above(below);
        return down.run().onSuccess(done -> metrics.read(HomeMetrics.Source.REBUILT, down.deeper()));
    }

    TimelineFilter homeFilter(HomePolicy homePolicy) {
        TimelineFilter.VisibilityCheck check = homePolicy.hidden().isPresent()
                ? candidates -> Future.succeededFuture(homePolicy::shows)
                : candidates -> viewerRelationships
                        .over(homePolicy.reader(), candidates)
                        .map(relationships -> status -> homePolicy.wants(status) && relationships.shows(status));
        return homePolicy.tags().isEmpty() && !homePolicy.foldsReposts()
                ? new TimelineFilter(statuses, check)
                : byActive(check, status -> mattersWhoIsActive(homePolicy, status));
    }

    /**
     * Leaves out the statuses of suspended accounts, which no answer shows. Were they counted as shown for a hashtag,
     * pages could be empty that lead on; were they as reposts, others would be left out for one that nobody sees.
     *
     * @param matters the statuses whose authors are looked up
     */
    private TimelineFilter byActive(TimelineFilter.VisibilityCheck check, Predicate<Status> matters) {
        return new TimelineFilter(
                statuses, candidates -> check.over(candidates).compose(shows -> byActive(candidates, shows, matters)));
    }

    private Future<Predicate<Status>> byActive(
            Collection<Status> candidates, Predicate<Status> shows, Predicate<Status> matters) {
        Set<Long> authors = new HashSet<>();
        for (Status status : candidates) {
            if (matters.test(status) && shows.test(status)) {
                authors.add(status.authorId());
            }
        }
        if (authors.isEmpty()) {
            return Future.succeededFuture(shows);
        }
        return Accounts.activeAmong(redis, authors)
                .map(active ->
                        status -> shows.test(status) && (!matters.test(status) || active.contains(status.authorId())));
    }

    private static boolean mattersWhoIsActive(HomePolicy homePolicy, Status status) {
        boolean isForItsTag = !homePolicy.tags().isEmpty() && !homePolicy.follows(status);
        return isForItsTag || (homePolicy.foldsReposts() && status.kind() == Post.Kind.REPOST);
    }

    /**
     * A page of what those have posted who are on a list of the reader, as the home would show it, without answers that
     * the list leaves out. It is put together from their profiles, so that it needs no copy of anything. Refuses
     * ({@code NOT_FOUND}) what is no list of the reader.
     *
     * @param since when the reading began: what was true at any instant since will do
     */
    public Future<Page<Status>> list(long reader, long list, PageRequest page, long since) {
        FolloweeCache.Known known = authors.of(reader);
        return redis.send(UserLists.read(reader, list, known == null ? "" : known.version()))
                .map(reply -> UserLists.Reading.of(list, reply))
                .compose(reading -> fromList(reader, page, since, reading, followees(reader, reading, known)));
    }

    private FolloweeSet followees(long reader, UserLists.Reading reading, FolloweeCache.Known known) {
        if (reading.followed() == null) {
            return known.authors();
        }
        FolloweeSet read = FolloweeSet.of(
                reader, reading.followed(), reading.withoutReposts(), reading.leftOut(), reading.languages());
        authors.remember(reader, FolloweeCache.Known.after(known, reading.version(), read));
        return read;
    }

    private Future<Page<Status>> fromList(
            long reader, PageRequest page, long since, UserLists.Reading reading, FolloweeSet followees) {
        ListRule rule = rule(reader, reading, followees);
        List<Long> authors = reading.accounts().stream().filter(rule::hasOn).toList();
        if (authors.isEmpty()) {
            return Future.succeededFuture(new Page<>(List.of(), 0, 0));
        }
        TimelineFilter filter =
                listFilter(reader, reading, rule).since(since).folding(reading.foldsReposts() ? foldWindow() : 0);
        Supplier<Future<List<Status>>> below = () -> orNothingWithoutArchive(
                listDown(filter.folding(0), pageBelow(page), authors).compose(PageDown::run));
        return page.minId() > 0
                ? PageUp.fromProfiles(redis, filter, page, authors).above(below).run()
                : listDown(filter, page, authors)
                        .compose(down -> down.above(below).run());
    }

    private Future<PageDown> listDown(TimelineFilter filter, PageRequest page, List<Long> authors) {
        return new NewestPosts(redis, statuses, authors, page.floor(), page.maxId(), page.limit() + 1)
                .read()
                .map(read -> PageDown.fromProfiles(redis, filter, page, authors, read));
    }

    private static ListRule rule(long reader, UserLists.Reading reading, FolloweeSet followees) {
        return new ListRule(
                reader,
                reading.list().replies(),
                Set.copyOf(reading.accounts())::contains,
                followees::include,
                account -> !followees.includeRepostsOf(account),
                followees::wants);
    }

    private TimelineFilter listFilter(long reader, UserLists.Reading reading, ListRule rule) {
        TimelineFilter.VisibilityCheck check = reading.hidden()
                .<TimelineFilter.VisibilityCheck>map(hidden -> candidates ->
                        Future.succeededFuture(status -> rule.shows(status) && HomePolicy.showsNoneOf(hidden, status)))
                .orElse(candidates -> viewerRelationships
                        .over(reader, candidates)
                        .map(relationships -> status -> rule.shows(status) && relationships.shows(status)));
        return reading.foldsReposts()
                ? byActive(check, status -> status.kind() == Post.Kind.REPOST)
                : new TimelineFilter(statuses, check);
    }

    /**
     * The author's statuses that the viewer may see, without reposts of those whom the viewer blocks or mutes;
     * {@code viewer} 0 = anonymous. Who is blocked by the author sees none; who blocks or mutes the author and looks
     * here all the same sees them. The author sees all that is counted.
     */
    public Future<Page<Status>> profile(long author, long viewer, PageRequest page) {
        return profile(author, viewer, page, status -> true);
    }

    /** The same of those that are wanted: pages are as full as they would be if there were no others. */
    public Future<Page<Status>> profile(long author, long viewer, PageRequest page, Predicate<Status> wanted) {
        return viewerRelationships
                .of(viewer, List.of(author))
                .compose(relationships -> relationships.isBlockedBy(author)
                        ? Future.succeededFuture(new Page<>(List.of(), 0, 0))
                        : profile(author, profileFilter(author, relationships, wanted), page));
    }

    /** The statuses of an author, of these, that are wanted and may be seen, in the same order. */
    public Future<List<Status>> profile(long author, long viewer, List<Long> ids, Predicate<Status> wanted) {
        return viewerRelationships
                .of(viewer, List.of(author))
                .compose(relationships -> relationships.isBlockedBy(author)
                        ? Future.succeededFuture(List.of())
                        : profileFilter(author, relationships, wanted).load(ids).map(TimelineFilter.Loaded::shown));
    }

    private TimelineFilter profileFilter(long author, ViewerRelationships relationships, Predicate<Status> wanted) {
        return new TimelineFilter(statuses, candidates -> {
            if (relationships.viewer() == author) {
                return Future.succeededFuture(wanted);
            }
            boolean own = Set.of(author).containsAll(ViewerRelationships.people(candidates));
            Future<ViewerRelationships> wide = own
                    ? Future.succeededFuture(relationships)
                    : viewerRelationships.over(relationships.viewer(), candidates);
            return wide.map(
                    seen -> status -> wanted.test(status) && seen.maySee(status) && showsOn(author, seen, status));
        });
    }

    private static boolean showsOn(long author, ViewerRelationships relationships, Status status) {
        Reference original = status.kind() == Post.Kind.REPOST ? status.post().original() : null;
        return original == null || original.accountId() == author || relationships.shows(original.accountId());
    }

    private Future<Page<Status>> profile(long author, TimelineFilter filter, PageRequest page) {
        List<Long> authors = List.of(author);
        return page.minId() > 0
                ? PageUp.fromProfiles(redis, filter, page, authors).run()
                : PageDown.fromProfiles(redis, filter, page, authors, List.of(new IdRange(List.of(), page.maxId() - 1)))
                        .run();
    }

    /**
     * Whether the viewer (0 = anonymous) may see a status, asked for by name: see {@link ViewerRelationships#maySee}.
     */
    public Future<Boolean> maySee(long viewer, Status status) {
        return viewerRelationships.over(viewer, List.of(status)).map(relationships -> relationships.maySee(status));
    }

    /** The metrics of homes. */
    HomeMetrics metrics() {
        return metrics;
    }
}
