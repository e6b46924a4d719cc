package io.fanfare.api;

import io.fanfare.common.auth.AuthorizationCodes;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.http.AuditLog;
import io.fanfare.common.http.Authentication;
import io.fanfare.common.http.BodyReader;
import io.fanfare.common.http.ClientAddress;
import io.fanfare.common.http.Parameters;
import io.fanfare.common.http.Problems;
import io.fanfare.common.http.TimeLimit;
import io.fanfare.common.http.WrongMethod;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.queue.JobQueue;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Allowances;
import io.fanfare.common.store.Apps;
import io.fanfare.common.store.Blocks;
import io.fanfare.common.store.Bookmarks;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.Consequences;
import io.fanfare.common.store.Echoes;
import io.fanfare.common.store.Favourites;
import io.fanfare.common.store.Follows;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Herald;
import io.fanfare.common.store.Homes;
import io.fanfare.common.store.Markers;
import io.fanfare.common.store.Marks;
import io.fanfare.common.store.Names;
import io.fanfare.common.store.NotificationEvents;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.PublicTimelines;
import io.fanfare.common.store.Sights;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SurroundingsLoader;
import io.fanfare.common.store.Threads;
import io.fanfare.common.store.Timelines;
import io.fanfare.common.store.Totals;
import io.fanfare.common.view.Views;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * The REST API, ready to be mounted on a router. The route tables are in the {@code *Routes} classes, one line per route; here is what happens to every request: time limit,
 * length of the body, token, rate limits, body, endpoint, answer. Confined to one event loop.
 */
public final class ApiRoutes {
    private final Settings.Http http;
    private final MeterRegistry metrics;
    private final Authentication authentication;
    private final AuditLog audit;
    private final RateLimits rates;
    private final TimeLimit time;
    private final BodyReader bodies;
    private final List<Endpoint> endpoints;

    private ApiRoutes(
            Settings.Http http,
            MeterRegistry metrics,
            Authentication authentication,
            AuditLog audit,
            RateLimits rates,
            TimeLimit time,
            BodyReader bodies,
            List<Endpoint> endpoints) {
        this.http = http;
        this.metrics = metrics;
        this.authentication = authentication;
        this.audit = audit;
        this.rates = rates;
        this.time = time;
        this.bodies = bodies;
        this.endpoints = endpoints;
    }

