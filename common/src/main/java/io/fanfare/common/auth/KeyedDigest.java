package io.fanfare.common.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Digests of texts by a key of the site (HMAC-SHA-256, RFC 2104), cut and written in base64url. Redis has them in the
 * place of texts that it need not know: without the key a digest cannot be compared with guesses. Thread-safe.
 */
public final class KeyedDigest {
    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final int bytes;

    /** @param bytes of a digest, 1 to 32 */
    public KeyedDigest(byte[] key, int bytes) {
        this.key = new SecretKeySpec(key, HMAC);
        this.bytes = bytes;
    }

    /** The digest of a text. */
    public String of(String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            byte[] whole = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, bytes));
        } catch (GeneralSecurityException e) {
            // Every JDK has it, and the key is one of its kind.
            throw new IllegalStateException(e);
        }
    }
}
