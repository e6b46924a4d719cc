package io.fanfare.stream.routes;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.view.Json;
import io.fanfare.redis.RedisError;
import io.fanfare.server.http.AcceptedCodings;
import io.fanfare.server.http.BodyReader;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.MethodNotAllowed;
import io.fanfare.server.http.Parameters;
import io.fanfare.server.http.Problems;
import io.fanfare.server.http.TimeLimit;
import io.fanfare.stream.access.StreamAdmission;
import io.fanfare.stream.access.StreamParts;
import io.fanfare.stream.access.Tickets;
import io.fanfare.stream.filter.FirehoseFilter;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.session.FilterBudget;
import io.fanfare.stream.session.StartPosition;
import io.fanfare.stream.session.StartPositionResolver;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.stream.session.StreamOptions;
import io.fanfare.stream.session.Subscriber;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.fanfare.stream.wire.FieldSelection;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The streaming endpoints over HTTP. A client that may not listen gets an error status, for good; a temporary refusal
 * comes in-band on a native stream, with status 200 and a time to come back, because any other status ends an
 * EventSource for ever. Confined to one event loop.
 */
public final class StreamRoutes {
    /** Long lists of a filter come in the body of a POST; from users only, others have {@code http.body-max-bytes}. */
    private static final int BODY_BYTES_MAX = 2 << 20;

    /** The status that Twitter sent for 429. */
    private static final int ENHANCE_YOUR_CALM = 420;

    private static final String BASE = "/api/v1/streaming";
    private static final String TWITTER = "/1.1/statuses";
    private static final String CONNECTION = BASE + "/connections/:conn/filter";

    private final StreamHub hub;
    private final StreamAdmission admission;
    private final MastodonStreams streams;
    private final FilterRequest filters;
    private final StartPositionResolver positions;
    private final BodyReader bodies;
    private final TimeLimit time;
    private final int strangersBytesMax;
    private final int quota;
    private final Duration deadAfter;
    private final boolean compresses;

    public StreamRoutes(StreamParts parts) {
        this.hub = parts.hub();
        this.admission = new StreamAdmission(parts);
        this.filters = new FilterRequest(parts.accounts(), parts.settings().stream(), parts.sampleSalt());
        this.streams = new MastodonStreams(
                hub,
                parts.graph(),
                new UserLists(parts.redis(), parts.settings()),
                new FollowedTags(parts.redis(), parts.settings()),
                parts.accounts());
        this.positions = new StartPositionResolver(hub.log(), hub.timers());
        Settings.Http http = parts.settings().http();
        this.bodies = new BodyReader(parts.bodies(), new ClientAddress(http.trustedProxies()));
        this.time = new TimeLimit(http.requestTimeout(), hub.timers()::nanos);
        this.strangersBytesMax = Math.min(http.bodyMaxBytes(), BODY_BYTES_MAX);
        this.quota = parts.settings().stream().quota();
        this.deadAfter = parts.settings().stream().deadAfter();
        this.compresses = parts.settings().stream().compress();
    }

    /** Adds the endpoints to a router that has a {@link io.fanfare.server.http.CommonHandlers}. */
    public void mount(Router router) {
        // HEAD is answered wherever a GET opens a stream.
        List<HttpMethod> get = List.of(HttpMethod.GET, HttpMethod.HEAD);
        List<HttpMethod> both = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST);
        mount(router, BASE + "/health", get, StreamRoutes::health);
        mount(router, BASE + "/tickets", List.of(HttpMethod.POST), this::ticket);
        mount(router, CONNECTION, List.of(HttpMethod.PUT), this::change);

        stream(router, BASE + "/firehose", get, "firehose", this::ours, selecting(this::firehose));
        stream(router, BASE + "/sample", get, "sample", this::ours, selecting(this::sample));
        stream(router, BASE + "/filter", both, "filter", this::ours, this::filter);
        stream(router, BASE + "/home", get, "home", this::ours, streams::home);

