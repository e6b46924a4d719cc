package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.endpoint.VisibleText;
import io.fanfare.common.auth.Scopes;
import io.fanfare.server.http.Parameters;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A client that registers itself: the body of {@code POST /api/v1/apps}. Whoever holds one holds acceptable values. */
public record NewApp(String name, List<String> redirectUris, Set<String> scopes, String website) {
    private static final int NAME_MAX = 60;
    private static final int URI_MAX = 500;
    private static final int URIS_MAX = 5;
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    public NewApp {
        ValidationErrors errors = new ValidationErrors();
        if (name.isBlank()) {
            errors.add("client_name", "ERR_BLANK", "can't be blank");
        } else if (name.length() > NAME_MAX) {
            errors.add("client_name", "ERR_TOO_LONG", "is too long (at most " + NAME_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("client_name", name);
        }
        if (redirectUris.isEmpty()) {
            errors.add(
                    "redirect_uris",
                    "ERR_BLANK",
                    "can't be blank: for a client without a web page send " + RedirectUri.OUT_OF_BAND);
        } else if (redirectUris.size() > URIS_MAX || !redirectUris.stream().allMatch(NewApp::redirect)) {
            errors.add(
                    "redirect_uris",
                    "ERR_INVALID",
                    "must be " + RedirectUri.ACCEPTED + "; at most " + URIS_MAX + " of " + URI_MAX + " characters");
        }
        Scopes.unknown(scopes)
                .ifPresent(unknown -> errors.add(
                        "scopes",
                        "ERR_INVALID",
                        "must be scopes of the Mastodon API, such as read write follow: " + unknown + " is none"));
        if (website != null && !web(website)) {
            errors.add("website", "ERR_INVALID", "must be an http or https URL of at most " + URI_MAX + " characters");
        }
        errors.refuseIfAny();
        redirectUris = List.copyOf(redirectUris);
        scopes = Set.copyOf(scopes);
    }

    public static NewApp of(Parameters parameters) {
        List<String> redirects = parameters.all("redirect_uris").stream()
                .flatMap(WHITE_SPACE::splitAsStream)
                .filter(uri -> !uri.isEmpty())
                .toList();
        return new NewApp(
                VisibleText.of(parameters.text("client_name", "")),
                redirects,
                Scopes.requested(parameters.text("scopes", Scopes.DEFAULT)),
                parameters.text("website", null));
    }

    private static boolean redirect(String text) {
        return text.length() <= URI_MAX && RedirectUri.of(text).isPresent();
    }

    private static boolean web(String text) {
        URI uri = uri(text);
        return uri != null
                && uri.getHost() != null
                && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    }

    private static URI uri(String text) {
        try {
            return text.length() > URI_MAX ? null : URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
