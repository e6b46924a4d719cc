package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Call;
import io.vertx.core.Future;
import java.util.List;

/**
 * Refuses sign-ups, or has a moderator decide about them, after they were counted and before any work is done for them.
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

    /** All of these, one after the other. */
    static SignUpCheck all(List<SignUpCheck> checks) {
        return (call, username, email) -> {
            Future<Boolean> passed = Future.succeededFuture(false);
            for (SignUpCheck check : checks) {
                passed = passed.compose(
                        before -> check.check(call, username, email).map(approval -> before || approval));
            }
            return passed;
        };
    }
}
