package io.fanfare.core.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.push.Vapid;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VapidTest {
    private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");

    @Test
    void thePublicKeyVerifiesTheTokenOfTheSender() throws ParseException, JOSEException {
        Vapid vapid = Vapid.of(Vapid.draw(new SecureRandom()));
        SignedJWT token = SignedJWT.parse(vapid.token("https://push.example", "mailto:me@example.org", NOW));

        assertThat(vapid.publicKey()).hasSize(88).endsWith("=").startsWith("B");
        assertThat(vapid.publicKeyUnpadded()).hasSize(87);
        ClientKeys point =
                ClientKeys.of(vapid.publicKey(), "AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
        assertThat(token.verify(new ECDSAVerifier(point.publicKey()))).isTrue();
        assertThat(token.getHeader().getAlgorithm().getName()).isEqualTo("ES256");
        assertThat(token.getJWTClaimsSet().getAudience()).containsExactly("https://push.example");
        assertThat(token.getJWTClaimsSet().getSubject()).isEqualTo("mailto:me@example.org");
        assertThat(token.getJWTClaimsSet().getExpirationTime().toInstant())
                .isBetween(NOW.plusSeconds(3600), NOW.plusSeconds(24 * 3600));
    }

    /**
     * Its jar is signed: the JVM checks the signature before it loads the first class, which takes 0.2 s of a start.
     */
    @Test
    void aKeyThatNobodyUsesLoadsNoClassOfBouncyCastle() throws Exception {
        URL[] places = Stream.of(Vapid.class, SignedJWT.class, Caffeine.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader withoutIt = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            Class<?> vapid = withoutIt.loadClass(Vapid.class.getName());
            Object key = vapid.getMethod("of", String.class).invoke(null, Vapid.draw(new SecureRandom()));
            Method use = vapid.getMethod("publicKey");

            assertThatThrownBy(() -> use.invoke(key)).hasCauseInstanceOf(NoClassDefFoundError.class);
        }
    }

    @Test
    void aTokenIsUsedForAnHour() {
        Vapid vapid = Vapid.of(Vapid.draw(new SecureRandom()));
        String first = vapid.token("https://push.example", "mailto:a@b.example", NOW);
        assertThat(vapid.token("https://push.example", "mailto:a@b.example", NOW.plusSeconds(3599)))
                .isEqualTo(first);
        assertThat(vapid.token("https://other.example", "mailto:a@b.example", NOW))
                .isNotEqualTo(first);
        assertThat(vapid.token("https://push.example", "mailto:a@b.example", NOW.plusSeconds(3600)))
                .isNotEqualTo(first);
    }

    @Test
    void theSameKeyHasTheSamePublicKeyAndOtherTextIsNone() {
        String key = Vapid.draw(new SecureRandom());
        assertThat(Vapid.of(key).publicKey()).isEqualTo(Vapid.of(key).publicKey());
        for (String text : List.of("", "x", "A".repeat(43), "_".repeat(43), key + "AA")) {
            assertThatThrownBy(() -> Vapid.of(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aSealedTokenIsOpenedByItsKeyAndForItsAccountAlone() {
        SecureRandom random = new SecureRandom();
        SigningKeys former = SigningKeys.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));
        SigningKeys changed = new SigningKeys(List.of(
                "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.UTF_8),
                "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8)));
        String sealed = new SealedTexts(former, SealedTexts.PUSH_TOKEN).seal("a.b.c", 7, random);

        assertThat(sealed).doesNotContain("a.b.c");
        assertThat(new SealedTexts(former, SealedTexts.PUSH_TOKEN).open(sealed, 7))
                .contains("a.b.c");
        assertThat(new SealedTexts(changed, SealedTexts.PUSH_TOKEN).open(sealed, 7))
                .as("a former key")
                .contains("a.b.c");
        assertThat(new SealedTexts(former, SealedTexts.PUSH_TOKEN).open(sealed, 8))
                .isEmpty();
        assertThat(SealedTexts.closed().open(sealed, 7)).isEmpty();
        assertThat(new SealedTexts(former, SealedTexts.PUSH_TOKEN).open("", 7)).isEmpty();
        assertThat(new SealedTexts(former, SealedTexts.PUSH_TOKEN).open("not base64!", 7))
                .isEmpty();
    }
}
