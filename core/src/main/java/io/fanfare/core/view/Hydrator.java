package io.fanfare.core.view;

import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.ViewerFilters;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.RenderContext.Showing;
import io.fanfare.core.poll.Polls;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what statuses are shown with: authors, what they repost and quote, and what the viewer has done with them. One
 * round trip, whatever the number of statuses; a second one only for what a reposted or quoted status quotes in turn,
 * and a third for what a reposted quote of a quote does, as long as that is not remembered. One more for a viewer who
 * is found to have many favourites, reposts or bookmarks. Confined to its link's event loop.
 */
public final class Hydrator {
    private final Statuses statuses;
    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Articles articles;
    private final Polls polls;
    private final ViewerFlagsReader viewerFlags;
    private final InstantSource clock;

    /** @param clock says which filters have expired */
    public Hydrator(
            Redis redis,
            Statuses statuses,
            Accounts accounts,
            ViewerRelationshipsReader viewerRelationships,
            Articles articles,
            Polls polls,
            UserFilters userFilters,
            InstantSource clock) {
        this.polls = polls;
        this.articles = articles;
        this.viewerRelationships = viewerRelationships;
        this.viewerFlags = new ViewerFlagsReader(redis, new ViewerFiltersReader(userFilters));
        this.clock = clock;
        this.statuses = statuses;
        this.accounts = accounts;
    }

    /**
     * Everything for these statuses. Whether the viewer may see them themselves has been asked before; of what they
     * quote it is asked here.
     *
     * @param viewer 0 = nobody in particular
     */
    public Future<RenderContext> load(Collection<Status> shown, long viewer) {
        return load(shown, viewer, Redis.NOW);
    }

    /**
     * The same for a page whose reading began at a moment and has changed nothing of it since.
     *
     * @param since the moment, as {@code feed.Timelines} answers it
     */
    public Future<RenderContext> load(Collection<Status> shown, long viewer, long since) {
        Gathering gathering = new Gathering(List.copyOf(shown), viewer, since);
        Future<Void> first = gathering.round();
        boolean deeper = shown.stream().anyMatch(status -> status.post().original() != null);
        return (deeper ? first.compose(done -> gathering.round()).compose(done -> gathering.round()) : first)
                .map(done -> gathering.context());
    }

    /**
     * The same for one that its author has published just now, as the author sees it: nobody has done anything with it
     * yet, so that nothing is read when it shows nothing else and begins a conversation.
     */
    public Future<RenderContext> load(Statuses.Posted posted) {
        Status status = posted.status();
        boolean nothingToRead =
                posted.author() != null && !posted.repeated() && status.post().original() == null && begins(status);
        return nothingToRead
                ? Future.succeededFuture(RenderContext.of(posted.author()).seenBy(status.authorId()))
                : load(List.of(status), status.authorId());
    }

    /** One that goes on with a conversation may belong to one that its author has muted. */
    private static boolean begins(Status status) {
        return status.conversationId() == status.id();
    }

    /**
     * The viewer's flags of these statuses, as they were at any instant since a moment; one round trip at most, and a
     * second one when a set of the viewer is found to be a larger one. None for an anonymous viewer, who is 0.
     */
    public Future<ViewerFlags> flags(Collection<Long> ids, long viewer, long since) {
        return viewerFlags.of(ids, viewer, since);
    }

    /** Ids of one kind, each of which is asked for once. */
    private static final class WantedIds {
        private final Set<Long> known = new HashSet<>();
        private List<Long> fresh = new ArrayList<>();

        void add(long id) {
            if (known.add(id)) {
                fresh.add(id);
            }
        }

        /** Takes the items added since the last call. */
        List<Long> take() {
            List<Long> taken = fresh;
            fresh = new ArrayList<>(0);
            return taken;
        }
    }

    /** The records read so far. */
    private final class Gathering {
        private final List<Status> shown;
        private final long viewer;
        private final long since;
        private final WantedIds wantedPeople = new WantedIds();
        private final WantedIds wantedOriginals = new WantedIds();
        private final WantedIds wantedFlags = new WantedIds();
        private final WantedIds wantedRelationships = new WantedIds();
        private Map<Long, Account> people = Map.of();
        private final Map<Long, Status> originals = new HashMap<>();
        private final Map<Long, ViewerRelationships> sightOf = new HashMap<>();
        private final Set<Long> favourited = new HashSet<>();
        private final Set<Long> reblogged = new HashSet<>();
        private final Set<Long> bookmarked = new HashSet<>();
        private final Set<Long> pinned = new HashSet<>();
        private Set<Long> mutedConversations = Set.of();
        private ViewerFilters filters = ViewerFilters.NONE;
        private final Map<Long, Standing> standings = new HashMap<>();
        private final Set<Long> ranked = new HashSet<>();
        private final Map<Long, Poll.Standing> pollStandings = new HashMap<>();
        private final Set<Long> polled = new HashSet<>();

