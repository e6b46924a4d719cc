package io.fanfare.api;

import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimiter;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.Refusals;
import io.fanfare.api.endpoint.RequestGate;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.ProcessFeature;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.Release;
import io.fanfare.common.store.SiteSwitches;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.PostGate;
import io.fanfare.core.posting.PostReview;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.media.MediaProcessor;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.SessionCookie;
import io.fanfare.web.PageRenderer;
import io.fanfare.web.WebFiles;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The parts that all API event loops of a process share.
 *
 * @param release of Fanfare, for instance documents
 * @param keys of access tokens
 * @param vapid key pair of Web Push; null = push is not offered
 * @param cache recently rendered entities, of all loops
 * @param bodies memory for request bodies, of all roles
 * @param media pictures of this process; null = none are accepted or served
 * @param nanos elapsed time
 * @param features of {@link ApiFeatures#ofProcess}
 * @param disk space that files may take
 */
public record ApiParts(
        Settings settings,
        Release release,
        Shards shards,
        SigningKeys keys,
        Vapid vapid,
        Passwords passwords,
        RenderCache cache,
        BodyBudget bodies,
        MediaProcessor media,
        MeterRegistry metrics,
        Clock clock,
        LongSupplier nanos,
        SecureRandom random,
        Archive archive,
        List<ProcessFeature> features,
        DiskReserve disk) {
    public ApiParts {
        features = List.copyOf(features);
    }

    /** Without push, pictures and an archive. */
    public ApiParts(
            Settings settings,
            Release release,
            Shards shards,
            SigningKeys keys,
            Passwords passwords,
            RenderCache cache,
            BodyBudget bodies,
            MeterRegistry metrics,
            Clock clock,
            LongSupplier nanos,
            SecureRandom random,
            List<ProcessFeature> features) {
        this(
                settings,
                release,
                shards,
                keys,
                null,
                passwords,
                cache,
                bodies,
                null,
                metrics,
                clock,
                nanos,
                random,
                Archive.none(),
                features,
                DiskReserve.none());
    }

    /**
     * The stores of one event loop; they give out no ids while its clock and Redis' differ.
     *
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    public LoopStores stores(RedisLink redis, String publicUrl) {
        Counter refusals = metrics.counter("fanfare.clock.refusals");
        Redis guarded = new ClockGuard(redis, clock, nanos, refusals::increment);
        KnownEmojis emojis = new KnownEmojis(new Emojis(redis));
        Views views = new Views(publicUrl, cache, emojis);
        return LoopStores.of(
                new LoopStores.Parts(guarded, settings, shards, cache, emojis, views, archive, clock, random, metrics));
    }

    /**
     * The parts that features share on one event loop.
     *
     * @param tokens the only ones of the event loop: what they revoke is refused there at once
     * @param publicUrl base of absolute URLs, without a trailing slash
     */
    ApiLoop loop(Vertx vertx, RedisLink redis, LoopStores stores, Tokens tokens, String publicUrl) {
        MemoryPressure pressure = new MemoryPressure(vertx, redis);
        ClientAddress addresses = new ClientAddress(settings.http().trustedProxies());
        RateLimits rates =
                new RateLimits(settings.limits(), addresses, new RateLimiter(redis), new Refusals(metrics), clock);
        Announcer announcer = new Announcer(stores.events(), new JobQueue(redis, shards, settings.queue()));
        PostGate gate = new RequestGate(pressure, rates, stores.viewerRelationships(), new PostReview());
        return new ApiLoop(
                vertx,
                redis,
                stores,
                publicUrl,
                release,
                keys,
                vapid,
                media,
                clock,
                nanos,
                random,
                new KnownSwitches(new SiteSwitches(redis)),
                tokens,
                new Authentication(tokens),
                new SessionCookie(publicUrl),
                addresses,
                rates,
                new AuditLog(settings, keys, metrics, clock, nanos),
                pressure,
                stores.timelines(nanos),
                new VisibleStatuses(stores.statuses(), stores.accounts(), stores.viewerRelationships()),
                announcer,
                gate,
                new Posting(stores, announcer, gate),
                new Editing(stores, announcer, gate),
                new StatusDeletion(stores, announcer),
                new StatusRenderer(stores.hydrator(), stores.views()),
                new AccountRenderer(publicUrl, stores.accounts(), stores.viewerRelationships(), stores.views()),
                new PageRenderer(
                        WebFiles.load(),
                        publicUrl,
                        settings.instance().title(),
                        settings.instance().description(),
                        settings.media().s3().publicOrigin(),
                        settings.http().serviceWorker()));
    }
}
