package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One page, scanned from its cursor downward (docs/feeds.md, section 4). Every source holds all ids above its bound;
 * the scan shows only ids above the highest bound, then replaces the sources that set it by the next deeper ones: tail
 * of the home -> whole home -> profiles -> archive; what was pulled beside a home -> more of that profile; the timeline
 * of a followed hashtag -> more of that. Ids that are scanned but not shown (deleted, no longer followed) make no page
 * short.
 *
 * <p>Each turn is one round trip, which either loads some candidates or deepens the sources. One use per instance; one
 * event loop.
 */
final class PageDown {
    /**
     * Most turns of one page; a page that needs more is handed out short, with the cursor to go on from. A few thousand
     * leftovers are as many as one request should be kept waiting for, and nobody reads on long after it has timed out.
     */
    private static final int TURNS_MAX = 16;

    /**
     * The same of a page that has nothing to show yet, some ten thousand candidates: clients fail at an empty page that
     * leads on, or take it for the end.
     */
    private static final int EMPTY_TURNS_MAX = 48;

    /** Ids read from profiles for one page after which it goes no deeper, but is handed out short. */
    static final int READ_MAX = 20_000;

    /**
     * Least candidates loaded in a turn, times the number of the turn: a home full of leftovers does not cost a turn
     * for each.
     */
    private static final int LOAD_MIN = 20;

    /** Above this many authors, the page reads only a few ids of each to see what stands below a repost. */
    private static final int FEW_AUTHORS = 50;

    /** Most ids read from one profile in a turn. */
    private static final int STRETCH_MAX = 500;

    private final Redis redis;
    private final TimelineFilter filter;
    private final PageRequest page;
    private final long reader;
    private final Collection<Long> authors;
    private final List<Source> sources;

    private final RepostFold fold;
    private final Set<HomeMetrics.Source> deeper = EnumSet.noneOf(HomeMetrics.Source.class);
    private final Promise<Page<Status>> answer = Promise.promise();
    private List<Long> candidates;
    private long bound;
    private long cursor;
    private int turns;
    private int read;

    private boolean expectsReposts;
    private HomeWalks walks;
    private String version;
    /** Below this id the sources know what they have read since the walk began; 0 = it has not. */
    private long walkedFrom;

    private Supplier<Future<List<Status>>> below = () -> Future.succeededFuture(List.of());

    /** The kinds of sources of ids. */
    enum Kind {
        /** The newest entries of the reader's home. */
        TAIL,
        /** All entries of the reader's home. */
        HOME,
        PROFILE,
        /** The timeline of a hashtag. */
        TAG,
        /** Statuses that have left profiles, of all authors in one query. */
        ARCHIVE
    }

    /**
     * One thing to read ids from.
     *
     * @param authors of the profile or the archived statuses; none = the home or a list
     * @param list key of the timeline of a hashtag; null = it is none
     * @param limit how many ids the next reading asks for
     * @param ended whether the profile holds nothing below: what follows is in the archive
     */
    record Source(Kind kind, List<Long> authors, String list, IdRange range, int limit, boolean ended) {
        static Source home(Kind kind, IdRange range) {
            return new Source(kind, List.of(), null, range, 0, false);
        }

        static Source profile(long author, IdRange range, int limit) {
            return profile(author, range, limit, false);
        }

        static Source profile(long author, IdRange range, int limit, boolean ended) {
            return new Source(Kind.PROFILE, List.of(author), null, range, limit, ended);
        }

        static Source tag(String list, IdRange range, int limit) {
            return new Source(Kind.TAG, List.of(), list, range, limit, false);
        }

        /** A profile of which so many ids are read next, if it would have been fewer; anything else as it is. */
        Source deepEnoughFor(int needed) {
            return kind == Kind.PROFILE && limit < needed
                    ? new Source(kind, authors, list, range, needed, ended)
                    : this;
        }

        long author() {
            return authors.get(0);
        }

        private Source below(long id) {
            return new Source(kind, authors, list, range.below(id), limit, ended);
        }
    }

