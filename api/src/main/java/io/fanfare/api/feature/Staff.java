package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Call;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.core.moderation.Roles;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Admits the accounts whose role permits an act. The role is read at each request, so that a change applies from the
 * next one on. One event loop.
 */
public final class Staff {
    private final Roles roles;
    private final SecondFactors factors;

    public Staff(Roles roles, SecondFactors factors) {
        this.roles = roles;
        this.factors = factors;
    }

    /**
     * The role of the caller; fails with {@code Refusal(FORBIDDEN)} when it lacks the {@link Role.Permission}, or the
     * caller a second factor where roles need one.
     */
    public Future<Role> require(Call call, int permission) {
        return roles.require(call.viewer(), permission)
                .compose(role -> factors.requireEnrolled(call.viewer()).map(role));
    }

    /** Fails with {@code Refusal(FORBIDDEN)} when the caller has a second factor and must give a code of it first. */
    public Future<Void> requireConfirmed(Call call, Duration within) {
        return factors.requireConfirmed(call.principal(), within);
    }

    /**
     * The role of the account that the caller acts on; fails as {@link #require} does, and when the caller's role does
     * not reach that account. Nobody acts on their own account.
     */
    public Future<Role> requireOver(Call call, int permission, long account) {
        return roles.of(List.of(call.viewer(), account)).compose(both -> {
            Role own = Roles.check(both.get(0), permission);
            if (account == call.viewer() || !own.governs(both.get(1))) {
                throw new Refusal(
                        Refusal.Reason.FORBIDDEN,
                        "This action is not allowed: moderators act on users, admins on moderators too, owners on"
                                + " everybody else.");
            }
            return factors.requireEnrolled(call.viewer()).map(both.get(1));
        });
    }

    /** The same, which an owner concerned refuses too: nobody restricts an owner. */
    public Future<Role> requireOverUnlessOwner(Call call, int permission, long account) {
        return requireOver(call, permission, account).map(concerned -> {
            checkNoOwner(concerned);
            return concerned;
        });
    }

    /** Throws {@code Refusal(FORBIDDEN)} for the role of an owner. */
    public static void checkNoOwner(Role concerned) {
        if (concerned == Role.OWNER) {
            throw new Refusal(
                    Refusal.Reason.FORBIDDEN,
                    "This action is not allowed: an owner is not restricted: give the account another role first.");
        }
    }
}
