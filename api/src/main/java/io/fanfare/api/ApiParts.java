package io.fanfare.api;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.api.search.SearchIndex;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Release;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.media.MediaProcessor;
import io.fanfare.redis.ClockGuard;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.BodyBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
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
 * @param search the index of this process; null = texts are not searched
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
        SearchIndex search,
        DiskReserve disk) {
    /** Without push, pictures, an archive and full-text search. */
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
            SecureRandom random) {
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
                /* search= */ null,
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
}
