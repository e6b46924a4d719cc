package io.fanfare.api.site;

import io.fanfare.api.feature.SiteFacts;
import io.fanfare.common.model.Account;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.site.KnownSite;
import io.fanfare.core.site.Site;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The published site and its contact. Without a contact account it reads no account. Confined to one event loop. */
final class SiteNow implements SiteFacts {
    private static final Logger LOG = LoggerFactory.getLogger(SiteNow.class);

    /** The age that the shown contact account may have, about. */
    private static final Duration CONTACT_EVERY = Duration.ofSeconds(10);

    private final KnownSite known;
    private final Accounts accounts;
    private final InstantSource clock;
    private Optional<Account> contact = Optional.empty();

    SiteNow(KnownSite known, Accounts accounts, InstantSource clock) {
        this.known = known;
        this.accounts = accounts;
        this.clock = clock;
    }

    /** Never fails. */
    Future<Void> start(Vertx vertx) {
        long unused = vertx.setPeriodic(
                CONTACT_EVERY.toMillis(), tick -> readContact().onComplete(read -> {}));
        return known.start(vertx).compose(looked -> readContact());
    }

    /** Never fails: the known account stays. */
    private Future<Void> readContact() {
        long account = site().contact();
        if (account == 0) {
            contact = Optional.empty();
            return Future.succeededFuture();
        }
        return accounts.find(account).transform(found -> {
            if (found.succeeded()) {
                contact = found.result();
            } else {
                LOG.debug("contact not read cause={}", found.cause().toString());
            }
            return Future.succeededFuture();
        });
    }

    @Override
    public Site site() {
        return known.get();
    }

    @Override
    public Optional<Account> contact() {
        return contact;
    }

    @Override
    public int announcements() {
        return site().shown(clock.millis()).size();
    }
}
