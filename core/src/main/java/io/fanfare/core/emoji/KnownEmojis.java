package io.fanfare.core.emoji;

import io.fanfare.common.model.CustomEmojis;
import io.fanfare.vertx.PeriodicRead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The custom emojis as one event loop knows them, so that nothing that is shown waits for them: a look for changes
 * every few seconds reads one field. Until the first look there are none. Confined to one event loop.
 */
public final class KnownEmojis implements Supplier<CustomEmojis> {
    private static final Logger LOG = LoggerFactory.getLogger(KnownEmojis.class);

    /** How long a change takes to be seen, about. */
    static final Duration EVERY = Duration.ofSeconds(3);

    private final Emojis emojis;
    private CustomEmojis known = CustomEmojis.NONE;

    public KnownEmojis(Emojis emojis) {
        this.emojis = emojis;
    }

    /** The known emojis, at once. */
    @Override
    public CustomEmojis get() {
        return known;
    }

    /** Begins to look by itself, until the verticle is undeployed. Completes after the first look, and never fails. */
    public Future<Void> start(Vertx vertx) {
        return new PeriodicRead(this::look).start(vertx, EVERY);
    }

    /** Looks once; never fails: what is known stays. */
    Future<Void> look() {
        return emojis.news(known).transform(news -> {
            if (news.succeeded()) {
                news.result().ifPresent(changed -> known = changed);
            } else {
                LOG.debug("custom emojis not read cause={}", news.cause().toString());
            }
            return Future.succeededFuture();
        });
    }
}
