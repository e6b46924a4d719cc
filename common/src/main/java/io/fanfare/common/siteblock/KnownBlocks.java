package io.fanfare.common.siteblock;

import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks.Snapshot;
import io.fanfare.vertx.PeriodicRead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of the site as one event loop knows them, so that no request waits for them: it reads one field each
 * second, and the whole list after a change. Until the first read there are none. While Redis is away the known ones
 * hold. Confined to one event loop.
 */
public final class KnownBlocks {
    private static final Logger LOG = LoggerFactory.getLogger(KnownBlocks.class);

    /** The time until a change is known, about. */
    static final Duration EVERY = Duration.ofSeconds(1);

    private final SiteBlocks blocks;
    private final InstantSource clock;
    private final List<Runnable> listeners = new ArrayList<>();
    private Snapshot known = Snapshot.NONE;
    private BlockIndex index = BlockIndex.EMPTY;

    /** That of the index, so that a request of a site without such blocks reads one field. */
    private boolean closesNetworks;

    private boolean isRead;

    public KnownBlocks(SiteBlocks blocks, InstantSource clock) {
        this.blocks = blocks;
        this.clock = clock;
    }

    /** Reads the list, and again by itself until the verticle is undeployed. Never fails. */
    public Future<Void> start(Vertx vertx) {
        return new PeriodicRead(this::look).start(vertx, EVERY);
    }

    /** Completes when the list has been read once; fails as long as Redis cannot be read. */
    public Future<Void> whenRead() {
        return isRead ? Future.succeededFuture() : look();
    }

    /** Reads the list if it has changed. */
    Future<Void> look() {
        return blocks.news(known.version())
                .onFailure(cause -> LOG.debug("site blocks not read cause={}", cause.toString()))
                .map(news -> {
                    isRead = true;
                    long now = clock.millis();
                    if (news.isPresent() || index.isStale(now)) {
                        known = news.orElse(known);
                        index = new BlockIndex(known.blocks(), now);
                        closesNetworks = index.closesNetworks();
                        List.copyOf(listeners).forEach(Runnable::run);
                    }
                    return null;
                });
    }

    /** Calls the listener after each change. */
    public void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    /** Whether any network is refused everything. */
    public boolean closesNetworks() {
        return closesNetworks;
    }

    /**
     * Whether requests from an address are refused.
     *
     * @param address as the server spells those of clients: 8 or 16 hexadecimal digits
     */
    public boolean isClosedTo(String address) {
        return index.isClosedTo(address);
    }

    /** The strongest block of a network that an address belongs to. */
    public Optional<Severity> severity(String address) {
        return index.severity(address);
    }

    /** The id of the block of the domain of a mail address, or of a domain above it; 0 = none. */
    public long mailBlock(String email) {
        return index.mailBlock(email);
    }

    /** Whether a block names a user name, in lower case. */
    public boolean blocksName(String name) {
        return index.blocksName(name);
    }

    /** Whether the list has blocks that have ended, and could be removed. */
    public boolean hasEnded() {
        long now = clock.millis();
        return known.blocks().stream().anyMatch(block -> block.hasEnded(now));
    }
}
