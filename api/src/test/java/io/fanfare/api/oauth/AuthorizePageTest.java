package io.fanfare.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The page on which somebody lets an app in. */
class AuthorizePageTest {
    private static String form(String resetLink) {
        App app = new App("client", "", "App", null, List.of("https://app.example/"), Set.of("read"), 1);
        AuthorizeRequest request =
                new AuthorizeRequest(app, RedirectUri.of("https://app.example/").orElseThrow(), Set.of("read"), "", "");
        return AuthorizePage.form(request, Instant.now(), "/oauth/authorize", resetLink, "token", "", "")
                .body()
                .toString();
    }

    @Test
    void aBuildThatResetsNoPasswordsHasNoLinkToAReset() {
        assertThat(form("")).contains("Log in and approve").doesNotContain("<a ", "Forgot password");
        assertThat(form("/auth/password/new")).contains("<a href=\"/auth/password/new\">Forgot password?</a>");
    }
}
