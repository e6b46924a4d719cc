package io.fanfare.api.feature;

import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.Release;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.fanfare.core.LoopStores;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.PostGate;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.media.MediaProcessor;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.SessionCookie;
import io.fanfare.web.PageRenderer;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The parts that the features of the API share on one event loop. Each is the only one of the event loop. What one
 * feature alone uses is not among them: the feature makes it.
 *
 * @param publicUrl base of absolute URLs, without a trailing slash
 * @param release of Fanfare, for instance documents
 * @param keys of access tokens
 * @param vapid key pair of Web Push; null = push is not offered
 * @param media pictures of this process; null = none are accepted or served
 * @param nanos elapsed time
 * @param timelines which remember followees and pulled authors
 */
public record ApiLoop(
        Vertx vertx,
        RedisLink redis,
        LoopStores stores,
        String publicUrl,
        Release release,
        SigningKeys keys,
        Vapid vapid,
        MediaProcessor media,
        Clock clock,
        LongSupplier nanos,
        SecureRandom random,
        KnownSwitches switches,
        Tokens tokens,
        Authentication authentication,
        SessionCookie sessions,
        ClientAddress addresses,
        RateLimits rates,
        AuditLog audit,
        MemoryPressure pressure,
        Timelines timelines,
        VisibleStatuses visible,
        Announcer announcer,
        PostGate gate,
        Posting posting,
        Editing editing,
        StatusDeletion deletion,
        StatusRenderer renderer,
        AccountRenderer accountRenderer,
        PageRenderer pages) {
    public Settings settings() {
        return stores.settings();
    }

    public Settings.Limits limits() {
        return settings().limits();
    }

    public Shards shards() {
        return stores.parts().shards();
    }

    public Views views() {
        return stores.views();
    }

    public Accounts accounts() {
        return stores.accounts();
    }

    public Statuses statuses() {
        return stores.statuses();
    }

    public ViewerRelationshipsReader viewerRelationships() {
        return stores.viewerRelationships();
    }
}
