package io.fanfare.api.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectUriTest {
    /** Addresses of clients in use, as far as their sources name them; see docs/adr/0014-redirect-uris.md. */
    @ParameterizedTest
    @CsvSource({
        "urn:ietf:wg:oauth:2.0:oob, PAGE, 'this page, for you to copy'",
        "https://elk.zone/api/mastodon.social/oauth/https%3A%2F%2Felk.zone, WEB_SITE, the web site elk.zone",
        "https://phanpy.social/, WEB_SITE, the web site phanpy.social",
        "HTTPS://Example.ORG:8443/a?b=c, WEB_SITE, the web site example.org:8443",
        "http://localhost:5314/api/oauth, OWN_MACHINE, a program on your own machine (localhost:5314)",
        "http://127.0.0.1:51004/, OWN_MACHINE, a program on your own machine (127.0.0.1:51004)",
        "http://[::1]/callback, OWN_MACHINE, a program on your own machine ([::1])",
        "mastodon://joinmastodon.org/oauth, APP, the app on your device that opens mastodon: links",
        "mastodon-android-auth://callback, APP, the app on your device that opens mastodon-android-auth: links",
        "oauth2redirect://com.keylesspalace.tusky/, APP, the app on your device that opens oauth2redirect: links",
        "icecubesapp://, APP, the app on your device that opens icecubesapp: links",
        "com.example.app:/oauth, APP, the app on your device that opens com.example.app: links",
        "fedilab://backtofedilab, APP, the app on your device that opens fedilab: links",
        "tuba://auth_code, APP, the app on your device that opens tuba: links"
    })
    void addressesOfRealClientsAreAcceptedAndDistinguished(String text, RedirectUri.Target target, String place) {
        RedirectUri uri = RedirectUri.of(text).orElseThrow();

        assertThat(uri.text()).isEqualTo(text);
        assertThat(uri.target()).isEqualTo(target);
        assertThat(uri.place()).isEqualTo(place);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/relative",
                "//example.org/",
                "https:",
                "https:/example.org/",
                "https:example.org",
                "https://",
                "https:///path",
                "https://bank.example@evil.example/",
                "https://bank.example:x@evil.example/",
                "https://exa mple.org/",
                "https://example.org\\@evil.example/",
                "https://ex\u0430mple.org/",
                "https://example.org/#fragment",
                "https://example.org/%zz",
                "https://example.org/\u202e",
                "https://example.org/\r\nSet-Cookie: x=y",
                "http://example.org/",
                "http://localhost.example.org/",
                "http://localhost@example.org/",
                "http://127.0.0.1.example.org/",
                "http://127.0.0.2/",
                "http://192.168.1.5/",
                "http://[::2]/",
                "javascript:alert(1)",
                "JavaScript://example.org/%0aalert(1)",
                "data:text/html,x",
                "vbscript:x",
                "file:///etc/passwd",
                "blob:https://example.org/1",
                "about:blank",
                "view-source:https://example.org",
                "filesystem:https://example.org/temporary/x",
                "intent://scan/#Intent;scheme=zxing;end",
                "intent:x",
                "content://com.android.contacts/",
                "android-app://com.example.app/",
                "ws://example.org/",
                "wss://example.org/",
                "ftp://example.org/",
                "mailto:ann@example.org",
                "tel:+431234",
                "sms:+431234",
                "ms-msdt:/id",
                "search-ms:query=x",
                "itms-apps://x",
                "chrome-extension://abc/",
                "x-apple-helpbasic://evil.example",
                "web+social://x",
                "urn:ietf:wg:oauth:2.0:oob:auto",
                "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
            })
    void addressesThatBrowsersRunOrSystemsHandleOrThatHideTheirHostAreRefused(String text) {
        assertThat(RedirectUri.of(text)).isEmpty();
    }

    @Test
    void thePolicyOfTheFormNamesTheTargetAsBrowsersReadIt() {
        assertThat(RedirectUri.of("https://App.example:8443/x").orElseThrow().policySource())
                .isEqualTo("https://app.example:8443");
        assertThat(RedirectUri.of("http://[::1]:80/x").orElseThrow().policySource())
                .isEqualTo("http:");
        assertThat(RedirectUri.of("tuba://auth_code").orElseThrow().policySource())
                .isEqualTo("tuba:");
        assertThat(RedirectUri.of(RedirectUri.OUT_OF_BAND).orElseThrow().policySource())
                .isEmpty();
    }
}
