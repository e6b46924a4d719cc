package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.VisibleText;
import io.fanfare.common.model.Application;
import java.util.List;
import java.util.Set;

/**
 * A client application that has registered itself.
 *
 * @param clientId unguessable, of the characters {@code A-Z a-z 0-9 - _}
 * @param secretDigest SHA-256 of its secret; the secret itself is shown once and not kept
 * @param name its {@linkplain VisibleText visible} part
 * @param website null when it has none
 * @param redirectUris where a user who has logged in may be sent, at least one
 * @param scopes the most that its tokens may allow
 * @param registeredAt when, in Unix seconds; 0 = before that was kept
 */
public record App(
        String clientId,
        String secretDigest,
        String name,
        String website,
        List<String> redirectUris,
        Set<String> scopes,
        long registeredAt) {
    public App {
        name = VisibleText.of(name);
        redirectUris = List.copyOf(redirectUris);
        scopes = Set.copyOf(scopes);
    }

    /** The application shown on its posts; null when it has no name. */
    public Application application() {
        return Application.of(name, website);
    }
}
