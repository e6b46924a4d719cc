package io.fanfare.api;

import io.fanfare.common.auth.Scopes;
import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.App;
import io.fanfare.common.model.Refusal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What an app asks a user for: the parameters of {@code /oauth/authorize}. Whoever holds one holds a redirect URI that the app has registered, letter by letter.
 *
 * @param state comes back as it is; empty = none
 * @param challenge of PKCE, S256; empty = none
 * @param error the code of RFC 6749 of what is wrong with the rest, which the app is told; null = nothing
 */
record AuthorizeRequest(App app, String redirectUri, Set<String> scopes, String state, String challenge, String error) {
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Pattern WEB_HOST = Pattern.compile("[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\]");

    /** Refuses what must not be sent anywhere, since nobody knows yet whether the address is the app's. */
    static AuthorizeRequest of(Parameters parameters, App app) {
        String redirectUri = parameters.text("redirect_uri", "");
        if (app == null) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The client is unknown: the app that sent you here must register with POST /api/v1/apps.");
        }
        if (!app.redirectUris().contains(redirectUri)) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The redirect_uri is none that the app has registered: it must be the same, letter by letter.");
        }
        Set<String> scopes = Scopes.parse(parameters.text("scope", Scopes.DEFAULT));
        String challenge = parameters.text("code_challenge", "");
        return new AuthorizeRequest(
                app,
                redirectUri,
                scopes,
                parameters.text("state", ""),
                challenge,
                error(parameters, app, scopes, challenge));
    }

    private static String error(Parameters parameters, App app, Set<String> scopes, String challenge) {
        if (!parameters.text("response_type", "").equals("code")) {
            return "unsupported_response_type";
        }
        if (!Scopes.known(scopes) || !Scopes.within(scopes, app.scopes())) {
            return "invalid_scope";
        }
        // Without a method RFC 7636 means plain, which protects from nothing.
        boolean s256 = parameters.text("code_challenge_method", "").equals("S256")
                && CHALLENGE.matcher(challenge).matches();
        boolean none = challenge.isEmpty()
                && parameters.text("code_challenge_method", "").isEmpty();
        return s256 || none ? null : "invalid_request";
    }

    boolean isOutOfBand() {
        return redirectUri.equals(NewApp.OUT_OF_BAND);
    }

    /** The redirect URI with these parameters and the state. */
    String redirect(Map<String, String> answer) {
        Map<String, String> all = new LinkedHashMap<>(answer);
        if (!state.isEmpty()) {
            all.put("state", state);
        }
        StringBuilder uri = new StringBuilder(URI.create(redirectUri).toASCIIString());
        char mark = redirectUri.indexOf('?') < 0 ? '?' : '&';
        for (Map.Entry<String, String> parameter : all.entrySet()) {
            uri.append(mark).append(parameter.getKey()).append('=');
            uri.append(URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8));
            mark = '&';
        }
        return uri.toString();
    }

    /** Where a browser may go from the form, as a source of {@code form-action}: it applies to redirects as well. */
    String formTarget() {
        if (isOutOfBand()) {
            return "";
        }
        URI uri = URI.create(redirectUri);
        boolean web = uri.getScheme().matches("(?i)https?")
                && uri.getHost() != null
                && WEB_HOST.matcher(uri.getHost()).matches();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return " " + uri.getScheme() + ":" + (web ? "//" + uri.getHost() + port : "");
    }

    /** What the form sends again with the password. */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("response_type", "code");
        fields.put("client_id", app.clientId());
        fields.put("redirect_uri", redirectUri);
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
