package io.fanfare.common.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "read write follow push",
                "profile read:accounts write:media write:statuses",
                "read:search read:lists write:conversations write:reports",
                "admin:read admin:write:accounts admin:read:canonical_email_blocks",
                ""
            })
    void scopesOfMastodonAreKnown(String text) {
        assertThat(Scopes.known(Scopes.parse(text))).isTrue();
        assertThat(Scopes.unknown(Scopes.parse(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"read:xxx", "read:", "write:search", "read:media", "admin", "admin:read:xxx", "push:x", "Read"})
    void nothingElseIs(String scope) {
        assertThat(Scopes.known(Set.of("read", scope))).isFalse();
        assertThat(Scopes.unknown(Set.of("read", scope))).contains(scope);
    }

    @Test
    void anUnknownScopeIsShownShortened() {
        assertThat(Scopes.unknown(Set.of("read:" + "x".repeat(60_000))).orElseThrow())
                .hasSize(43);
    }

    @Test
    void theScopesOfARequestEndBehindTheFirstUnknownOne() {
        assertThat(Scopes.requested("read write a b push")).containsExactly("read", "write", "a");
        assertThat(Scopes.known(Scopes.requested("read a write"))).isFalse();
        assertThat(Scopes.requested("read+write,push read")).containsExactly("read", "write", "push");
    }
}
