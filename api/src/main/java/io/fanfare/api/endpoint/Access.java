package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.server.http.Authentication;

/**
 * The callers that an endpoint admits.
 *
 * @param token whether a token must be there; where it need not be, one that is there must still be good
 * @param user whether the token must be a user's rather than an app's
 * @param scope that the token must have; empty = none in particular
 * @param unconfirmed whether the account of the token may have an address that has to be confirmed first
 */
public record Access(boolean token, boolean user, String scope, boolean unconfirmed) {
    /** Anybody; a token is not even looked at. */
    public static final Access OPEN = new Access(false, false, "", false);

    /** Anybody who has a token. */
    public static final Access ANY_TOKEN = new Access(true, false, "", false);

    /** Anybody; what is shown may depend on the viewer, if the token says who that is. */
    public static Access viewer(String scope) {
        return new Access(false, false, scope, false);
    }

    /** A user whose token has the scope. */
    public static Access user(String scope) {
        return new Access(true, true, scope, false);
    }

    /** The same, and a user whose address has to be confirmed first. */
    public Access whileUnconfirmed() {
        return new Access(token, user, scope, true);
    }

    public boolean readsToken() {
        return token || !scope.isEmpty();
    }

    /** Refuses who may not. Answers the principal, null for nobody. */
    public Principal check(Principal principal) {
        return principal == null && !token ? null : Authentication.require(principal, user, scope);
    }
}
