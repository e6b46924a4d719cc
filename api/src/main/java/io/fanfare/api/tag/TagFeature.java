package io.fanfare.api.tag;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.core.graph.TagFollows;
import java.util.List;
import java.util.stream.Stream;

/** Hashtags: those on profiles, those that accounts follow, and trends. */
public final class TagFeature implements ApiFeature {
    private final FeaturedTagRoutes featured;
    private final FollowedTagRoutes followed;
    private final TrendRoutes trends;

    public TagFeature(ApiLoop loop) {
        FeaturedTags featuredTags = new FeaturedTags(loop.redis(), loop.statuses());
        FollowedTags followedTags = new FollowedTags(loop.redis(), loop.settings());
        TagRenderer renderer = TagRenderer.of(loop);
        this.featured = new FeaturedTagRoutes(
                loop.publicUrl(), loop.accounts(), featuredTags, loop.pressure(), loop.viewerRelationships(), renderer);
        this.followed = new FollowedTagRoutes(
                loop.publicUrl(),
                followedTags,
                new TagFollows(followedTags, loop.stores().follows()),
                loop.pressure(),
                renderer);
        this.trends = new TrendRoutes(loop.stores().publicTimelines().trends(), renderer);
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(featured.endpoints(), followed.endpoints(), trends.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