    private PageDown(
            Redis redis,
            TimelineFilter filter,
            PageRequest page,
            long reader,
            Collection<Long> authors,
            List<Source> sources) {
        this.reader = reader;
        this.redis = redis;
        this.filter = filter;
        this.page = page;
        this.authors = authors;
        this.sources = sources;
        this.cursor = page.maxId();
        this.fold = new RepostFold(filter.foldWindow(), page.floor());
    }

    /** From a complete home, and what was pulled beside it. */
    static PageDown fromHome(
            Redis redis, TimelineFilter filter, PageRequest page, HomePolicy homePolicy, IdRange home, Pull pull) {
        return from(redis, filter, page, homePolicy, Source.home(Kind.HOME, home), pull);
    }

    /** From the newest entries of a complete home, and what was pulled beside them. */
    static PageDown fromTail(
            Redis redis, TimelineFilter filter, PageRequest page, HomePolicy homePolicy, IdRange tail, Pull pull) {
        return from(redis, filter, page, homePolicy, Source.home(Kind.TAIL, tail), pull);
    }

    private static PageDown from(
            Redis redis, TimelineFilter filter, PageRequest page, HomePolicy homePolicy, Source home, Pull pull) {
        List<Source> sources = new ArrayList<>(List.of(home));
        for (int i = 0; i < pull.authors().size(); i++) {
            long author = pull.authors().get(i);
            sources.add(Source.profile(author, pull.ranges().get(i), next(pull.limit())));
        }
        PageDown down = new PageDown(
                redis, filter, page, homePolicy.reader(), homePolicy.authors().inHome(), sources);
        if (!pull.authors().isEmpty()) {
            down.deeper.add(HomeMetrics.Source.PULLED);
        }
        return down;
    }

    /** From a list that has no deeper sources. */
    static PageDown fromList(Redis redis, TimelineFilter filter, PageRequest page, IdRange list) {
        List<Source> sources = new ArrayList<>(List.of(Source.home(Kind.HOME, list)));
        return new PageDown(redis, filter, page, 0, List.of(), sources);
    }

