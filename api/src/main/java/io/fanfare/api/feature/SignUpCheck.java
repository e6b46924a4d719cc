package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Call;
import io.vertx.core.Future;
import java.util.List;

/**
 * Refuses sign-ups, or has a moderator decide about them, after they were counted and before any work is done for them.
 * Refuses the addresses that accounts want later, too.
 */
@FunctionalInterface
public interface SignUpCheck {
    /**
     * Whether a moderator must approve the account. Fails with a {@link io.fanfare.common.model.Refusal} when nobody
     * may sign up so.
     *
     * @param username acceptable, in lower case
     * @param email acceptable, in lower case
     */
    Future<Boolean> check(Call call, String username, String email);

    /**
     * Fails with a {@link io.fanfare.common.model.Refusal} when no account may have this address.
     *
     * @param email acceptable, in lower case
     */
    default Future<Void> checkAddress(String email) {
        return Future.succeededFuture();
    }

    /** All of these, one after the other. */
    static SignUpCheck all(List<SignUpCheck> checks) {
        return new SignUpCheck() {
            @Override
            public Future<Boolean> check(Call call, String username, String email) {
                Future<Boolean> passed = Future.succeededFuture(false);
                for (SignUpCheck check : checks) {
                    passed = passed.compose(
                            before -> check.check(call, username, email).map(approval -> before || approval));
                }
                return passed;
            }

            @Override
            public Future<Void> checkAddress(String email) {
                Future<Void> passed = Future.succeededFuture();
                for (SignUpCheck check : checks) {
                    passed = passed.compose(before -> check.checkAddress(email));
                }
                return passed;
            }
        };
    }
}
