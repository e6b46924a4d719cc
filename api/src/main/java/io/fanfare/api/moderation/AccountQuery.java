package io.fanfare.api.moderation;

import io.fanfare.api.moderation.AdminAccountJson.Shown;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Role;
import io.fanfare.server.http.Parameters;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The accounts that a moderator wants listed, by the parameters of Mastodon's two forms. All that is given must hold.
 *
 * @param states each of which an account must have
 * @param roles of which an account must have one; empty = any
 * @param username the beginning of the user name; empty = any
 * @param displayName a part of the display name; empty = any
 * @param email the whole e-mail address; empty = any
 * @param inviter of the account; 0 = any
 * @param possible false when no account of this server can match: of other servers, by an address
 */
record AccountQuery(
        Set<State> states,
        Set<Role> roles,
        String username,
        String displayName,
        String email,
        long inviter,
        boolean possible) {
    private static final int TEXT_CHARS_MAX = 200;

    /** The state of an account. */
    enum State {
        ACTIVE,
        SUSPENDED,
        SILENCED,
        SENSITIZED,
        /** It waits for the approval of its sign-up. */
        PENDING,
        /** No account is: log-ins end with a suspension. */
        DISABLED
    }

    /** Whether the state is that of no account. */
    private static boolean isNever(State state) {
        return state == State.DISABLED;
    }

    /** The first form: a flag for each state. */
    static AccountQuery first(Parameters given) {
        Set<State> states = EnumSet.noneOf(State.class);
        for (State state : State.values()) {
            if (given.flag(state.name().toLowerCase(Locale.ROOT), false)) {
                states.add(state);
            }
        }
        return of(
                given,
                states,
                given.flag("staff", false) ? EnumSet.of(Role.MODERATOR, Role.ADMIN, Role.OWNER) : Set.of(),
                /* inviter= */ 0,
                !given.flag("remote", false));
    }

    /** The query of the second version of the API. An unknown value of {@code status} selects no state. */
    static AccountQuery second(Parameters given) {
        Set<State> states = EnumSet.noneOf(State.class);
        String wanted = given.text("status", "");
        for (State state : State.values()) {
            if (state.name().equalsIgnoreCase(wanted)) {
                states.add(state);
            }
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        List<String> ids = given.all("role_ids");
        for (Role role : Role.values()) {
            if (ids.contains(role.id())) {
                roles.add(role);
            }
        }
        if (given.text("permissions", "").equals("staff")) {
            roles.addAll(EnumSet.of(Role.MODERATOR, Role.ADMIN, Role.OWNER));
        }
        boolean known = (wanted.isEmpty() || !states.isEmpty()) && (ids.isEmpty() || !roles.isEmpty());
        String invitedBy = given.text("invited_by", "");
        return of(
                given,
                states,
                roles,
                invitedBy.isEmpty() ? 0 : Id.parse(invitedBy),
                known && !given.text("origin", "").equals("remote"));
    }

    private static AccountQuery of(
            Parameters given, Set<State> states, Set<Role> roles, long inviter, boolean possible) {
        String username = text(given, "username").replaceFirst("^@", "").toLowerCase(Locale.ROOT);
        return new AccountQuery(
                states,
                roles,
                username,
                text(given, "display_name").toLowerCase(Locale.ROOT),
                text(given, "email").toLowerCase(Locale.ROOT),
                inviter,
                possible
                        && states.stream().noneMatch(AccountQuery::isNever)
                        && (username.isEmpty() || Account.isUsername(username))
                        && given.text("by_domain", "").isEmpty()
                        && given.text("ip", "").isEmpty());
    }

    private static String text(Parameters given, String name) {
        String text = given.text(name, "").strip();
        return text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) : text;
    }

    /** Whether an account is wanted. */
    boolean wants(Shown shown) {
        return shown.inspected().deletedAt() == 0
                && states.stream().allMatch(state -> is(shown, state))
                && (roles.isEmpty() || roles.contains(shown.role()))
                && shown.inspected().account().username().startsWith(username)
                && shown.inspected()
                        .account()
                        .displayName()
                        .toLowerCase(Locale.ROOT)
                        .contains(displayName)
                && (inviter == 0 || inviter == shown.inspected().inviter())
                && (email.isEmpty() || email.equals(shown.inspected().email()));
    }

    private static boolean is(Shown shown, State state) {
        return switch (state) {
            case ACTIVE ->
                shown.inspected().suspendedAt() == 0 && !shown.inspected().isApplicant();
            case SUSPENDED -> shown.inspected().suspendedAt() > 0;
            case SILENCED -> shown.inspected().limitedAt() > 0;
            case SENSITIZED -> shown.inspected().sensitizedAt() > 0;
            case PENDING -> shown.inspected().isApplicant();
            case DISABLED -> false;
        };
    }
}