        Gathering(List<Status> shown, long viewer, long since) {
            this.shown = shown;
            this.viewer = viewer;
            this.since = since;
        }

        /** Asks for all that is known to be needed and has not been asked for; everything leaves in one write. */
        Future<Void> round() {
            shown.forEach(this::need);
            originals.values().stream()
                    .filter(original -> original.visibility() == Visibility.PRIVATE)
                    .forEach(original -> wantedRelationships.add(ViewerRelationships.hostId(original)));
            Future<Void> newStandings = standings();
            Future<Void> newPolls = polls();
            Future<Map<Long, Account>> newPeople = accounts.load(wantedPeople.take(), since);
            Future<Map<Long, Status>> newOriginals = statuses.reachable(wantedOriginals.take(), since)
                    // An outage of the archive hides an old original, not the page.
                    .map(Statuses.Reachable::living);
            return Future.all(
                            newPeople,
                            newOriginals,
                            newStandings,
                            newPolls,
                            flags(wantedFlags.take()),
                            viewerRelationships(wantedRelationships.take()))
                    .map(read -> {
                        addPeople(newPeople.result());
                        originals.putAll(newOriginals.result());
                        return null;
                    });
        }

        private void addPeople(Map<Long, Account> more) {
            if (people.isEmpty()) {
                people = more; // All that most pages need.
            } else {
                people.putAll(more);
            }
        }

        /** Reads the standings of the statuses known to be articles by now. */
        private Future<Void> standings() {
            List<Status> fresh = fresh(Status::isArticle, ranked);
            if (fresh.isEmpty()) {
                return Future.succeededFuture();
            }
            return articles.standings(fresh, viewer, since).map(read -> {
                standings.putAll(read);
                return null;
            });
        }

        /** Reads the polls of the statuses known to have one by now. */
        private Future<Void> polls() {
            List<Status> fresh = fresh(status -> status.post().content().poll() != null, polled);
            if (fresh.isEmpty()) {
                return Future.succeededFuture();
            }
            return polls.standings(fresh, viewer).map(read -> {
                pollStandings.putAll(read);
                return null;
            });
        }

        /** The statuses of a kind whose ids have not been requested yet. */
        private List<Status> fresh(Predicate<Status> kind, Set<Long> requested) {
            List<Status> fresh = new ArrayList<>(0);
            for (Collection<Status> statuses : List.of(shown, originals.values())) {
                for (Status status : statuses) {
                    if (kind.test(status) && requested.add(status.id())) {
                        fresh.add(status);
                    }
                }
            }
            return fresh;
        }

        private void need(Status status) {
            wantedPeople.add(status.authorId());
            wantedFlags.add(status.subjectId());
            if (isForFollowers(status)) {
                wantedRelationships.add(status.authorId());
            }
            Reference original = status.post().shown();
            if (original == null) {
                return;
            }
            needInside(original);
            Reference quoted = original;
            if (status.kind() == Post.Kind.REPOST) {
                quoted = quotedBy(original);
                if (quoted == null) {
                    return;
                }
                needInside(quoted);
            }
            Reference deeper = quotedBy(quoted);
            if (deeper != null) {
                needNamed(deeper);
            }
        }

        /** Something that is shown inside of another status. */
        private void needInside(Reference reference) {
            needNamed(reference);
            wantedFlags.add(reference.statusId());
        }

        /** Something of which another status says where it is and whether it can be seen. */
        private void needNamed(Reference reference) {
            wantedPeople.add(reference.accountId());
            wantedOriginals.add(reference.statusId());
            wantedRelationships.add(reference.accountId());
        }

        /** Null also as long as it is not known. */
        private Reference quotedBy(Reference reference) {
            Status read = originals.get(reference.statusId());
            Post known = read == null ? statuses.recall(reference.statusId()) : read.post();
            return known == null ? null : known.shown();
        }

        /** Whether it depends on the viewer who may quote it. */
        private boolean isForFollowers(Status status) {
            return status.post().quoteTerms().policy() == QuotePolicy.FOLLOWERS && status.authorId() != viewer;
        }

