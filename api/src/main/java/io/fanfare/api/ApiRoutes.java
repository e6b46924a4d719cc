package io.fanfare.api;

import io.fanfare.api.account.AccountRoutes;
import io.fanfare.api.account.CredentialsRoutes;
import io.fanfare.api.account.DirectoryRoutes;
import io.fanfare.api.account.EndorsementRoutes;
import io.fanfare.api.account.Endorsements;
import io.fanfare.api.account.NoteRoutes;
import io.fanfare.api.account.Notes;
import io.fanfare.api.account.SuggestionRoutes;
import io.fanfare.api.account.Suggestions;
import io.fanfare.api.article.ArticleLists;
import io.fanfare.api.article.ArticleRoutes;
import io.fanfare.api.article.RankedPages;
import io.fanfare.api.conversation.ConversationRoutes;
import io.fanfare.api.conversation.DirectRoutes;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.AnswerCompressor;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.PrefixRouters;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimiter;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.Refusals;
import io.fanfare.api.endpoint.RequestGate;
import io.fanfare.api.endpoint.RequestTimers;
import io.fanfare.api.endpoint.RouteOrder;
import io.fanfare.api.export.AccountExport;
import io.fanfare.api.export.CsvExports;
import io.fanfare.api.export.ExportRoutes;
import io.fanfare.api.filter.FilterRoutes;
import io.fanfare.api.graph.BlockRoutes;
import io.fanfare.api.graph.FollowRequestRoutes;
import io.fanfare.api.graph.FollowRoutes;
import io.fanfare.api.instance.DiscoveryRoutes;
import io.fanfare.api.instance.DocsRoutes;
import io.fanfare.api.instance.InstanceRoutes;
import io.fanfare.api.instance.InstanceStats;
import io.fanfare.api.instance.PublicRoutes;
import io.fanfare.api.instance.StubRoutes;
import io.fanfare.api.list.ListRoutes;
import io.fanfare.api.media.EmojiRoutes;
import io.fanfare.api.media.MediaRoutes;
import io.fanfare.api.media.Pictures;
import io.fanfare.api.notification.GroupedNotificationRoutes;
import io.fanfare.api.notification.MarkerRoutes;
import io.fanfare.api.notification.Markers;
import io.fanfare.api.notification.NotificationGroups;
import io.fanfare.api.notification.NotificationPolicyRoutes;
import io.fanfare.api.notification.NotificationRequestRoutes;
import io.fanfare.api.notification.NotificationRequests;
import io.fanfare.api.notification.NotificationRoutes;
import io.fanfare.api.oauth.Apps;
import io.fanfare.api.oauth.AuthorizationCodes;
import io.fanfare.api.oauth.AuthorizeRoutes;
import io.fanfare.api.oauth.CommonPasswords;
import io.fanfare.api.oauth.KnownSignUps;
import io.fanfare.api.oauth.Logins;
import io.fanfare.api.oauth.OAuthRoutes;
import io.fanfare.api.oauth.PasswordRules;
import io.fanfare.api.oauth.ReservedNames;
import io.fanfare.api.oauth.SessionRoutes;
import io.fanfare.api.oauth.SignUpSwitch;
import io.fanfare.api.oauth.SignUps;
import io.fanfare.api.poll.PollRoutes;
import io.fanfare.api.post.Bookmarks;
import io.fanfare.api.post.InteractionRoutes;
import io.fanfare.api.post.PinRoutes;
import io.fanfare.api.post.Pins;
import io.fanfare.api.post.QuoteRoutes;
import io.fanfare.api.post.RepostRoutes;
import io.fanfare.api.post.StatusRoutes;
import io.fanfare.api.post.ThreadRoutes;
import io.fanfare.api.post.Threads;
import io.fanfare.api.push.PushRoutes;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.api.report.ReportRoutes;
import io.fanfare.api.report.Reports;
import io.fanfare.api.schedule.ScheduledRoutes;
import io.fanfare.api.schedule.ScheduledStatusRenderer;
import io.fanfare.api.search.SearchRoutes;
import io.fanfare.api.tag.FeaturedTagRoutes;
import io.fanfare.api.tag.FeaturedTags;
import io.fanfare.api.tag.FollowedTagRoutes;
import io.fanfare.api.tag.TagRenderer;
import io.fanfare.api.tag.TrendRoutes;
import io.fanfare.api.timeline.TimelineRoutes;
import io.fanfare.api.web.NotFoundPages;
import io.fanfare.api.web.OembedRoutes;
import io.fanfare.api.web.PageRoutes;
import io.fanfare.api.web.WebRoutes;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.MutedConversations;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.graph.Filters;
import io.fanfare.core.graph.Lists;
import io.fanfare.core.graph.TagFollows;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.PostGate;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.posting.Scheduling;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.core.push.SealedTokens;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.media.ClipLimit;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaSweep;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.BodyReader;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.FileLimits;
import io.fanfare.server.http.FileParts;
import io.fanfare.server.http.IdleTime;
import io.fanfare.server.http.MethodNotAllowed;
import io.fanfare.server.http.Parameters;
import io.fanfare.server.http.Problems;
import io.fanfare.server.http.RequestBody;
import io.fanfare.server.http.SessionCookie;
import io.fanfare.server.http.TimeLimit;
import io.fanfare.web.PageRenderer;
import io.fanfare.web.WebFiles;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The REST API, ready to be mounted on a router. The route tables are in the {@code *Routes} classes, one line per
 * route; here is what happens to every request: time limit, length of the body, token, rate limits, body, endpoint,
 * answer. Confined to one event loop.
 */