    /**
     * Builds the API of one event loop on that loop's link.
     *
     * @param tokens the only ones of the event loop: what they revoke is refused there at once
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    public static ApiRoutes compose(Vertx vertx, RedisLink redis, Tokens tokens, ApiParts parts, String publicUrl) {
        CommonPasswords.load();
        Settings settings = parts.settings();
        Views views = new Views(publicUrl, parts.cache());
        Accounts accounts = new Accounts(redis, parts.shards(), parts.random(), parts.cache());
        Apps apps = new Apps(redis);
        Statuses statuses = new Statuses(redis, settings, parts.cache());
        Graph graph = new Graph(redis, settings);
        Sights sights = new Sights(redis);
        Homes homes = new Homes(redis, settings.feeds());
        Timelines timelines = new Timelines(redis, homes, statuses, sights, parts.random(), settings.feeds());
        EventLog events = new EventLog(redis, parts.random(), settings.stream());
        JobQueue queue = new JobQueue(redis, parts.shards(), settings.queue());
        Notifications words = new Notifications(redis, settings, statuses, sights);
        SurroundingsLoader surroundings = new SurroundingsLoader(redis, statuses, accounts, sights);
        Herald herald = new NotificationEvents(events, words, accounts, surroundings, views);
        Follows follows = new Follows(graph, homes, statuses, events, herald);
        MemoryPressure pressure = new MemoryPressure(vertx, redis);
        StatusPages pages = new StatusPages(surroundings, views);
        Marks marks = new Marks(redis, settings);
        Threads threads = new Threads(redis, statuses, sights);
        VisibleStatuses visible = new VisibleStatuses(statuses, sights);
        PublicTimelines everybodys = new PublicTimelines(redis, statuses, sights, settings.feeds());
        Echoes echoes = new Echoes(marks);
        Consequences consequences = new Consequences(echoes, words, everybodys, herald);
        Composer composer = new Composer(accounts, publicUrl);
        ClientAddress addresses = new ClientAddress(settings.http().trustedProxies());
        RateLimits rates = new RateLimits(
                settings.limits(), addresses, new Allowances(redis), new Refusals(parts.metrics()), parts.clock());
        AuditLog audit = new AuditLog(settings, parts.keys(), parts.metrics(), parts.clock(), parts.nanos());
        Publisher publisher =
                new Publisher(statuses, echoes, consequences, herald, events, queue, pressure, pages, views, rates);

        Logins logins = new Logins(accounts, parts.passwords(), rates, audit);
        AuthorizationCodes codes = new AuthorizationCodes(redis, parts.random());
        OAuthRoutes oauth = new OAuthRoutes(
                settings.auth(), publicUrl, apps, tokens, logins, rates, codes, audit, parts.clock(), parts.random());
        AccountRoutes people =
                new AccountRoutes(settings, publicUrl, accounts, apps, tokens, parts.passwords(), rates, audit, views);
        AccountPages accountPages = new AccountPages(publicUrl, accounts, sights, views);
        GraphRoutes edges =
                new GraphRoutes(settings.limits(), accounts, graph, follows, queue, rates, sights, accountPages, views);
        Blocks blocks = new Blocks(redis, settings, graph, follows);
        BlockRoutes shunned = new BlockRoutes(settings.limits(), accounts, blocks, sights, accountPages);
        StatusRoutes posts = new StatusRoutes(settings.limits(), accounts, composer, publisher, visible, pages);
        RepostRoutes reposts = new RepostRoutes(
                settings.limits(), publicUrl, composer, publisher, visible, statuses, accounts, threads, pages, views);
        ThreadRoutes comments =
                new ThreadRoutes(settings.limits(), publicUrl, accounts, composer, publisher, visible, threads, pages);
        TimelineRoutes lists = new TimelineRoutes(settings.limits(), publicUrl, timelines, accounts, pages);
        PublicRoutes open = new PublicRoutes(settings.limits(), publicUrl, everybodys, pages, views);
        PageRoutes browsers = new PageRoutes(settings.limits(), publicUrl, accounts, timelines, everybodys, visible);
        AuthorizeRoutes authorize = new AuthorizeRoutes(publicUrl, apps, logins, codes, parts.clock(), parts.random());
        SelfRoutes self = new SelfRoutes(accounts, apps, tokens, parts.passwords(), logins, audit, views);
        Favourites favourites = new Favourites(redis, settings, statuses, sights, marks, herald);
        Bookmarks bookmarks = new Bookmarks(redis, settings, statuses, sights);
        InteractionRoutes likes = new InteractionRoutes(
                settings.limits(), publicUrl, favourites, bookmarks, visible, queue, pages, accountPages);
        Markers markers = new Markers(redis);
        NotificationRoutes news =
                new NotificationRoutes(settings.limits(), publicUrl, words, markers, accounts, pages, views);
        MarkerRoutes read = new MarkerRoutes(markers);
        Names names = new Names(redis);
        SearchRoutes search = new SearchRoutes(publicUrl, accounts, names, sights, statuses, timelines, pages, views);
        Totals totals = new Totals(redis, parts.shards(), names, parts.nanos());
        DiscoveryRoutes discovery = new DiscoveryRoutes(settings.auth(), totals, publicUrl, parts.version());
        InstanceRoutes instance = new InstanceRoutes(settings, totals, publicUrl, parts.version());

        // A router tries one after the other: those that are asked for most stand first.
        List<Endpoint> endpoints = Stream.of(
                        lists.endpoints(),
                        posts.endpoints(),
                        oauth.endpoints(),
                        authorize.endpoints(),
                        discovery.endpoints(),
                        self.endpoints(),
                        edges.endpoints(), // Before those of accounts: their fixed paths would match :id as well.
                        search.endpoints(),
                        shunned.endpoints(),
                        people.endpoints(),
                        reposts.endpoints(),
                        comments.endpoints(),
                        likes.endpoints(),
                        news.endpoints(),
                        read.endpoints(),
                        open.endpoints(),
                        instance.endpoints(),
                        browsers.endpoints(),
                        StubRoutes.endpoints(),
                        DocsRoutes.endpoints(publicUrl))
                .flatMap(List::stream)
                .toList();
        TimeLimit time = new TimeLimit(settings.http().requestTimeout(), parts.nanos());
        BodyReader bodies = new BodyReader(parts.bodies(), addresses);
        return new ApiRoutes(
                settings.http(), parts.metrics(), new Authentication(tokens), audit, rates, time, bodies, endpoints);
    }

    /** Adds the API's routes to a router that has a {@link io.fanfare.common.http.FrontDoor}. */
    public void mount(Router router) {
        endpoints.forEach(endpoint -> mount(router, endpoint));
        endpoints.stream().map(Endpoint::path).distinct().forEach(path -> mountWrongMethod(router, path));
    }

