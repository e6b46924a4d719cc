package io.fanfare.api.oauth;

import io.fanfare.common.auth.Scopes;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.http.Parameters;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A valid authorization request: the parameters of {@code /oauth/authorize}. The app has registered exactly this
 * redirect URI, letter by letter, and all other parameters are valid. Any other request is refused with
 * {@code MALFORMED}, as a page: anybody can register an app, so an answer that redirected the browser before the user
 * has pressed a button would be an open redirector (RFC 9700, 4.11.2).
 *
 * @param state comes back as it is; empty = none
 * @param challenge of PKCE, S256; empty = none
 */
record AuthorizeRequest(App app, RedirectUri redirectUri, Set<String> scopes, String state, String challenge) {
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");

    static AuthorizeRequest of(Parameters parameters, App app) {
        if (app == null) {
            throw malformed("The client is unknown: the app that sent you here must register with POST /api/v1/apps.");
        }
        String redirectUri = parameters.text("redirect_uri", "");
        if (!app.redirectUris().contains(redirectUri)) {
            throw malformed(
                    "The redirect_uri is none that the app has registered: it must be the same, letter by letter.");
        }
        // Registered before such addresses were refused.
        RedirectUri target = RedirectUri.of(redirectUri)
                .orElseThrow(() -> malformed(
                        "The redirect_uri of this app leads to a place that no code is sent to: the app must register again with one of "
                                + RedirectUri.ACCEPTED + "."));
        if (!parameters.text("response_type", "").equals("code")) {
            throw malformed("The response_type must be code (unsupported_response_type): the app requested another.");
        }
        Set<String> scopes = Scopes.requested(parameters.text("scope", Scopes.DEFAULT));
        if (!Scopes.known(scopes) || !Scopes.within(scopes, app.scopes())) {
            throw malformed(
                    "The scope is unknown or goes beyond what the app was registered with (invalid_scope): the app must ask for less, or register again.");
        }
        String challenge = parameters.text("code_challenge", "");
        if (!isChallenge(challenge, parameters.text("code_challenge_method", ""))) {
            throw malformed(
                    "The code_challenge must be one of the method S256, 43 characters (invalid_request): the app sent another.");
        }
        return new AuthorizeRequest(app, target, scopes, parameters.text("state", ""), challenge);
    }

    /** Without a method RFC 7636 means plain, which protects from nothing. */
    private static boolean isChallenge(String challenge, String method) {
        return method.equals("S256") ? CHALLENGE.matcher(challenge).matches() : challenge.isEmpty() && method.isEmpty();
    }

    private static Refusal malformed(String sentence) {
        return new Refusal(Refusal.Reason.MALFORMED, sentence);
    }

    /**
     * The redirect URI with what the app is told and the state.
     *
     * @param issuer who tells it (RFC 9207), so that an app that talks to several servers sends no server the code of
     *     another
     */
    String redirect(String name, String value, String issuer) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(name, value);
        if (!state.isEmpty()) {
            all.put("state", state);
        }
        all.put("iss", issuer);
        StringBuilder uri = new StringBuilder(redirectUri.text());
        char mark = redirectUri.text().indexOf('?') < 0 ? '?' : '&';
        for (Map.Entry<String, String> parameter : all.entrySet()) {
            uri.append(mark).append(parameter.getKey()).append('=');
            uri.append(URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8));
            mark = '&';
        }
        return uri.toString();
    }

    /** The fields that the form sends again with the password. */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("response_type", "code");
        fields.put("client_id", app.clientId());
        fields.put("redirect_uri", redirectUri.text());
        fields.put("scope", String.join(" ", scopes));
        if (!state.isEmpty()) {
            fields.put("state", state);
        }
        if (!challenge.isEmpty()) {
            fields.put("code_challenge", challenge);
            fields.put("code_challenge_method", "S256");
        }
        return fields;
    }
}
