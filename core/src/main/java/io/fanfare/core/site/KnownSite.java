package io.fanfare.core.site;

import io.fanfare.vertx.PeriodicRead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The site as one event loop knows it, so that no request waits for it: every few seconds it reads one number, and the
 * rest if that has changed. Until the first look nothing is published. Confined to one event loop.
 */
public final class KnownSite implements Supplier<Site> {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSite.class);

    /** How long a change takes to be seen, about. */
    static final Duration EVERY = Duration.ofSeconds(3);

    private final Sites sites;
    private Site known = Site.EMPTY;

    public KnownSite(Sites sites) {
        this.sites = sites;
    }

    /** The known site, at once. */
    @Override
    public Site get() {
        return known;
    }

    /** Begins to look by itself, until the verticle is undeployed. Completes after the first look, and never fails. */
    public Future<Void> start(Vertx vertx) {
        return new PeriodicRead(this::look).start(vertx, EVERY);
    }

    /** Looks once; never fails: the known site stays. */
    Future<Void> look() {
        return sites.news(known.version()).transform(news -> {
            if (news.succeeded()) {
                news.result().ifPresent(changed -> known = changed);
            } else {
                LOG.debug("site not read cause={}", news.cause().toString());
            }
            return Future.succeededFuture();
        });
    }
}