        stream(router, BASE + "/user", get, "user", (any, lengths, extended) -> Dialect.MASTODON, streams::home);
        for (String name : MastodonStreams.OVER_HTTP) {
            String path = BASE + "/" + name.replace(':', '/');
            stream(router, path, get, name, (any, lengths, extended) -> Dialect.MASTODON, named(name));
        }
        stream(router, TWITTER + "/firehose.json", get, "firehose", StreamRoutes::twitters, this::firehose);
        stream(router, TWITTER + "/sample.json", get, "sample", StreamRoutes::twitters, this::sample);
        stream(router, TWITTER + "/filter.json", both, "filter", StreamRoutes::twitters, this::unexplained);
        new StreamSocket(hub, admission, streams, deadAfter).mount(router, BASE);
    }

    /** Makes the filter of a stream, by the request. */
    private interface FilterFactory {
        Future<? extends StreamFilter> filter(Parameters parameters, Principal who);
    }

    private interface FirehoseFactory {
        Future<FirehoseFilter> filter(Parameters parameters, Principal who);
    }

    /**
     * How a stream speaks, by the request; {@code lengths} with the length of each message, {@code extended} with
     * {@code tweet_mode=extended}.
     */
    private interface DialectChooser {
        Dialect dialect(RoutingContext ctx, boolean lengths, boolean extended);
    }

    private void stream(
            Router router,
            String path,
            List<HttpMethod> methods,
            String name,
            DialectChooser chooser,
            FilterFactory factory) {
        mount(router, path, methods, ctx -> open(ctx, name, chooser, factory));
    }

    private static void mount(Router router, String path, List<HttpMethod> methods, Handler<RoutingContext> handler) {
        Route route = router.route(path);
        methods.forEach(route::method);
        route.handler(handler);
        MethodNotAllowed.mount(router, path, methods);
    }

    private static void health(RoutingContext ctx) {
        ctx.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end("OK")
                .onFailure(gone -> {});
    }

    private Future<FirehoseFilter> firehose(Parameters parameters, Principal who) {
        return Future.succeededFuture(FirehoseFilter.WHOLE.part(FilterParameter.partition(parameters)));
    }

    private Future<FirehoseFilter> sample(Parameters parameters, Principal who) {
        return Future.succeededFuture(
                FirehoseFilter.of(filters.sample(parameters, "1")).part(FilterParameter.partition(parameters)));
    }

    /** Only our own dialect sends a part of a status: the others make something else of the whole. */
    private static FilterFactory selecting(FirehoseFactory factory) {
        return (parameters, who) -> {
            FieldSelection fields = FilterParameter.fields(parameters);
            return factory.filter(parameters, who).map(filter -> filter.selecting(fields));
        };
    }

    private Future<PredicateFilter> filter(Parameters parameters, Principal who) {
        return filters.read(parameters);
    }

    private Future<PredicateFilter> unexplained(Parameters parameters, Principal who) {
        if (parameters.flag("explain", false)) {
            throw InvalidFilter.unacceptable(
                    "explain", "Twitter's dialect has no words for explain: take /api/v1/streaming/filter.");
        }
        if (!FilterParameter.fields(parameters).names().isEmpty()) {
            throw InvalidFilter.unacceptable(
                    "fields", "Twitter's dialect sends whole tweets: take /api/v1/streaming/filter.");
        }
        return filters.read(parameters);
    }

    private FilterFactory named(String name) {
        return (parameters, who) -> {
            boolean media = name.startsWith("public") && parameters.flag("only_media", false);
            return streams.named(
                    media ? name + ":media" : name, parameters.text(name.equals("list") ? "list" : "tag", ""), who);
        };
    }

    /** Events by default, lines for a client that accepts JSON. */
    private Dialect ours(RoutingContext ctx, boolean lengths, boolean extended) {
        String header = ctx.request().getHeader(HttpHeaders.ACCEPT);
        String accept = header == null ? "" : header.toLowerCase(Locale.ROOT);
        boolean lines = !accept.contains("text/event-stream")
                && (accept.contains("application/json") || accept.contains("application/x-ndjson"));
        return lines || lengths ? (lengths ? Dialect.LENGTHS_AND_LINES : Dialect.LINES) : Dialect.NATIVE;
    }

    private static Dialect twitters(RoutingContext ctx, boolean lengths, boolean extended) {
        if (extended) {
            return lengths ? Dialect.LENGTHS_AND_TWITTER_EXTENDED : Dialect.TWITTER_EXTENDED;
        }
        return lengths ? Dialect.LENGTHS_AND_TWITTER : Dialect.TWITTER;
    }

    /** @param parameter reads one by its name; null or empty = not given */
    private static Dialect dialect(DialectChooser chooser, RoutingContext ctx, UnaryOperator<String> parameter) {
        boolean lengths = "length".equals(parameter.apply("delimited"));
        return chooser.dialect(ctx, lengths, "extended".equals(parameter.apply("tweet_mode")));
    }

    /**
     * How long a body is, who asks and how often comes before the body is read. The place in the log is taken before
     * anything is read that a filter is made of, so that no change between the two is missed; a filter makes up for it
     * when the stream begins later.
     */
    private void open(RoutingContext ctx, String name, DialectChooser chooser, FilterFactory factory) {
        HttpServerRequest request = ctx.request();
        Dialect requested = dialect(chooser, ctx, request::getParam);
        admission
                .arriving(request)
                .compose(come -> held(ctx, takesLists(ctx)))
                .map(come -> StartPosition.of(null, hub.known()))
                .compose(now -> admission
                        .listener(request, requested, MastodonStreams.isPersonal(name))
                        .map(listener -> new Arrival(listener, now)))
                .onFailure(this::count)
                .onComplete(
                        arrival -> read(ctx, arrival.listener())
                                .<Void>map(given -> {
                                    Dialect dialect = dialect(chooser, ctx, given::text);
                                    open(ctx, name, dialect, factory, given, arrival);
                                    return null;
                                })
                                .onFailure(cause -> Problems.answer(ctx, cause)),
                        cause -> refuse(ctx, name, requested, cause));
    }

    /** @param now where the log stood */
    private record Arrival(StreamAdmission.Listener listener, StartPosition now) {}

    private static boolean takesLists(RoutingContext ctx) {
        HttpMethod method = ctx.request().method();
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT);
    }

    /** From here on, the body of a request has its time to come. */
    private Future<Void> held(RoutingContext ctx, boolean lists) {
        return Future.future(held -> {
            bodies.hold(ctx, lists ? BODY_BYTES_MAX : BodyReader.UNASKED_BYTES_MAX);
            if (BodyReader.hasBody(ctx)) {
                time.begin(ctx);
                int unused = ctx.addEndHandler(end -> time.end(ctx));
            }
            held.complete();
        });
    }

    private Future<Parameters> read(RoutingContext ctx, StreamAdmission.Listener listener) {
        int listsMax = listener.userId() == 0 ? strangersBytesMax : BODY_BYTES_MAX;
        return bodies.read(ctx, takesLists(ctx) ? listsMax : BodyReader.UNASKED_BYTES_MAX, listener.principal())
                .onSuccess(read -> time.end(ctx));
    }

    private void open(
            RoutingContext ctx,
            String name,
            Dialect dialect,
            FilterFactory factory,
            Parameters given,
            Arrival arrival) {
        HttpServerRequest request = ctx.request();
        StreamAdmission.Listener listener = arrival.listener();
        Future.succeededFuture(listener)
                .compose(known -> factory.filter(given, known.principal()))
                .compose(filter -> admission.shielded(listener, filter))
                .compose(filter -> admission.marked(listener, name, dialect, filter))
                .compose(filter -> start(request, given, filter, dialect, arrival.now())
                        .map(start -> new Opening(listener, filter, options(given, name, dialect), start)))
                .map(opening -> ifRoom(request, opening))
                .onFailure(this::count)
                .<Void>map(opening -> {
                    begin(ctx, name, dialect, opening);
                    return null;
                })
                .onFailure(cause -> refuse(ctx, name, dialect, cause));
    }

    /** The options of a stream. Personal streams never leave anything out for a quota. */
    private StreamOptions options(Parameters parameters, String name, Dialect dialect) {
        return StreamOptions.of(parameters, dialect, MastodonStreams.isPersonal(name) ? 0 : quota);
    }

    private record Opening(
            StreamAdmission.Listener listener,
            StreamFilter filter,
            StreamOptions options,
            StartPositionResolver.Start start) {}

    /** Mastodon's clients know no cursors; a stream without one begins at the log's tip at the request. */
    private Future<StartPositionResolver.Start> start(
            HttpServerRequest request, Parameters parameters, StreamFilter filter, Dialect dialect, StartPosition now) {
        if (dialect == Dialect.MASTODON || isHead(request)) {
            return Future.succeededFuture(new StartPositionResolver.Start(now, Long.MAX_VALUE));
        }
        return positions.read(request.getHeader("Last-Event-ID"), parameters, filter, now, request.response()::closed);
    }

    /** Whether the request is for the head only: it gets that, and no stream, and no start is looked for. */
    private static boolean isHead(HttpServerRequest request) {
        return request.method().equals(HttpMethod.HEAD);
    }

    /** Checked last, since others may have come while Redis was read. */
    private Opening ifRoom(HttpServerRequest request, Opening opening) {
        admission.admit(request);
        hub.makeSureOfRoom();
        return opening;
    }

    private void begin(RoutingContext ctx, String name, Dialect dialect, Opening opening) {
        HttpServerResponse response = ctx.response();
        if (response.closed() || response.headWritten()) {
            return;
        }
        boolean compressed = compresses && isForAll(name) && AcceptedCodings.gzip(ctx.request());
        if (isHead(ctx.request())) {
            head(response, dialect);
            code(response, name, compressed);
            response.end().onFailure(gone -> {});
            return;
        }
        bodies.done(ctx);
        StreamOptions options = opening.options().until(opening.start().until());
        FilterBudget.Reservation reserved;
        try {
            reserved = admission.reserve(opening.listener(), ctx.request(), opening.filter());
        } catch (Refusal | InvalidFilter full) {
            refuse(ctx, name, dialect, full);
            return;
        }
        head(response, dialect);
        code(response, name, compressed);
        Subscriber subscriber = hub.open(
                name,
                hub.sink(ctx.request(), compressed),
                opening.filter(),
                dialect,
                options,
                opening.start().resume());
        subscriber.holds(reserved);
        admission.opened(opening.listener(), ctx.request(), subscriber);
        admission.claim(opening.listener(), subscriber);
        // Nobody asks for them any more, and the connection keeps them as long as the stream is open.
        ctx.request().headers().clear();
    }

    private void count(Throwable cause) {
        boolean crowded = Refusal.isFor(Refusal.Reason.TOO_MANY, cause);
        hub.counters().refused += crowded ? 1 : 0;
    }

    private void refuse(RoutingContext ctx, String name, Dialect dialect, Throwable cause) {
        HttpServerResponse response = ctx.response();
        Refusal.Reason reason = cause instanceof Refusal refusal ? refusal.reason() : null;
        boolean crowded = reason == Refusal.Reason.TOO_MANY;
        boolean passing = cause instanceof RedisError || reason == Refusal.Reason.OVERLOADED || crowded;
        if (response.closed() || response.headWritten()) {
            return;
        }
        if (passing && dialect.endsInBand()) {
            Disconnect why = crowded ? Disconnect.TOO_MANY : Disconnect.SHED_LOAD;
            long owedMillis = crowded ? ((Refusal) cause).retrySeconds() * 1000 : 0;
            head(response, dialect);
            response.end(dialect.disconnect(why, name, owedMillis + hub.retryMillis(why)))
                    .onFailure(gone -> {});
        } else if (crowded && dialect.knowsBasic()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(((Refusal) cause).retrySeconds()));
            answer(response, ENHANCE_YOUR_CALM, json -> json.writeStringField("error", cause.getMessage()));
        } else if (cause instanceof InvalidFilter bad) {
            answer(response, bad.status(), json -> {
                json.writeStringField("error", bad.getMessage());
                json.writeStringField("param", bad.param());
                if (bad.limit() > 0) {
                    json.writeNumberField("limit", bad.limit());
                    json.writeNumberField("got", bad.got());
                }
            });
        } else if (cause instanceof StartPositionResolver.Finished) {
            // To an EventSource this says that it need not come again.
            response.setStatusCode(204).end().onFailure(gone -> {});
        } else if (cause instanceof StartPositionResolver.TooOld old) {
            answer(response, 410, json -> {
                json.writeStringField("error", old.getMessage());
                json.writeStringField(
                        "message",
                        "Events after this cursor are no longer in the log. Reload, then resume at floor or now.");
                json.writeNumberField("floor", old.floor());
            });
        } else {
            if (reason == Refusal.Reason.UNAUTHENTICATED && dialect.knowsBasic()) {
                // Clients made for Twitter show name and token only to whom asks for them in this way.
                response.putHeader("WWW-Authenticate", "Basic realm=\"Fanfare\"");
            }
            Problems.answer(ctx, cause);
        }
    }

    /** A short-lived stand-in for the caller's token. */
    private void ticket(RoutingContext ctx) {
        held(ctx, /* lists= */ false)
                .compose(held -> admission.holder(ctx.request()))
                .compose(listener -> bodies.skip(ctx).map(skipped -> listener))
                .compose(
                        listener -> admission.ticket(listener).onSuccess(ticket -> addCookie(ctx.response(), listener)))
                .onComplete(
                        ticket -> answer(ctx.response(), 200, json -> {
                            json.writeStringField("ticket", ticket);
                            json.writeNumberField("expires_in", Tickets.LIFE.toSeconds());
                        }),
                        cause -> Problems.answer(ctx, cause));
    }

    /**
     * Another filter for a stream that is open, from the next event on. Only its owner may, on the process that serves
     * it.
     */
    private void change(RoutingContext ctx) {
        held(ctx, /* lists= */ true)
                .compose(held -> admission.holder(ctx.request()))
                .compose(listener -> read(ctx, listener)
                        .compose(filters::read)
                        .compose(filter -> admission.change(ctx.pathParam("conn"), listener, ctx.request(), filter)))
                .onComplete(
                        changed -> answer(
                                ctx.response(), 200, json -> json.writeStringField("conn", ctx.pathParam("conn"))),
                        cause -> refuse(ctx, "filter", Dialect.LINES, cause));
    }

    private void addCookie(HttpServerResponse response, StreamAdmission.Listener listener) {
        if (!response.headWritten()) {
            response.putHeader(HttpHeaders.SET_COOKIE, admission.cookie(listener));
        }
    }

    private static void answer(HttpServerResponse response, int status, Json.Body fields) {
        if (response.headWritten()) {
            // A body that turned out to be malformed, or the time limit, was answered meanwhile.
            return;
        }
        byte[] body = Json.bytes(json -> {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        });
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(Buffer.buffer(body))
                .onFailure(gone -> {});
    }

    /**
     * Whether the stream consists of what many others are sent as well: then its events are compressed once for all of
     * them.
     */
    private static boolean isForAll(String name) {
        return name.equals("firehose") || name.equals("sample") || name.startsWith("public");
    }

    private void code(HttpServerResponse response, String name, boolean compressed) {
        if (compresses && isForAll(name)) {
            response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        }
        if (compressed) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, AcceptedCodings.GZIP);
        }
    }

    private static void head(HttpServerResponse response, Dialect dialect) {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, dialect.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store, no-transform")
                .putHeader("X-Accel-Buffering", "no");
    }
}
