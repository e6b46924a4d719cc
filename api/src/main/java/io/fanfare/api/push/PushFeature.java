package io.fanfare.api.push;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.store.PushSubscriptions;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Subscriptions to Web Push. May be left out of a build. */
public final class PushFeature implements ApiFeature {
    private final Vapid vapid;
    private final PushRoutes subscriptions;

    public PushFeature(ApiLoop loop) {
        this.vapid = loop.vapid();
        this.subscriptions = new PushRoutes(
                loop.settings().push(),
                vapid,
                new PushSubscriptions(loop.redis()),
                new SealedTexts(loop.keys(), SealedTexts.PUSH_TOKEN),
                loop.pressure(),
                loop.random());
    }

    @Override
    public List<Endpoint> endpoints() {
        return subscriptions.endpoints();
    }

    @Override
    public Optional<Supplier<String>> vapidKey() {
        return Optional.ofNullable(vapid).map(keys -> keys::publicKey);
    }
}
