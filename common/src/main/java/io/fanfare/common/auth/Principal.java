package io.fanfare.common.auth;

import io.fanfare.common.model.Application;
import java.util.Set;

/**
 * The caller, by a verified token.
 *
 * @param userId 0 for a token of an app without a user (client_credentials)
 * @param clientId empty when the token was made without an app
 * @param application null when the token was made without an app
 */
public record Principal(long userId, String tokenId, String clientId, Application application, Set<String> scopes) {
    /** One of an app without a website; the name may be empty. */
    public Principal(long userId, String tokenId, String clientId, String clientName, Set<String> scopes) {
        this(userId, tokenId, clientId, Application.of(clientName, null), scopes);
    }

    public Principal {
        scopes = Set.copyOf(scopes);
    }

    /** Whether the token allows this scope; {@code read} includes {@code read:accounts} and so on. */
    public boolean allows(String scope) {
        return Scopes.covers(scopes, scope);
    }
}
