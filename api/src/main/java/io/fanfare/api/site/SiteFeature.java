package io.fanfare.api.site;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.core.site.Dismissals;
import io.fanfare.core.site.KnownSite;
import io.fanfare.core.site.Sites;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rules, terms, privacy policy, description, contact and announcements, as operators publish them. */
public final class SiteFeature implements ApiFeature {
    private final Vertx vertx;
    private final SiteNow now;
    private final SiteRoutes texts;
    private final SitePages pages;
    private final AnnouncementRoutes announcements;

    public SiteFeature(ApiLoop loop) {
        this.vertx = loop.vertx();
        this.now = new SiteNow(new KnownSite(new Sites(loop.redis())), loop.accounts(), loop.clock());
        this.texts = new SiteRoutes(now, new SiteAnswers(now), loop.clock());
        this.pages = new SitePages(
                now,
                new SiteAnswers(now),
                loop.clock(),
                loop.pages(),
                loop.settings().instance().contactEmail());
        this.announcements = new AnnouncementRoutes(
                now,
                new Dismissals(loop.redis()),
                loop.stores().emojis(),
                loop.views(),
                loop.publicUrl(),
                loop.clock());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(texts.endpoints(), pages.endpoints(), announcements.endpoints())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Future<Void> start() {
        return now.start(vertx);
    }

    @Override
    public Optional<SiteFacts> siteFacts() {
        return Optional.of(now);
    }
}