    private void mount(Router router, Endpoint endpoint) {
        RequestTimers timers = new RequestTimers(metrics, endpoint);
        Route route = router.route(endpoint.path());
        methods(endpoint).forEach(route::method);
        route.handler(ctx -> {
            Timer.Sample sample = timers.start();
            time.begin(ctx);
            ctx.addEndHandler(end -> {
                time.end(ctx);
                timers.stop(sample, ctx.response().getStatusCode());
            });
            serve(ctx, endpoint);
        });
    }

    private void mountWrongMethod(Router router, String path) {
        List<HttpMethod> taken = endpoints.stream()
                .filter(endpoint -> endpoint.path().equals(path))
                .flatMap(endpoint -> methods(endpoint).stream())
                .toList();
        WrongMethod.mount(router, path, taken);
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
                .onComplete(answer -> send(ctx, answer), cause -> Problems.answer(ctx, cause));
    }

    /** It has come in time; a long one may take as long as its reader likes. */
    private void send(RoutingContext ctx, Answer answer) {
        time.end(ctx);
        answer.send(ctx.request());
    }

    /** The body comes last: nobody has it read who may not ask, or asks too often. */
    private Future<Call> call(RoutingContext ctx, Endpoint endpoint) {
        if (endpoint.isConstant()) {
            MultiMap nothing = MultiMap.caseInsensitiveMultiMap();
            return Future.succeededFuture(new Call(ctx.request(), nothing, null, Parameters.none(), null));
        }
        String token = endpoint.access().readsToken() ? Authentication.bearer(ctx.request()) : null;
        int bytesMax = endpoint.body() ? http.bodyMaxBytes() : BodyReader.UNASKED_BYTES_MAX;
        bodies.hold(ctx, bytesMax);
        return identify(ctx, endpoint, token)
                .compose(principal -> count(ctx, endpoint, principal))
                .compose(principal -> parameters(ctx, endpoint, bytesMax, principal)
                        .map(given ->
                                new Call(ctx.request(), ctx.queryParams(), principal, given, ctx.pathParam("id"))));
    }

    private Future<Principal> identify(RoutingContext ctx, Endpoint endpoint, String token) {
        return authentication
                .identify(token)
                .map(principal -> check(ctx, endpoint.access(), principal))
                .recover(cause -> refused(ctx, cause));
    }

    /** Of a GET a short body is read, since some clients send its parameters so, such as Mastodon.py for familiar_followers. */
    private Future<Parameters> parameters(RoutingContext ctx, Endpoint endpoint, int bytesMax, Principal principal) {
        boolean read = endpoint.body() || endpoint.method().equals(HttpMethod.GET);
        return read ? bodies.read(ctx, bytesMax, principal) : bodies.skip(ctx);
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

    /** What is refused for its token counts too, by address: who tries tokens is as bounded as who has none. */
    private Future<Principal> refused(RoutingContext ctx, Throwable cause) {
        if (!(cause instanceof Refusal)) {
            return Future.failedFuture(cause);
        }
        return rates.take(ctx.request(), null, Limit.REQUESTS).compose(counted -> Future.failedFuture(cause));
    }

    /** Every request counts, and against the limit of what it does as well; nothing is done before that. */
    private Future<Principal> count(RoutingContext ctx, Endpoint endpoint, Principal principal) {
        Limit own = endpoint.limit();
        Future<Void> counted = rates.take(ctx.request(), principal, Limit.REQUESTS);
        return own == Limit.REQUESTS
                ? counted.map(principal)
                : counted.compose(passed -> rates.take(ctx.request(), principal, own))
                        .map(principal);
    }
}
