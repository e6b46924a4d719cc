package io.fanfare.api.instance;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.oauth.OauthFeature;
import io.fanfare.api.tag.TagRenderer;
import io.fanfare.common.store.UsernameIndex;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The server itself: its documents, its public timelines, and the answers of features that it does not have. */
public final class InstanceFeature implements ApiFeature {
    private final ApiLoop loop;
    private final PublicRoutes timelines;
    private final DiscoveryRoutes discovery;
    private final InstanceRoutes instance;
    private final EmojiRoutes emojis;

    public InstanceFeature(ApiLoop loop, OauthFeature oauth, SiteFacts site, Supplier<String> vapidKey) {
        this.loop = loop;
        this.timelines = new PublicRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.stores().publicTimelines(),
                TagRenderer.of(loop),
                loop.renderer());
        UsernameIndex usernames = new UsernameIndex(loop.redis());
        InstanceStats stats = new InstanceStats(loop.redis(), loop.shards(), usernames, loop.clock(), loop.nanos());
        this.discovery = new DiscoveryRoutes(
                loop.settings().auth(), loop.accounts(), stats, oauth.knownSignUps(), loop.publicUrl(), loop.release());
        this.instance = new InstanceRoutes(
                loop.settings(),
                stats,
                oauth.knownSignUps(),
                loop.switches(),
                site,
                loop.views(),
                loop.publicUrl(),
                loop.release().version(),
                vapidKey);
        this.emojis = new EmojiRoutes(loop.stores().emojis(), loop.views());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(
                        timelines.endpoints(),
                        discovery.endpoints(),
                        instance.endpoints(),
                        emojis.endpoints(),
                        StubRoutes.endpoints(),
                        DocsRoutes.endpoints(loop.publicUrl()))
                .flatMap(List::stream)
                .toList();
    }
}