    /**
     * From stretches of the authors' profiles that have been read already; {@code stretches} are in the order of
     * {@code authors}.
     */
    static PageDown fromProfiles(
            Redis redis, TimelineFilter filter, PageRequest page, List<Long> authors, List<IdRange> stretches) {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            sources.add(Source.profile(authors.get(i), stretches.get(i), firstLimit(page)));
        }
        return new PageDown(redis, filter, page, 0, authors, sources);
    }

    /** The same with what these timelines of hashtags list, which is read when it is needed. */
    PageDown and(Collection<String> tagTimelines) {
        IdRange unread = new IdRange(List.of(), Id.MAX);
        tagTimelines.forEach(list -> sources.add(Source.tag(list, unread, firstLimit(page))));
        return this;
    }

    private static int firstLimit(PageRequest page) {
        return Math.min(page.limit() + 1, STRETCH_MAX);
    }

    private static int next(int limit) {
        return Math.min(limit * 2, STRETCH_MAX);
    }

    Future<Page<Status>> run() {
        settle();
        turn();
        return answer.future();
    }

    /** The sources read beyond the first. */
    Set<HomeMetrics.Source> deeper() {
        return deeper;
    }

    /**
     * Sets the reading below the page, for a page with a floor that leaves out reposts: as {@link PageUp#above}, of the
     * statuses up to the floor.
     */
    PageDown above(Supplier<Future<List<Status>>> readBelow) {
        below = readBelow;
        return this;
    }

    /**
     * Sets whether the page probably has reposts: then it loads with the first statuses those that decide which reposts
     * are shown.
     */
    PageDown expectingReposts(boolean probably) {
        expectsReposts = probably;
        return this;
    }

    /**
     * Below the home it goes on from where the page before has come to, and says how far it came itself.
     *
     * @param following version of the following set that its authors are of
     */
    PageDown walking(HomeWalks known, String following) {
        walks = known;
        version = following;
        return this;
    }

    /** Whether it has reposts, or has left some out: of a page without a floor. */
    boolean hasReposts() {
        return fold.hasReposts(page.limit() + 1);
    }

    /** Finds the highest bound and the candidates above it. */
    private void settle() {
        IdRange together = IdRange.merged(sources.stream().map(Source::range).toList());
        bound = together.bound();
        candidates = together.between(Math.max(bound, page.floor()), cursor);
    }

    private void turn() {
        List<Status> shown = fold.shown(page.limit() + 1);
        if (shown.size() > page.limit()) { // One more than requested shows whether there is more.
            complete();
        } else if (turns++ >= turnsMax(shown.size())) {
            stop();
        } else if (!candidates.isEmpty()) {
            load().onComplete(done -> turn(), this::fail);
        } else if (bound > page.floor()) {
            cursor = Math.min(cursor, bound + 1);
            goDeeper();
        } else if (page.floor() > 0 && fold.isOpen()) {
            below.get()
                    .onComplete(
                            known -> {
                                fold.add(known);
                                endAtFloor();
                            },
                            this::fail);
        } else {
            endAtFloor();
        }
    }

    /** Ends the page: there is nothing below, or nothing below is requested. */
    private void endAtFloor() {
        cursor = page.floor() > 0 ? page.floor() + 1 : 0;
        fold.end();
        complete();
    }

    /** Everything that the sources should know has been read. */
    private void complete() {
        Page<Status> done = page();
        if (walkedFrom > 0 && done.next() > 0) {
            long next = Math.min(walkedFrom, done.next());
            List<Source> left = sources.stream()
                    .filter(source -> source.kind() != Kind.TAG)
                    .map(source -> source.below(next))
                    .toList();
            walks.keep(reader, new HomeWalks.Walk(version, next, left));
        }
        answer.complete(done);
    }

    /** Ends the page short, above the first repost that is still undecided. */
    private void stop() {
        long open = fold.stop();
        cursor = open > 0 ? open + 1 : cursor;
        complete();
    }

    /** How many turns a page may take that shows so many statuses by now. */
    static int turnsMax(int shown) {
        return shown == 0 ? EMPTY_TURNS_MAX : TURNS_MAX;
    }

    /**
     * Goes deeper. The statuses read already have been shown by now, so the next page starts lower than this one: no
     * client walks in a circle.
     */
    private void goDeeper() {
        if (read > READ_MAX) {
            stop();
        } else {
            deepen().onComplete(done -> turn(), this::fail);
        }
    }

    /** How many candidates to load next: those below a repost grow later, since mostly they are enough at once. */
    private int wanted() {
        int growth = fold.isOpen() ? Math.max(1, turns - 3) : turns;
        int ahead = expectsReposts && turns == 1 ? filter.foldWindow() : 0;
        return Math.max(fold.missing(page.limit() + 1), LOAD_MIN * growth) + ahead;
    }

    private Future<Void> load() {
        int wanted = wanted();
        List<Long> next = candidates.subList(0, Math.min(wanted, candidates.size()));
        candidates = candidates.subList(next.size(), candidates.size());
        cursor = next.get(next.size() - 1); // Goes on below the last one scanned, whether it is shown or not.
        return filter.load(next).compose(loaded -> {
            fold.add(loaded.shown());
            if (loaded.unreachable() == 0 || fold.shown(page.limit() + 1).size() > page.limit()) {
                return Future.succeededFuture();
            }
            cursor = loaded.unreachable() + 1;
            return Future.failedFuture(Archive.AWAY);
        });
    }

    /**
     * Without the archive a page ends where it would be read, with the cursor to go on from; an empty one fails. A
     * repost is shown then if only the archive could tell that it is not.
     */
    private void fail(Throwable cause) {
        fold.end();
        if (cause == Archive.AWAY && !fold.shown(1).isEmpty()) {
            answer.complete(page());
        } else {
            answer.fail(cause);
        }
    }

    /**
     * Replaces every source of which nothing is known below the cursor. A profile that ends has the border of its
     * author as its bound: then the archive follows, read after the border, which is read after the profile, so that a
     * post that moves is seen in one of them. What was read of the archive is read together from then on, in one query.
     * With few authors, one read loads the statuses that decide which reposts are shown, instead of a turn for each.
     */
    private Future<Void> deepen() {
        boolean homeEnds = sources.stream().anyMatch(source -> source.kind() == Kind.HOME && isExhausted(source));
        if (homeEnds) {
            // What was pulled is part of the profiles that follow.
            sources.removeIf(source -> source.kind() != Kind.TAG);
        }
        boolean goesOn = homeEnds && takeWalk();
        long reach = reach();
        List<Source> wanted = new ArrayList<>(sources.stream()
                .filter(source -> isExhausted(source)
                        || (isWalked(source) && source.range().bound() >= reach))
                .toList());
        sources.removeAll(wanted);
        List<Source> archived = wanted.stream().filter(PageDown::isArchived).toList();
        wanted.removeAll(archived);
        if (fold.isOpen() && authors.size() <= FEW_AUTHORS) {
            int needed = Math.min(fold.missing(page.limit() + 1), STRETCH_MAX);
            wanted.replaceAll(source -> source.deepEnoughFor(needed));
        }
        return hot(wanted)
                .compose(done -> homeEnds && !goesOn ? profiles() : Future.succeededFuture())
                .compose(done -> cold(archived))
                .onSuccess(done -> settle());
    }

    /** Takes the sources of the page before; false when it has left none that are right, and a walk begins here. */
    private boolean takeWalk() {
        if (walks == null || authors.isEmpty()) {
            return false;
        }
        HomeWalks.Walk walk = walks.from(reader, version, cursor);
        if (walk == null) {
            walkedFrom = cursor;
            return false;
        }
        sources.addAll(walk.sources());
        // One that ends above the cursor says nothing of what is between.
        boolean isWhole =
                walk.sources().stream().allMatch(source -> source.range().bound() < cursor);
        walkedFrom = isWhole ? walk.below() : cursor;
        return true;
    }

    private boolean isWalked(Source source) {
        return walkedFrom > 0 && (source.kind() == Kind.PROFILE || source.kind() == Kind.ARCHIVE);
    }

    /**
     * On a walk, the lowest id among those known that this page probably needs: authors that may have more above it are
     * read in one turn, not one after the other as the page comes to the end of what is known of each.
     */
    private long reach() {
        if (walkedFrom == 0) {
            return cursor;
        }
        int needed = wanted();
        long[] known = sources.stream()
                .flatMap(source -> source.range().ids().stream())
                .mapToLong(id -> id)
                .filter(id -> id < cursor)
                .sorted()
                .distinct()
                .toArray();
        return known.length == 0 ? cursor : known[Math.max(0, known.length - needed)];
    }

    /**
     * Reads profiles. Of most authors a page shows little or nothing: it reads a few posts of each, and more of those
     * who need it; and of few authors, the statuses that decide which reposts are shown, where there are some.
     */
    private Future<Void> profiles() {
        if (authors.isEmpty()) {
            return Future.succeededFuture();
        }
        deeper.add(HomeMetrics.Source.PROFILES);
        List<Long> all = List.copyOf(authors);
        boolean mayFold = (expectsReposts || fold.isOpen()) && all.size() <= FEW_AUTHORS;
        int below = mayFold ? filter.foldWindow() : 0;
        int wanted = Math.min(firstLimit(page) + below, STRETCH_MAX);
        NewestPosts newest = new NewestPosts(redis, filter.statuses(), all, page.floor(), cursor, wanted);
        return newest.read().map(ranges -> {
            for (int i = 0; i < all.size(); i++) {
                read += ranges.get(i).ids().size();
                sources.add(Source.profile(all.get(i), ranges.get(i), firstLimit(page), newest.hasEnded(i)));
            }
            return null;
        });
    }

    /** On a walk nothing that has been read is forgotten before the page is done: the next one may begin higher. */
    private IdRange after(List<IdRange> known, IdRange deeper) {
        return walkedFrom > 0 ? IdRange.joined(known, deeper) : deeper;
    }

    private static boolean isArchived(Source source) {
        return source.kind() == Kind.ARCHIVE || source.ended();
    }

    /** From Redis. */
    private Future<Void> hot(List<Source> wanted) {
        List<Command> commands = new ArrayList<>(wanted.size());
        for (Source source : wanted) {
            if (source.kind() == Kind.PROFILE) {
                deeper.add(HomeMetrics.Source.PROFILES);
            }
            commands.add(
                    switch (source.kind()) {
                        case TAIL -> Homes.read(reader);
                        case TAG -> Statuses.older(source.list(), cursor, source.limit());
                        // From the cursor, or on a walk from further down, where what is known ends.
                        case PROFILE, HOME, ARCHIVE ->
                            Statuses.older(
                                    source.author(),
                                    Math.min(cursor, source.range().bound() + 1),
                                    source.limit());
                    });
        }
        return BatchedPipeline.sendEach(redis, commands).compose(replies -> replace(wanted, replies));
    }

    /** From the archive. */
    private Future<Void> cold(List<Source> wanted) {
        if (wanted.isEmpty()) {
            return Future.succeededFuture();
        }
        deeper.add(HomeMetrics.Source.ARCHIVE);
        List<Source> all = new ArrayList<>(wanted);
        sources.stream().filter(source -> source.kind() == Kind.ARCHIVE).forEach(all::add);
        sources.removeAll(all);
        Set<Long> authors = new LinkedHashSet<>();
        int limit = firstLimit(page);
        for (Source source : all) {
            authors.addAll(source.authors());
            limit = Math.max(limit, source.kind() == Kind.ARCHIVE ? next(source.limit()) : 0);
        }
        int most = limit;
        return filter.statuses().archived().older(authors, cursor, most).map(range -> {
            read += range.ids().size();
            List<IdRange> known = all.stream().map(Source::range).toList();
            sources.add(new Source(Kind.ARCHIVE, List.copyOf(authors), null, after(known, range), most, false));
            return null;
        });
    }

    /** Whether nothing of it is known below the cursor: all such sources are read together, however many there are. */
    private boolean isExhausted(Source source) {
        return source.range().bound() >= cursor - 1;
    }

    /** A hashtag that cannot be read is left out of the rest of this page: without it the home is of use, too. */
    private Future<Void> replace(List<Source> wanted, List<Reply> replies) {
        List<Long> authors = new ArrayList<>();
        List<IdRange> ranges = new ArrayList<>();
        List<Integer> limits = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            Source source = wanted.get(i);
            if (replies.get(i) instanceof Reply.Failure failure) {
                if (source.kind() != Kind.TAG) {
                    return Future.failedFuture(failure.error());
                }
            } else if (source.kind() == Kind.TAIL) {
                // A home that is gone since holds nothing that is known: the profiles follow.
                IdRange whole = Homes.complete(replies.get(i)).orElse(new IdRange(List.of(), cursor - 1));
                sources.add(Source.home(Kind.HOME, whole));
            } else if (source.kind() == Kind.TAG) {
                IdRange deeper = Statuses.older(replies.get(i), source.limit());
                read += deeper.ids().size();
                sources.add(Source.tag(source.list(), deeper, next(source.limit())));
            } else {
                IdRange deeper = Statuses.older(replies.get(i), source.limit());
                read += deeper.ids().size();
                authors.add(source.author());
                ranges.add(after(List.of(source.range()), deeper));
                limits.add(next(source.limit()));
            }
        }
        return filter.statuses().honest(authors, ranges).map(honest -> {
            for (int i = 0; i < authors.size(); i++) {
                boolean ended = ranges.get(i).bound() == 0;
                sources.add(Source.profile(authors.get(i), honest.get(i), limits.get(i), ended));
            }
            return null;
        });
    }

    private Page<Status> page() {
        List<Status> shown = fold.shown(page.limit() + 1);
        boolean full = shown.size() > page.limit();
        List<Status> items = full ? shown.subList(0, page.limit()) : shown;
        long prev = items.isEmpty() ? 0 : items.get(0).id();
        boolean older = full || cursor > 0;
        if (!older) {
            return new Page<>(items, 0, prev);
        }
        // A page that was handed out short goes on from the last id scanned, a whole one from the last id shown.
        boolean scannedFurther = !full && page.floor() == 0;
        return new Page<>(
                items,
                items.isEmpty() || scannedFurther
                        ? cursor
                        : items.get(items.size() - 1).id(),
                prev);
    }
}
