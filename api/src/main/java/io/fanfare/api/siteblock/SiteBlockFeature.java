package io.fanfare.api.siteblock;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.common.siteblock.SiteBlocks.Change;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Roles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocks of networks, mail domains and user names. */
public final class SiteBlockFeature implements ApiFeature {
    private static final Logger LOG = LoggerFactory.getLogger(SiteBlockFeature.class);

    /** The time that the address of an ended block is kept, about. */
    private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final SiteBlocks blocks;
    private final KnownBlocks known;
    private final BlockRoutes routes;
    private final SignUpBlocks signUps;

    public SiteBlockFeature(ApiLoop loop, SecondFactors factors) {
        this.vertx = loop.vertx();
        this.blocks = new SiteBlocks(loop.redis(), loop.clock());
        this.known = loop.stores().siteBlocks();
        ModerationLog log =
                new ModerationLog(loop.redis(), loop.settings().log().auditEntries());
        this.routes = new BlockRoutes(
                new Roles(loop.redis(), log),
                factors,
                blocks,
                log,
                loop.audit(),
                loop.addresses(),
                loop.clock(),
                loop.publicUrl());
        this.signUps = new SignUpBlocks(known, blocks, loop.addresses());
    }

    @Override
    public List<Endpoint> endpoints() {
        return routes.endpoints();
    }

    @Override
    public List<SignUpCheck> signUpChecks() {
        return List.of(signUps);
    }

    /** Removes the blocks that have ended, now and then; each change does so too. */
    @Override
    public Future<Void> start() {
        long unused = vertx.setPeriodic(SWEEP_EVERY.toMillis(), tick -> {
            if (known.hasEnded()) {
                blocks.change(all -> Change.NOTHING)
                        .onFailure(cause -> LOG.debug("ended blocks not removed cause={}", cause.toString()));
            }
        });
        return Future.succeededFuture();
    }
}
