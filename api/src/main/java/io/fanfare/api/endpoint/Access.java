package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.server.http.Authentication;

/**
 * The callers that an endpoint admits.
 *
 * @param token whether a token must be there; where it need not be, one that is there must still be good
 * @param user whether the token must be a user's rather than an app's
 * @param scope that the token must have; empty = none in particular
 */
public record Access(boolean token, boolean user, String scope) {
    /** Anybody; a token is not even looked at. */
    public static final Access OPEN = new Access(false, false, "");

    /** Anybody who has a token. */
    public static final Access ANY_TOKEN = new Access(true, false, "");

    /** Anybody; what is shown may depend on the viewer, if the token says who that is. */
    public static Access viewer(String scope) {
        return new Access(false, false, scope);
    }

    /** A user whose token has the scope. */
    public static Access user(String scope) {
        return new Access(true, true, scope);
    }

    public boolean readsToken() {
        return token || !scope.isEmpty();
    }

    /** Refuses who may not. Answers the principal, null for nobody. */
    public Principal check(Principal principal) {
        return principal == null && !token ? null : Authentication.require(principal, user, scope);
    }
}