public final class ApiRoutes {
    /** How far cursors may be ahead of the clock: ids are, by a little, and so are clocks of other servers. */
    private static final long CURSOR_AHEAD_MILLIS = Duration.ofHours(1).toMillis();

    private final Vertx vertx;
    private final InstantSource clock;
    private final Settings.Http http;
    private final MeterRegistry metrics;
    private final Authentication authentication;
    private final SessionCookie sessions;
    private final AuditLog audit;
    private final RateLimits rates;
    private final TimeLimit time;
    private final TimeLimit hashTime;
    private final TimeLimit uploadTime;
    private final TimeLimit videoTime;
    private final MediaProcessor media;
    private final Settings.Media files;
    private final LongSupplier nanos;
    private final DiskReserve disk;
    private final BodyReader bodies;
    private final List<Endpoint> endpoints;
    private final NotFoundPages unknown;
    private final KnownSignUps signUps;
    private final AnswerCompressor compressor;
    private final Supplier<Future<Void>> atClose;

    private ApiRoutes(
            Vertx vertx,
            InstantSource clock,
            Settings.Http http,
            MeterRegistry metrics,
            Authentication authentication,
            SessionCookie sessions,
            AuditLog audit,
            RateLimits rates,
            TimeLimit time,
            TimeLimit hashTime,
            TimeLimit uploadTime,
            TimeLimit videoTime,
            MediaProcessor media,
            Settings.Media files,
            LongSupplier nanos,
            DiskReserve disk,
            BodyReader bodies,
            List<Endpoint> endpoints,
            NotFoundPages unknown,
            KnownSignUps signUps,
            Supplier<Future<Void>> atClose) {
        this.vertx = vertx;
        this.clock = clock;
        this.http = http;
        this.metrics = metrics;
        this.authentication = authentication;
        this.sessions = sessions;
        this.audit = audit;
        this.rates = rates;
        this.time = time;
        this.hashTime = hashTime;
        this.uploadTime = uploadTime;
        this.videoTime = videoTime;
        this.media = media;
        this.files = files;
        this.nanos = nanos;
        this.disk = disk;
        this.bodies = bodies;
        this.endpoints = endpoints;
        this.unknown = unknown;
        this.signUps = signUps;
        this.atClose = atClose;
        this.compressor = new AnswerCompressor(http.compressAnswers());
    }

