package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Application;
import io.fanfare.client.model.CredentialApplication;
import io.fanfare.client.model.ListedToken;
import io.fanfare.client.model.Token;
import java.util.List;

/** Apps and access tokens (OAuth 2). */
public final class Apps {
    private final Api api;

    Apps(Api api) {
        this.api = api;
    }

    /**
     * Registers an app.
     *
     * @param redirectUri where the browser returns with a code; {@code urn:ietf:wg:oauth:2.0:oob} shows it
     * @param scopes such as {@code read write follow}
     */
    public CredentialApplication register(String name, String redirectUri, String scopes) {
        Fields fields = Fields.NONE
                .with("client_name", Arguments.text(name, "the name of the app", 1000))
                .with("redirect_uris", Arguments.text(redirectUri, "the redirect address", 2000))
                .with("scopes", Arguments.text(scopes, "the scopes", 1000));
        return api.once("/api/v1/apps", fields, CredentialApplication.class);
    }

    /** The app of the token. */
    public Application current() {
        return api.get("/api/v1/apps/verify_credentials", Application.class);
    }

    /** The token of an app, without a user. */
    public Token clientCredentials(String clientId, String clientSecret, String scopes) {
        return token(Fields.NONE
                .with("grant_type", "client_credentials")
                .with("client_id", Arguments.text(clientId, "the client id", 1000))
                .with("client_secret", Arguments.text(clientSecret, "the client secret", 1000))
                .with("scope", Arguments.text(scopes, "the scopes", 1000)));
    }

    /** The token of a user who allowed the app in a browser; a code is good once. */
    public Token authorizationCode(String clientId, String clientSecret, String redirectUri, String code) {
        return token(Fields.NONE
                .with("grant_type", "authorization_code")
                .with("client_id", Arguments.text(clientId, "the client id", 1000))
                .with("client_secret", Arguments.text(clientSecret, "the client secret", 1000))
                .with("redirect_uri", Arguments.text(redirectUri, "the redirect address", 2000))
                .with("code", Arguments.text(code, "the code", 1000)));
    }

    /** Ends a token. */
    public void revoke(String clientId, String clientSecret, String token) {
        Fields fields = Fields.NONE
                .with("client_id", Arguments.text(clientId, "the client id", 1000))
                .with("client_secret", Arguments.text(clientSecret, "the client secret", 1000))
                .with("token", Arguments.text(token, "the token", 1000));
        api.run("POST", "/oauth/revoke", fields, true);
    }

    /** The tokens of the account of the token. */
    public List<ListedToken> tokens() {
        return api.list("/api/v1/tokens", ListedToken.class);
    }

    /** Ends one of {@link #tokens}. */
    public void endToken(String id) {
        api.delete("/api/v1/tokens/" + Arguments.id(id));
    }

    private Token token(Fields fields) {
        return api.once("/oauth/token", fields, Token.class);
    }
}
