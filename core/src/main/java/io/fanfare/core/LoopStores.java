package io.fanfare.core;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.Views;
import io.fanfare.core.conversation.ConversationEvents;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.core.favourite.Favourites;
import io.fanfare.core.feed.HomeMetrics;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.PulledAuthors;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.notification.NotificationEvents;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.post.Duplicate;
import io.fanfare.core.post.EditSideEffects;
import io.fanfare.core.post.Edits;
import io.fanfare.core.post.PostSideEffects;
import io.fanfare.core.post.Quotes;
import io.fanfare.core.post.StatusEvents;
import io.fanfare.core.view.Hydrator;
import io.fanfare.redis.Redis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The stores and actions of one event loop on its way to Redis: the one place that wires them, for the API, workers,
 * benchmarks and tests. Whoever needs a store takes it from here, so that an event loop has one of each. Confined to
 * the event loop of {@code redis}.
 *
 * <p>What only one role uses is not among them: its composition makes it.
 *
 * @param siteBlocks of the event loop; a caller that serves requests starts them first
 */
public record LoopStores(
        Parts parts,
        Accounts accounts,
        Statuses statuses,
        Graph graph,
        ViewerRelationshipsReader viewerRelationships,
        Homes homes,
        PublicTimelines publicTimelines,
        EventLog events,
        Notifications notifications,
        NotificationPublisher notificationPublisher,
        Conversations conversations,
        ConversationEvents conversationEvents,
        Articles articles,
        UserFilters userFilters,
        Hydrator hydrator,
        StatusEvents statusEvents,
        Edits edits,
        SubjectEdges subjectEdges,
        Backlinks backlinks,
        PostSideEffects sideEffects,
        EditSideEffects editSideEffects,
        Quotes quotes,
        Follows follows,
        Blocks blocks,
        Favourites favourites,
        KnownBlocks siteBlocks) {

    /**
     * The parts of the stores.
     *
     * @param cache of recent renderings; {@link RenderCache#none()} where nothing is rendered twice
     * @param emojis of the event loop; a caller that shows them to people starts them first
     * @param views with the same cache and the same emojis
     * @param archive of old statuses; {@link Archive#none()} where nothing reads or writes archived ones
     * @param metrics of the stores
     */
    public record Parts(
            Redis redis,
            Settings settings,
            Shards shards,
            RenderCache cache,
            KnownEmojis emojis,
            Views views,
            Archive archive,
            InstantSource clock,
            RandomGenerator random,
            MeterRegistry metrics) {

        /** Parts without a cache, whose counts go nowhere. */
        public static Parts uncached(
                Redis redis, Settings settings, Shards shards, InstantSource clock, RandomGenerator random) {
            return uncached(redis, settings, shards, new KnownEmojis(new Emojis(redis)), clock, random);
        }

        /** The same with these emojis. */
        public static Parts uncached(
                Redis redis,
                Settings settings,
                Shards shards,
                KnownEmojis emojis,
                InstantSource clock,
                RandomGenerator random) {
            Views views = new Views(settings.http().publicUrl(), RenderCache.none(), emojis);
            return new Parts(
                    redis,
                    settings,
                    shards,
                    RenderCache.none(),
                    emojis,
                    views,
                    Archive.none(),
                    clock,
                    random,
                    new CompositeMeterRegistry());
        }

        /** The same with an archive. */
        public Parts with(Archive other) {
            return new Parts(redis, settings, shards, cache, emojis, views, other, clock, random, metrics);
        }

        /** The same with counts. */
        public Parts with(MeterRegistry other) {
            return new Parts(redis, settings, shards, cache, emojis, views, archive, clock, random, other);
        }
    }

    /** Wires them; reads nothing. */
    public static LoopStores of(Parts parts) {
        Redis redis = parts.redis();
        Settings settings = parts.settings();
        Accounts accounts = new Accounts(
                redis, parts.shards(), parts.random(), parts.cache(), Accounts.Confirmation.of(settings.mail()));
        Statuses statuses = new Statuses(redis, settings, parts.cache(), parts.archive());
        Graph graph = new Graph(redis, settings);
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(redis, parts.clock());
        Homes homes = new Homes(redis, settings.feeds(), Duplicate.DELIVERY.counter(parts.metrics()));
        PublicTimelines publicTimelines =
                new PublicTimelines(redis, statuses, viewerRelationships, settings.feeds(), parts.clock());
        EventLog events =
                new EventLog(redis, parts.random(), settings.stream(), Duplicate.EVENT.counter(parts.metrics()));
        Notifications notifications = new Notifications(redis, settings, statuses, viewerRelationships);
        Articles articles = new Articles(redis, settings, parts.clock());
        UserFilters userFilters = new UserFilters(redis, settings);
        Polls polls = new Polls(redis, parts.clock());
        Hydrator hydrator = new Hydrator(
                redis, statuses, accounts, viewerRelationships, articles, polls, userFilters, parts.clock());
        NotificationPublisher publisher = new NotificationEvents(
                events, notifications, accounts, hydrator, parts.views(), new PushSubscriptions(redis));
        Conversations conversations = new Conversations(redis, statuses, viewerRelationships);
        ConversationEvents conversationEvents =
                new ConversationEvents(events, conversations, accounts, hydrator, parts.views());
        SubjectEdges subjectEdges = new SubjectEdges(redis, settings, statuses.archived());
        Backlinks backlinks = new Backlinks(subjectEdges);
        PostSideEffects sideEffects = new PostSideEffects(
                graph,
                backlinks,
                notifications,
                conversations,
                conversationEvents,
                publicTimelines,
                articles,
                publisher,
                new Directory(redis, accounts, viewerRelationships));
        StatusEvents statusEvents = new StatusEvents(hydrator, parts.views());
        Edits edits = new Edits(redis, settings, statuses.archived());
        EditSideEffects editSideEffects = new EditSideEffects(
                edits,
                statuses,
                statusEvents,
                events,
                publicTimelines,
                notifications,
                publisher,
                sideEffects,
                subjectEdges);
        Follows follows = new Follows(graph, homes, statuses, events, publisher);
        return new LoopStores(
                parts,
                accounts,
                statuses,
                graph,
                viewerRelationships,
                homes,
                publicTimelines,
                events,
                notifications,
                publisher,
                conversations,
                conversationEvents,
                articles,
                userFilters,
                hydrator,
                statusEvents,
                edits,
                subjectEdges,
                backlinks,
                sideEffects,
                editSideEffects,
                new Quotes(edits, statuses, backlinks, editSideEffects),
                follows,
                new Blocks(redis, settings, graph, follows),
                new Favourites(redis, settings, statuses, viewerRelationships, subjectEdges, publisher),
                new KnownBlocks(new SiteBlocks(redis, parts.clock()), parts.clock()));
    }

    /**
     * Home and profile timelines, for one who reads them: they remember followees and pulled authors, so an event loop
     * makes them once.
     *
     * @param nanos elapsed time, as {@code System.nanoTime}
     */
    public Timelines timelines(LongSupplier nanos) {
        return new Timelines(
                parts.redis(),
                homes,
                statuses,
                viewerRelationships,
                new PulledAuthors(parts.redis(), parts.shards(), nanos),
                parts.random(),
                parts.clock(),
                parts.settings().feeds(),
                new HomeMetrics(parts.metrics()));
    }

    public Redis redis() {
        return parts.redis();
    }

    public Settings settings() {
        return parts.settings();
    }

    /** The custom emojis that {@link #views} shows. */
    public KnownEmojis emojis() {
        return parts.emojis();
    }

    public Views views() {
        return parts.views();
    }
}