    /**
     * Builds the API of one event loop on that loop's link.
     *
     * @param stores of the event loop, see {@link ApiParts#stores}; whoever composes them starts their emojis before
     *     the first request
     * @param tokens the only ones of the event loop: what they revoke is refused there at once
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    public static ApiRoutes compose(
            Vertx vertx, RedisLink redis, LoopStores stores, Tokens tokens, ApiParts parts, String publicUrl) {
        CommonPasswords.load();
        Settings settings = parts.settings();
        Views views = stores.views();
        Accounts accounts = stores.accounts();
        Statuses statuses = stores.statuses();
        Graph graph = stores.graph();
        ViewerRelationshipsReader viewerRelationships = stores.viewerRelationships();
        PublicTimelines publicTimelines = stores.publicTimelines();
        Notifications notifications = stores.notifications();
        Articles articles = stores.articles();
        long votesTimer = vertx.setPeriodic(
                Articles.PUBLISH_MILLIS, tick -> articles.publishVotes().onComplete(published -> {}));
        ArticleLists articleLists = new ArticleLists(articles, statuses, viewerRelationships);
        Apps apps = new Apps(redis);
        Timelines timelines = stores.timelines(parts.nanos());
        JobQueue queue = new JobQueue(redis, parts.shards(), settings.queue());
        MemoryPressure pressure = new MemoryPressure(vertx, redis);
        StatusRenderer renderer = new StatusRenderer(stores.hydrator(), views);
        Threads threads = new Threads(redis, statuses, viewerRelationships);
        VisibleStatuses visibleStatuses = new VisibleStatuses(statuses, accounts, viewerRelationships);
        ClientAddress addresses = new ClientAddress(settings.http().trustedProxies());
        RateLimits rateLimits = new RateLimits(
                settings.limits(), addresses, new RateLimiter(redis), new Refusals(parts.metrics()), parts.clock());
        AuditLog audit = new AuditLog(settings, parts.keys(), parts.metrics(), parts.clock(), parts.nanos());
        Announcer announcer = new Announcer(stores.events(), queue);
        PostGate gate = new RequestGate(pressure, rateLimits);
        Posting posting = new Posting(stores, announcer, gate);
        Editing editing = new Editing(stores, announcer, gate);
        StatusDeletion deletion = new StatusDeletion(stores, announcer);

        Logins logins = new Logins(accounts, parts.passwords(), rateLimits, audit, settings.hashWait(), parts.nanos());
        AuthorizationCodes codes = new AuthorizationCodes(redis, parts.random());
        OAuthRoutes oauthRoutes = new OAuthRoutes(
                settings.auth(),
                publicUrl,
                apps,
                tokens,
                logins,
                rateLimits,
                codes,
                audit,
                parts.clock(),
                parts.random(),
                PushRoutes.key(parts.vapid()));
        KnownSignUps knownSignUps =
                new KnownSignUps(new SignUpSwitch(redis), settings.auth().registrations());
        ReservedNames reserved = new ReservedNames(settings.auth());
        PasswordRules passwordRules = new PasswordRules(settings.auth());
        SignUps signUps = new SignUps(
                knownSignUps,
                reserved,
                accounts,
                apps,
                tokens,
                logins,
                passwordRules,
                rateLimits,
                audit,
                addresses,
                new SignUpNetworks(redis, parts.keys(), settings.auth().signUpAddressDays()));
        AccountRoutes accountRoutes = new AccountRoutes(publicUrl, accounts, signUps, reserved, pressure, views);
        Authentication authentication = new Authentication(tokens);
        SessionCookie sessions = new SessionCookie(publicUrl);
        SessionRoutes sessionRoutes =
                new SessionRoutes(sessions, logins, signUps, pressure, tokens, accounts, audit, views);
        AccountRenderer accountRenderer = new AccountRenderer(publicUrl, accounts, viewerRelationships, views);
        FollowRoutes followRoutes = new FollowRoutes(
                settings.limits(),
                accounts,
                graph,
                stores.follows(),
                announcer,
                pressure,
                rateLimits,
                viewerRelationships,
                accountRenderer,
                views);
        FollowRequestRoutes followRequestRoutes = new FollowRequestRoutes(
                settings.limits(), graph, stores.follows(), pressure, viewerRelationships, accountRenderer);
        BlockRoutes blockRoutes =
                new BlockRoutes(settings.limits(), accounts, stores.blocks(), viewerRelationships, accountRenderer);
        NoteRoutes noteRoutes = new NoteRoutes(accounts, new Notes(redis), pressure, viewerRelationships);
        Uploads uploads = new Uploads(stores.redis(), settings.media().accountBytesMax());
        if (parts.media() != null) {
            new MediaSweep(vertx, parts.shards(), uploads, parts.media().store(), parts.clock()).start();
        }
        Pictures pictures = new Pictures(parts.media(), uploads, rateLimits, announcer, settings);
        MediaRoutes mediaRoutes = new MediaRoutes(
                parts.media(), settings.media().s3().publicUrl(), pictures, uploads, views, parts.clock());
        ExportRoutes exportRoutes = new ExportRoutes(
                new CsvExports(stores),
                new AccountExport(
                        vertx,
                        stores,
                        parts.media() == null ? null : parts.media().store()),
                accounts,
                rateLimits,
                request -> authentication.identify(token(request, sessions)),
                audit,
                parts.clock(),
                parts.nanos());
        ScheduledStatuses scheduledStatuses = new ScheduledStatuses(stores.redis());
        Scheduling scheduling = new Scheduling(stores, scheduledStatuses, gate);
        ScheduledStatusRenderer scheduledRenderer = new ScheduledStatusRenderer(views);
        PollRoutes pollRoutes = new PollRoutes(
                new Polls(stores.redis(), parts.clock()), visibleStatuses, viewerRelationships, pressure, views);
        ScheduledRoutes scheduledRoutes =
                new ScheduledRoutes(settings.limits(), publicUrl, scheduledStatuses, scheduledRenderer);
        StatusRoutes statusRoutes = new StatusRoutes(
                settings.limits(),
                posting,
                editing,
                scheduling,
                deletion,
                stores.edits(),
                visibleStatuses,
                accounts,
                renderer,
                scheduledRenderer,
                views);
        RepostRoutes repostRoutes = new RepostRoutes(
                settings.limits(),
                publicUrl,
                posting,
                deletion,
                visibleStatuses,
                statuses,
                accounts,
                threads,
                renderer,
                views);
        QuoteRoutes quoteRoutes =
                new QuoteRoutes(settings.limits(), publicUrl, editing, threads, visibleStatuses, statuses, renderer);
        ThreadRoutes threadRoutes =
                new ThreadRoutes(settings.limits(), publicUrl, posting, visibleStatuses, threads, accounts, renderer);
        ReportRoutes reportRoutes =
                new ReportRoutes(accounts, new Reports(redis), visibleStatuses, pressure, audit, parts.clock(), views);
        Pins pins = new Pins(redis, statuses.archived(), statuses);
        ConversationRoutes conversationRoutes =
                new ConversationRoutes(new MutedConversations(redis), visibleStatuses, pressure, renderer);
        DirectRoutes directRoutes = new DirectRoutes(
                settings.limits(),
                publicUrl,
                stores.conversations(),
                stores.conversationEvents(),
                accounts,
                renderer,
                views);
        PinRoutes pinRoutes = new PinRoutes(pins, visibleStatuses, pressure, renderer);
        TimelineRoutes timelineRoutes =
                new TimelineRoutes(settings.limits(), publicUrl, timelines, accounts, pins, renderer);
        FeaturedTags featuredTags = new FeaturedTags(redis, statuses);
        FollowedTags followedTags = new FollowedTags(redis, settings);
        TagRenderer tagRenderer = new TagRenderer(publicTimelines.trends(), followedTags, featuredTags, views);
        FollowedTagRoutes followedTagRoutes = new FollowedTagRoutes(
                publicUrl, followedTags, new TagFollows(followedTags, stores.follows()), pressure, tagRenderer);
        TrendRoutes trendRoutes = new TrendRoutes(publicTimelines.trends(), tagRenderer);
        DirectoryRoutes directoryRoutes =
                new DirectoryRoutes(new Directory(redis, accounts, viewerRelationships), views);
        FeaturedTagRoutes featuredTagRoutes =
                new FeaturedTagRoutes(publicUrl, accounts, featuredTags, pressure, viewerRelationships, tagRenderer);
        EndorsementRoutes endorsementRoutes = new EndorsementRoutes(
                settings.limits(), accounts, new Endorsements(redis), pressure, viewerRelationships, accountRenderer);
        PublicRoutes publicRoutes =
                new PublicRoutes(settings.limits(), publicUrl, publicTimelines, tagRenderer, renderer);
        RankedPages rankedPages = new RankedPages(
                timelines, articleLists, articles, viewerRelationships, stores.hydrator(), renderer, views);
        ArticleRoutes articleRoutes = new ArticleRoutes(
                settings.limits(),
                publicUrl,
                posting,
                articles,
                articleLists,
                rankedPages,
                timelines,
                visibleStatuses,
                renderer,
                accountRenderer);
        PageRenderer pages = new PageRenderer(
                WebFiles.load(),
                publicUrl,
                settings.instance().title(),
                settings.instance().description(),
                settings.media().s3().publicOrigin());
        PageRoutes pageRoutes = new PageRoutes(
                settings.limits(),
                publicUrl,
                sessions,
                accounts,
                timelines,
                publicTimelines,
                articleLists,
                visibleStatuses,
                renderer,
                views,
                pages);
        AuthorizeRoutes authorizeRoutes =
                new AuthorizeRoutes(publicUrl, apps, logins, codes, parts.clock(), parts.random());
        CredentialsRoutes credentialsRoutes = new CredentialsRoutes(
                accounts, apps, tokens, new AccountAccess(redis), logins, passwordRules, audit, pictures, graph, views);
        Bookmarks bookmarks = new Bookmarks(stores.redis(), settings, statuses, viewerRelationships);
        InteractionRoutes interactionRoutes = new InteractionRoutes(
                settings.limits(),
                publicUrl,
                stores.favourites(),
                bookmarks,
                visibleStatuses,
                announcer,
                pressure,
                renderer,
                accountRenderer);
        Markers markers = new Markers(redis);
        NotificationRoutes notificationRoutes =
                new NotificationRoutes(settings.limits(), publicUrl, notifications, markers, accounts, renderer, views);
        UserLists userLists = new UserLists(redis, settings);
        ListRoutes listRoutes = new ListRoutes(
                settings.limits(),
                publicUrl,
                new Lists(userLists, stores.follows()),
                userLists,
                timelines,
                accounts,
                pressure,
                accountRenderer,
                renderer);
        UserFilters userFilters = stores.userFilters();
        FilterRoutes filterRoutes = new FilterRoutes(
                new Filters(userFilters, stores.follows()), userFilters, visibleStatuses, pressure, parts.clock());
        GroupedNotificationRoutes groupedNotificationRoutes = new GroupedNotificationRoutes(
                settings.limits(),
                publicUrl,
                notifications,
                new NotificationGroups(notifications, accounts, statuses, viewerRelationships),
                markers,
                accounts,
                renderer,
                accountRenderer,
                views);
        NotificationRequests notificationRequests =
                new NotificationRequests(notifications, accounts, statuses, viewerRelationships);
        NotificationPolicyRoutes notificationPolicyRoutes =
                new NotificationPolicyRoutes(notifications.policies(), notificationRequests);
        NotificationRequestRoutes notificationRequestRoutes = new NotificationRequestRoutes(
                settings.limits(), publicUrl, notificationRequests, accounts, renderer, views);
        MarkerRoutes markerRoutes = new MarkerRoutes(markers);
        PushRoutes pushRoutes = new PushRoutes(
                settings.push(),
                parts.vapid(),
                new PushSubscriptions(redis),
                new SealedTokens(parts.keys()),
                pressure,
                parts.random());
        UsernameIndex usernames = new UsernameIndex(redis);
        SuggestionRoutes suggestionRoutes = new SuggestionRoutes(
                accounts, new Suggestions(redis, accounts, publicTimelines, viewerRelationships, parts.clock()), views);
        SearchRoutes searchRoutes = new SearchRoutes(
                publicUrl,
                accounts,
                usernames,
                viewerRelationships,
                statuses,
                timelines,
                publicTimelines,
                tagRenderer,
                renderer,
                parts.search(),
                views);
        InstanceStats instanceStats = new InstanceStats(redis, parts.shards(), usernames, parts.clock(), parts.nanos());
        DiscoveryRoutes discoveryRoutes =
                new DiscoveryRoutes(settings.auth(), accounts, instanceStats, knownSignUps, publicUrl, parts.release());
        InstanceRoutes instanceRoutes = new InstanceRoutes(
                settings,
                instanceStats,
                knownSignUps,
                publicUrl,
                parts.release().version(),
                PushRoutes.key(parts.vapid()));

        List<Endpoint> endpoints = RouteOrder.of(Stream.of(
                        timelineRoutes.endpoints(),
                        listRoutes.endpoints(),
                        filterRoutes.endpoints(),
                        statusRoutes.endpoints(),
                        oauthRoutes.endpoints(),
                        authorizeRoutes.endpoints(),
                        discoveryRoutes.endpoints(),
                        credentialsRoutes.endpoints(),
                        followRoutes.endpoints(),
                        searchRoutes.endpoints(),
                        suggestionRoutes.endpoints(),
                        trendRoutes.endpoints(),
                        followedTagRoutes.endpoints(),
                        directoryRoutes.endpoints(),
                        blockRoutes.endpoints(),
                        exportRoutes.endpoints(),
                        followRequestRoutes.endpoints(),
                        noteRoutes.endpoints(),
                        endorsementRoutes.endpoints(),
                        featuredTagRoutes.endpoints(),
                        accountRoutes.endpoints(),
                        repostRoutes.endpoints(),
                        quoteRoutes.endpoints(),
                        threadRoutes.endpoints(),
                        interactionRoutes.endpoints(),
                        notificationPolicyRoutes.endpoints(),
                        notificationRequestRoutes.endpoints(),
                        pinRoutes.endpoints(),
                        reportRoutes.endpoints(),
                        conversationRoutes.endpoints(),
                        directRoutes.endpoints(),
                        notificationRoutes.endpoints(),
                        groupedNotificationRoutes.endpoints(),
                        markerRoutes.endpoints(),
                        pushRoutes.endpoints(),
                        publicRoutes.endpoints(),
                        articleRoutes.endpoints(),
                        mediaRoutes.endpoints(),
                        scheduledRoutes.endpoints(),
                        pollRoutes.endpoints(),
                        instanceRoutes.endpoints(),
                        new EmojiRoutes(stores.emojis(), views).endpoints(),
                        new OembedRoutes(publicUrl, visibleStatuses, renderer).endpoints(),
                        sessionRoutes.endpoints(),
                        pageRoutes.endpoints(),
                        WebRoutes.endpoints(WebFiles.load(), pages),
                        StubRoutes.endpoints(),
                        DocsRoutes.endpoints(publicUrl))
                .flatMap(List::stream));
        TimeLimit time = new TimeLimit(settings.http().requestTimeout(), parts.nanos());
        TimeLimit hashTime = new TimeLimit(settings.http().requestTimeout().plus(settings.hashWait()), parts.nanos());
        TimeLimit uploadTime = new TimeLimit(settings.media().uploadTimeout(), parts.nanos());
        TimeLimit videoTime = new TimeLimit(settings.media().videoTimeout(), parts.nanos());
        BodyReader bodies = new BodyReader(parts.bodies(), addresses);
        return new ApiRoutes(
                vertx,
                parts.clock(),
                settings.http(),
                parts.metrics(),
                authentication,
                sessions,
                audit,
                rateLimits,
                time,
                hashTime,
                uploadTime,
                videoTime,
                parts.media(),
                settings.media(),
                parts.nanos(),
                parts.disk(),
                bodies,
                endpoints,
                new NotFoundPages(pages),
                knownSignUps,
                () -> {
                    vertx.cancelTimer(votesTimer);
                    return articles.publishVotes();
                });
    }

    /** Adds the API's routes to a router that has a {@link io.fanfare.server.http.CommonHandlers}. */
    public void mount(Router router) {
        PrefixRouters routers = new PrefixRouters(vertx);
        endpoints.forEach(endpoint -> mount(routers.of(endpoint.path()), endpoint));
        endpoints.stream().map(Endpoint::path).distinct().forEach(path -> mountWrongMethod(routers.of(path), path));
        routers.mount(router);
        unknown.mount(router, compressor);
    }

