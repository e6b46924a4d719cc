package io.fanfare.api.post;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.schedule.ScheduledStatusRenderer;
import io.fanfare.core.posting.Scheduling;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.redis.Redis;
import java.util.List;
import java.util.stream.Stream;

/** Statuses: posts, reposts, quotes and threads, and what users do with them: like, bookmark, pin. */
public final class PostFeature implements ApiFeature {
    private final StatusRoutes statuses;
    private final RepostRoutes reposts;
    private final QuoteRoutes quotes;
    private final ThreadRoutes threads;
    private final PinRoutes pins;
    private final InteractionRoutes interactions;

    public PostFeature(ApiLoop loop) {
        Threads contexts = new Threads(loop.redis(), loop.statuses(), loop.viewerRelationships());
        Redis redis = loop.stores().redis();
        this.statuses = new StatusRoutes(
                loop.limits(),
                loop.posting(),
                loop.editing(),
                new Scheduling(loop.stores(), new ScheduledStatuses(redis), loop.gate()),
                loop.deletion(),
                loop.stores().edits(),
                loop.visible(),
                loop.accounts(),
                loop.renderer(),
                new ScheduledStatusRenderer(loop.views()),
                loop.views());
        this.reposts = new RepostRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.posting(),
                loop.deletion(),
                loop.visible(),
                loop.statuses(),
                loop.accounts(),
                contexts,
                loop.renderer(),
                loop.views());
        this.quotes = new QuoteRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.editing(),
                contexts,
                loop.visible(),
                loop.statuses(),
                loop.renderer());
        this.threads = new ThreadRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.posting(),
                loop.visible(),
                contexts,
                loop.accounts(),
                loop.renderer());
        Pins pinned = new Pins(loop.redis(), loop.statuses().archived(), loop.statuses());
        this.pins = new PinRoutes(pinned, loop.visible(), loop.pressure(), loop.renderer());
        this.interactions = new InteractionRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.stores().favourites(),
                new Bookmarks(redis, loop.settings(), loop.statuses(), loop.viewerRelationships()),
                loop.visible(),
                loop.announcer(),
                loop.pressure(),
                loop.renderer(),
                loop.accountRenderer());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(
                        statuses.endpoints(),
                        reposts.endpoints(),
                        quotes.endpoints(),
                        threads.endpoints(),
                        pins.endpoints(),
                        interactions.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
