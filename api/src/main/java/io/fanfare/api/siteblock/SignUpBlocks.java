package io.fanfare.api.siteblock;

import io.fanfare.api.endpoint.Call;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares sign-ups and changes of addresses with the blocks of the site. Fails closed: nobody signs up before the list
 * was read once.
 */
final class SignUpBlocks implements SignUpCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SignUpBlocks.class);

    private final KnownBlocks known;
    private final SiteBlocks blocks;
    private final ClientAddress addresses;

    SignUpBlocks(KnownBlocks known, SiteBlocks blocks, ClientAddress addresses) {
        this.known = known;
        this.blocks = blocks;
        this.addresses = addresses;
    }

    @Override
    public Future<Boolean> check(Call call, String username, String email) {
        return known.whenRead().compose(read -> {
            Optional<Severity> network = known.severity(addresses.of(call.request()));
            if (network.isPresent() && network.get() != Severity.SIGN_UP_REQUIRES_APPROVAL) {
                throw new Refusal(
                        Refusal.Reason.FORBIDDEN,
                        "This server takes no sign-ups from your network: sign up from another one, or write to its"
                                + " moderators.");
            }
            if (known.blocksName(username)) {
                throw BlockValues.fault("username", "ERR_RESERVED", "is not available on this server: choose another");
            }
            return refuseBlocked(email).map(passed -> network.isPresent());
        });
    }

    @Override
    public Future<Void> checkAddress(String email) {
        return known.whenRead().compose(read -> refuseBlocked(email));
    }

    private Future<Void> refuseBlocked(String email) {
        long mail = known.mailBlock(email);
        return mail == 0
                ? Future.succeededFuture()
                : count(mail).compose(counted -> {
                    throw BlockValues.fault(
                            "email",
                            "ERR_BLOCKED",
                            "is of a provider that this server does not accept: use another one");
                });
    }

    /** Never fails: a refusal does not depend on it. */
    private Future<Void> count(long block) {
        return blocks.used(block)
                .onFailure(cause -> LOG.debug("use of a block not counted cause={}", cause.toString()))
                .otherwiseEmpty();
    }
}