    /** Reads what requests must not wait for; to be called before the first one. Never fails. */
    public Future<Void> start() {
        return signUps.start(vertx);
    }

    /**
     * Publishes what streams have still to be told; to be called when no request is under way any more. Never fails.
     */
    public Future<Void> close() {
        return atClose.get();
    }

    private void mount(Router router, Endpoint endpoint) {
        RequestTimers timers = new RequestTimers(metrics, endpoint);
        Route route = router.route(endpoint.path());
        methods(endpoint).forEach(route::method);
        route.handler(ctx -> {
            Problems.routed(ctx, endpoint.path());
            Timer.Sample sample = timers.start();
            TimeLimit limit = limit(ctx, endpoint);
            limit.begin(ctx);
            ctx.addEndHandler(end -> {
                limit.end(ctx);
                hashTime.end(ctx);
                timers.stop(sample, ctx.response().getStatusCode());
            });
            serve(ctx, endpoint);
        });
    }

    private TimeLimit limit(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.files() == Endpoint.Files.NONE) {
            return time;
        }
        return mayBeVideo(ctx, endpoint) ? videoTime : uploadTime;
    }

    /** Whether it is longer than a picture, or may be. */
    private boolean mayBeVideo(RoutingContext ctx, Endpoint endpoint) {
        long declared = RequestBody.declared(ctx.request());
        return endpoint.files() == Endpoint.Files.ANY
                && files.takesClips()
                && (declared < 0 || declared > files.bytesMax());
    }

    private FileLimits fileLimits(Endpoint endpoint) {
        boolean any = endpoint.files() == Endpoint.Files.ANY;
        return new FileLimits(files.bytesMax(), any ? new ClipLimit(files.videoBytesMax()) : null);
    }

    private void mountWrongMethod(Router router, String path) {
        List<HttpMethod> taken = endpoints.stream()
                .filter(endpoint -> endpoint.path().equals(path))
                .flatMap(endpoint -> methods(endpoint).stream())
                .toList();
        MethodNotAllowed.mount(router, path, taken);
    }

    /** HEAD is answered wherever GET is. */
    private static List<HttpMethod> methods(Endpoint endpoint) {
        return endpoint.method().equals(HttpMethod.GET)
                ? List.of(HttpMethod.GET, HttpMethod.HEAD)
                : List.of(endpoint.method());
    }

    private void serve(RoutingContext ctx, Endpoint endpoint) {
        call(ctx, endpoint)
                .compose(endpoint.action()::answer)
                .onComplete(answer -> send(ctx, endpoint, answer), cause -> Problems.answer(ctx, cause));
    }

    /** It has come in time; a long one may take as long as its reader likes. */
    private void send(RoutingContext ctx, Endpoint endpoint, Answer answer) {
        limit(ctx, endpoint).end(ctx);
        hashTime.end(ctx);
        answer.send(ctx.request(), compressor);
    }

    /** The body comes last: nobody has it read who may not ask, or asks too often. */
    private Future<Call> call(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.isConstant()) {
            MultiMap nothing = MultiMap.caseInsensitiveMultiMap();
            return Future.succeededFuture(new Call(
                    ctx.request(), nothing, null, Parameters.none(), ctx.pathParam("id"), ctx.pathParam("name")));
        }
        String token = endpoint.access().readsToken() ? token(ctx.request(), sessions) : null;
        int bytesMax = endpoint.body() ? http.bodyMaxBytes() : BodyReader.UNASKED_BYTES_MAX;
        bodies.hold(
                ctx, hasFiles(ctx, endpoint) ? bytesMax + fileLimits(endpoint).bytesMax() : bytesMax);
        return identify(ctx, endpoint, token)
                .compose(principal -> count(ctx, endpoint, principal))
                .compose(principal -> parameters(ctx, endpoint, bytesMax, principal)
                        .onSuccess(given -> beginHash(ctx, endpoint))
                        .map(given -> {
                            if (endpoint.method().equals(HttpMethod.GET)) {
                                given.refuseLaterThan(clock.millis() + CURSOR_AHEAD_MILLIS);
                            }
                            return given;
                        })
                        .map(given -> new Call(
                                ctx.request(),
                                ctx.queryParams(),
                                principal,
                                given,
                                ctx.pathParam("id"),
                                ctx.pathParam("name"))));
    }

    /** Its body has come in the time that every request has; from now on its hash may take longer. */
    private void beginHash(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.hashes() && !ctx.response().ended()) {
            time.end(ctx);
            hashTime.begin(ctx);
        }
    }

    /** The token of the {@code Authorization} header, else that of the session of our own pages. */
    private static String token(HttpServerRequest request, SessionCookie sessions) {
        String bearer = Authentication.bearer(request);
        return bearer == null ? sessions.token(request) : bearer;
    }

    private Future<Principal> identify(RoutingContext ctx, Endpoint endpoint, String token) {
        return authentication
                .identify(token)
                .map(principal -> check(ctx, endpoint.access(), principal))
                .recover(cause -> refused(ctx, cause));
    }

    /**
     * Reads the parameters of a request. A GET may have a short body too: some clients send its parameters so, such as
     * Mastodon.py for familiar_followers.
     */
    private Future<Parameters> parameters(RoutingContext ctx, Endpoint endpoint, int bytesMax, Principal principal) {
        boolean read = endpoint.body() || endpoint.method().equals(HttpMethod.GET);
        if (hasFiles(ctx, endpoint)) {
            FileParts parts = new FileParts(
                    ctx.vertx(),
                    media,
                    principal.userId(),
                    fileLimits(endpoint),
                    nanos,
                    () -> room(ctx, endpoint),
                    new FileParts.Listener() {
                        @Override
                        public void begun() {
                            IdleTime.suspend(ctx);
                        }

                        @Override
                        public void awaitsClient() {
                            awaitClient(ctx, endpoint);
                        }

                        @Override
                        public void awaitsServer() {
                            awaitServer(ctx, endpoint);
                        }
                    });
            int unused = ctx.addEndHandler(end -> parts.end());
            IdleTime.stretch(ctx, mayBeVideo(ctx, endpoint) ? files.videoTimeout() : files.uploadTimeout());
            return bodies.read(ctx, bytesMax, principal, parts).onComplete(done -> parts.whole());
        }
        return read ? bodies.read(ctx, bytesMax, principal) : bodies.skip(ctx);
    }

    /** From now on the speed of the upload is watched, not how long it takes. */
    private void awaitClient(RoutingContext ctx, Endpoint endpoint) {
        limit(ctx, endpoint).end(ctx);
    }

    /** From now on the time of the server is limited: until the disk has taken the bytes, or until the answer. */
    private void awaitServer(RoutingContext ctx, Endpoint endpoint) {
        if (!ctx.response().ended() && !ctx.response().closed()) {
            TimeLimit limit = limit(ctx, endpoint);
            limit.end(ctx);
            limit.begin(ctx);
        }
    }

    /** Room on the disk for the files of a request, which are not longer than it and than they may be. */
    private Runnable room(RoutingContext ctx, Endpoint endpoint) {
        String length = ctx.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        long most = fileLimits(endpoint).bytesMax();
        // The decoder of requests has checked that it is a number.
        return disk.hold(media.store().draft(), length == null ? most : Math.min(most, Long.parseLong(length)));
    }

    private static boolean hasFiles(RoutingContext ctx, Endpoint endpoint) {
        return endpoint.files() != Endpoint.Files.NONE
                && BodyReader.hasBody(ctx)
                && BodyReader.isMultipart(ctx.request());
    }

    private Principal check(RoutingContext ctx, Access access, Principal principal) {
        try {
            return access.check(principal);
        } catch (Refusal refusal) {
            if (refusal.reason() == Refusal.Reason.FORBIDDEN) {
                audit.note(
                        ctx.request(),
                        AuditLog.Event.SCOPE_REFUSED,
                        AuditLog.Reason.BEYOND_TOKEN,
                        AuditLog.Subject.of(principal));
            }
            throw refusal;
        }
    }

    /** Counts a refused token against the limit of its address, so trying tokens is as limited as sending none. */
    private Future<Principal> refused(RoutingContext ctx, Throwable cause) {
        if (!(cause instanceof Refusal)) {
            return Future.failedFuture(cause);
        }
        return rates.take(ctx.request(), null, RateLimit.REQUESTS).compose(counted -> Future.failedFuture(cause));
    }

    /** Every request counts, and against the limit of what it does as well; nothing is done before that. */
    private Future<Principal> count(RoutingContext ctx, Endpoint endpoint, Principal principal) {
        RateLimit own = endpoint.limit();
        Future<Void> counted = rates.take(ctx.request(), principal, RateLimit.REQUESTS);
        return own == RateLimit.REQUESTS
                ? counted.map(principal)
                : counted.compose(passed -> rates.take(ctx.request(), principal, own))
                        .map(principal);
    }
}