        private Set<Long> quotable() {
            if (sightOf.isEmpty()) {
                return Set.of(); // As on most pages.
            }
            return Stream.concat(shown.stream(), originals.values().stream())
                    .filter(this::isForFollowers)
                    .filter(status -> sightOf.getOrDefault(status.authorId(), ViewerRelationships.OF_NOBODY)
                            .follows(status.authorId()))
                    .map(Status::id)
                    .collect(Collectors.toSet());
        }

        private Future<Void> flags(List<Long> ids) {
            return viewerFlags.of(ids, viewer, since).map(flags -> {
                favourited.addAll(flags.favourited());
                reblogged.addAll(flags.reblogged());
                bookmarked.addAll(flags.bookmarked());
                pinned.addAll(flags.pinned());
                if (flags.filters() != ViewerFilters.NONE) {
                    filters = flags.filters();
                }
                if (!flags.mutedConversations().isEmpty()) {
                    mutedConversations = flags.mutedConversations();
                }
                return null;
            });
        }

        private Future<Void> viewerRelationships(List<Long> authors) {
            if (viewer == 0 || authors.isEmpty()) {
                return Future.succeededFuture();
            }
            return viewerRelationships.of(viewer, authors).map(relationships -> {
                authors.forEach(author -> sightOf.put(author, relationships));
                return null;
            });
        }

        RenderContext context() {
            Map<Long, Showing> hidden = new HashMap<>();
            for (Status original : originals.values()) {
                Showing showing = showing(original);
                if (showing != Showing.FREE) {
                    hidden.put(original.id(), showing);
                }
            }
            return new RenderContext(
                    viewer,
                    people,
                    originals,
                    hidden,
                    favourited,
                    reblogged,
                    bookmarked,
                    pinned,
                    mutedConversations,
                    filtered(hidden),
                    quotable(),
                    standings,
                    pollStandings);
        }

        /**
         * Matches every status that the viewer is shown in any way: a repost by its original, a quoted status for
         * itself.
         */
        private Map<Long, List<FilterMatch>> filtered(Map<Long, Showing> hidden) {
            if (filters == ViewerFilters.NONE) {
                return Map.of();
            }
            long now = clock.millis();
            Map<Long, List<FilterMatch>> filtered = new HashMap<>();
            for (Status original : originals.values()) {
                if (hidden.get(original.id()) != Showing.FORBIDDEN) {
                    put(filtered, original.id(), matches(original, original.id(), now));
                }
            }
            for (Status status : shown) {
                Status subject = status.kind() == Post.Kind.REPOST ? originals.get(status.subjectId()) : status;
                if (subject != null && hidden.get(subject.id()) != Showing.FORBIDDEN) {
                    put(filtered, status.id(), matches(subject, status.id(), now));
                }
            }
            return filtered;
        }

        /** One's own words are never filtered. */
        private List<FilterMatch> matches(Status subject, long shownAs, long now) {
            return subject.authorId() == viewer
                    ? List.of()
                    : filters.matches(subject.post().content(), subject.id(), shownAs, now);
        }

        private static void put(Map<Long, List<FilterMatch>> filtered, long id, List<FilterMatch> matches) {
            if (!matches.isEmpty()) {
                filtered.put(id, matches);
            }
        }

        /** Whether the viewer is one of the followers for whom a status is. Direct messages are not passed on. */
        private boolean isOneOfThose(Status original) {
            long host = ViewerRelationships.hostId(original);
            return original.visibility() == Visibility.PRIVATE
                    && (host == viewer
                            ? viewer != 0
                            : sightOf.getOrDefault(host, ViewerRelationships.OF_NOBODY)
                                    .follows(host));
        }

        /** Authors see what they have reposted on their own profile, where alone such a repost is shown to them. */
        private boolean isRepostedByViewer(Status original) {
            return viewer != 0
                    && shown.stream()
                            .anyMatch(status -> status.kind() == Post.Kind.REPOST
                                    && status.authorId() == viewer
                                    && status.subjectId() == original.id());
        }

        private Showing showing(Status original) {
            long author = original.authorId();
            if (author == viewer) {
                return Showing.FREE;
            }
            ViewerRelationships relationships = sightOf.getOrDefault(author, ViewerRelationships.OF_NOBODY);
            if (original.visibility().isRestricted() && !isOneOfThose(original)) {
                return Showing.FORBIDDEN;
            }
            if (relationships.isBlockedBy(author) && !isRepostedByViewer(original)) {
                return Showing.FORBIDDEN;
            }
            return relationships.blocks(author)
                    ? Showing.BLOCKED
                    : relationships.mutes(author) ? Showing.MUTED : Showing.FREE;
        }
    }
}
