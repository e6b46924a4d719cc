package io.fanfare.api.feature;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** Second factors of accounts, for the features that log somebody in or do something dangerous. */
public interface SecondFactors {
    /** How long a code that a session has given counts for what its account does to itself. */
    Duration CONFIRMED = Duration.ofMinutes(10);

    /** The same for what moderators do to others, who act often. */
    Duration CONFIRMED_STAFF = Duration.ofHours(1);

    /** The one of a build without the feature: an account that has a factor cannot log in. */
    SecondFactors NONE = new SecondFactors() {
        @Override
        public Future<Login> complete(HttpServerRequest request, String clientId, Login login, String code) {
            return Future.failedFuture(
                    new Refusal(
                            Refusal.Reason.FORBIDDEN,
                            "This server cannot check codes of a second factor: its operator can remove that of your account."));
        }

        @Override
        public Future<Void> requireConfirmed(Principal principal, Duration within) {
            return Future.succeededFuture();
        }

        @Override
        public boolean isRequired(Role role) {
            return false;
        }

        @Override
        public Future<Void> requireEnrolled(long account) {
            return Future.succeededFuture();
        }
    };

    /**
     * Completes a log-in whose password was right with a code. Fails with {@code Refusal(INVALID)} when the code is
     * wrong, with {@code TOO_MANY} after too many wrong ones, and with {@code UNAUTHENTICATED} when the account has
     * another password by now.
     *
     * @param clientId of the app that somebody logs in to; empty = our own pages
     */
    Future<Login> complete(HttpServerRequest request, String clientId, Login login, String code);

    /**
     * Fails with {@code Refusal(FORBIDDEN)} when the account has a second factor and this token has given no code of it
     * within this time.
     */
    Future<Void> requireConfirmed(Principal principal, Duration within);

    /** Whether {@code auth.second-factor-required} wants a second factor of accounts with this role. */
    boolean isRequired(Role role);

    /**
     * Fails with {@code Refusal(FORBIDDEN)} when {@code auth.second-factor-required} wants a second factor of an
     * account with a role, and it has none.
     */
    Future<Void> requireEnrolled(long account);
}
