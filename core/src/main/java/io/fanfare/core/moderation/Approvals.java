package io.fanfare.core.moderation;

import io.fanfare.common.store.Applicants;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;

/** Decisions about accounts that wait for approval. One event loop. */
public final class Approvals {
    private final Redis redis;
    private final Applicants applicants;

    public Approvals(Redis redis) {
        this.redis = redis;
        this.applicants = new Applicants(redis);
    }

    /** Lets an applicant in, see {@link Applicants#approve}. */
    public Future<Void> approve(long account) {
        return applicants.approve(account);
    }

    /** Erases an applicant with all that is known of it, see {@link Applicants#reject}. */
    public Future<Void> reject(long account) {
        return applicants
                .reject(account)
                .compose(done -> redis.pipeline(SignUpNetworks.left(account)))
                .mapEmpty();
    }
}
