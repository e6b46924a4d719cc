package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Call;
import io.vertx.core.Future;
import java.util.List;

/** Refuses sign-ups, after they were counted and before any work is done for them. */
@FunctionalInterface
public interface SignUpCheck {
    /**
     * Fails with a {@link io.fanfare.common.model.Refusal} when nobody may sign up so.
     *
     * @param username acceptable, in lower case
     * @param email acceptable, in lower case
     */
    Future<Void> check(Call call, String username, String email);

    /** All of these, one after the other. */
    static SignUpCheck all(List<SignUpCheck> checks) {
        return (call, username, email) -> {
            Future<Void> passed = Future.succeededFuture();
            for (SignUpCheck check : checks) {
                passed = passed.compose(before -> check.check(call, username, email));
            }
            return passed;
        };
    }
}
