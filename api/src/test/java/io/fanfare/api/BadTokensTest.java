package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.User;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens that somebody made up. Each starts from a good one, so that what is changed is what is refused. */
class BadTokensTest {
    private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"at+jwt\"}";

    private static ApiServer api;
    private static User ann;
    private static String payload;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
        ann = api.signUp("ann");
        payload = new String(decode(part(1)), StandardCharsets.UTF_8);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void aTokenSaysWhatRfc9068AsksFor() {
        JsonObject header = new JsonObject(new String(decode(part(0)), StandardCharsets.UTF_8));
        JsonObject claims = new JsonObject(payload);

        assertThat(header.getString("alg")).isEqualTo("HS256");
        assertThat(header.getString("typ")).isEqualTo("at+jwt");
        assertThat(header.getString("kid")).matches("[\\w-]{8}");
        assertThat(claims.getString("sub")).isEqualTo(ann.id());
        assertThat(claims.getMap()).containsKeys("iss", "aud", "jti", "iat", "client_id", "scope");
    }

    @Test
    void theSameClaimsWithAValidSignatureAreAccepted() {
        assertThat(status(signed(HEADER, payload, ApiServer.SIGNING_KEY))).isEqualTo(200);
    }

    @Test
    void aTokenWithoutSignatureIsRefused() {
        String none = encode("{\"alg\":\"none\",\"typ\":\"at+jwt\"}") + "." + part(1) + ".";

        assertThat(status(none)).isEqualTo(401);
        assertThat(status(part(0) + "." + part(1) + ".")).isEqualTo(401);
        assertThat(status(part(0) + "." + part(1))).isEqualTo(401);
    }

    @Test
    void aTokenOfAnotherKeyIsRefused() {
        byte[] other = "another key another key another!".getBytes(StandardCharsets.US_ASCII);

        assertThat(status(signed(HEADER, payload, other))).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"alg\":\"HS512\",\"typ\":\"at+jwt\"}",
                "{\"alg\":\"RS256\",\"typ\":\"at+jwt\"}",
                "{\"alg\":\"none\",\"typ\":\"at+jwt\"}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\"}",
                "{\"alg\":\"HS256\"}",
                "{\"alg\":\"HS256\",\"typ\":\"at+jwt\",\"kid\":\"another\"}",
                "{\"alg\":\"HS256\",\"typ\":\"at+jwt\",\"kid\":7}",
                "{}"
            })
    void aTokenOfAnotherKindIsRefused(String header) {
        assertThat(status(signed(header, payload, ApiServer.SIGNING_KEY))).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "\"iss\":\"fanfare\", \"iss\":\"elsewhere\"",
        "\"aud\":\"fanfare\", \"aud\":\"elsewhere\"",
        "\"aud\":\"fanfare\", \"aud\":[]",
        "\"iat\", \"exp\":1577836800;\"iat\"",
        "\"iat\", \"exp\":\"soon\";\"iat\"",
        "\"jti\", \"id\"",
        "\"sub\":\", \"sub\":\"x"
    })
    void aTokenWithAnotherClaimIsRefused(String good, String bad) {
        String changed = payload.replace(good, bad.replace(';', ','));

        assertThat(changed).isNotEqualTo(payload);
        assertThat(status(signed(HEADER, changed, ApiServer.SIGNING_KEY))).isEqualTo(401);
    }

    /** A signature of 32 bytes leaves two bits of its last character without a meaning. */
    @Test
    void anotherSpellingOfAGoodTokenIsRefused() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        String token = ann.token();
        String rest = token.substring(0, token.length() - 1);
        int last = alphabet.indexOf(token.charAt(token.length() - 1));
        assertThat(last % 4).isZero();
        List<String> spellings = List.of(
                token + "=",
                token + "==",
                rest + "=" + alphabet.charAt(last),
                rest + alphabet.charAt(last + 1),
                rest + alphabet.charAt(last + 3),
                part(0) + "=." + part(1) + "." + part(2),
                part(0) + "." + part(1) + "=." + part(2),
                part(0) + "." + part(1) + ".*" + part(2));

        for (String spelling : spellings) {
            assertThat(status(spelling)).as(spelling).isEqualTo(401);
        }
        assertThat(status(token)).isEqualTo(200);
    }

    @Test
    void aTokenThatIsNotListedIsRefused() {
        String other = payload.replaceFirst("\"jti\":\"..", "\"jti\":\"__");

        assertThat(status(signed(HEADER, other, ApiServer.SIGNING_KEY))).isEqualTo(401);
    }

    @Test
    void garbageIsRefused() {
        for (String garbage : List.of("x", "..", "a.b.c", "ü", part(0) + ".%.%", "x".repeat(10_000))) {
            assertThat(status(garbage)).as(garbage).isEqualTo(401);
        }
    }

    @Test
    void aBadTokenIsRefusedWhereNoneIsNeeded() {
        assertThat(api.get("/api/v1/accounts/" + ann.id(), "x").status()).isEqualTo(401);
    }

    private static int status(String token) {
        return api.send(
                        "GET",
                        "/api/v1/timelines/home",
                        null,
                        null,
                        null,
                        "Authorization",
                        "bearer " + new String(token.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
                .status();
    }

    private static String signed(String header, String claims, byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            String signed = encode(header) + "." + encode(claims);
            byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String part(int i) {
        return List.of(ann.token().split("\\.", -1)).get(i);
    }

    private static String encode(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] decode(String part) {
        return Base64.getUrlDecoder().decode(part);
    }
}
