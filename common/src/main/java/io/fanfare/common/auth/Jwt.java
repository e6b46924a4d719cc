package io.fanfare.common.auth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fanfare.common.view.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signed JSON Web Tokens of exactly one kind (RFC 7515 compact form, RFC 9068 type): header {@code {"alg":"HS256","typ":"at+jwt"}}, and a flat object of claims. A token whose
 * header is not this one to the letter is refused before anything else is looked at, so there is no algorithm to confuse. Confined to one event loop (the Mac is reused).
 *
 * <p>Own code rather than vertx-auth-jwt, which overwrites {@code typ}, reads the machine's clock, and refuses an {@code iat} that another machine's clock put ahead of ours.
 */
final class Jwt {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final String HEADER =
            encode("{\"alg\":\"HS256\",\"typ\":\"at+jwt\"}".getBytes(StandardCharsets.UTF_8)) + ".";
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Mac mac;

    /** @param key at least 32 bytes, as RFC 7518 asks of HS256 */
    Jwt(byte[] key) {
        if (key.length < 32) {
            throw new IllegalArgumentException("a signing key has at least 32 bytes, this one has " + key.length);
        }
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            // Every JDK has HmacSHA256.
            throw new IllegalStateException(e);
        }
    }

    /** The token with these claims. */
    String sign(Json.Body claims) {
        String signed = HEADER + encode(Json.bytes(claims));
        return signed + "." + encode(signature(signed));
    }

    /** The claims by name, values as text; null when the token is not one of ours, whatever is wrong with it. Says nothing about its age or audience. */
    Map<String, String> verify(String token) {
        int end = token.lastIndexOf('.');
        if (!token.startsWith(HEADER) || end < HEADER.length()) {
            return null;
        }
        try {
            byte[] given = DECODER.decode(token.substring(end + 1));
            if (!MessageDigest.isEqual(signature(token.substring(0, end)), given)) {
                return null;
            }
            return claims(DECODER.decode(token.substring(HEADER.length(), end)));
        } catch (IllegalArgumentException | IOException e) {
            return null;
        }
    }

    private byte[] signature(String signed) {
        return mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> claims(byte[] json) throws IOException {
        Map<String, String> claims = new HashMap<>();
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!parser.nextToken().isScalarValue()) {
                    return null;
                }
                claims.put(name, parser.getText());
            }
        }
        return claims;
    }

    private static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }
}
