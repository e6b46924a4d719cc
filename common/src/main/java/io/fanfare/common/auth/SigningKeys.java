package io.fanfare.common.auth;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of access tokens, the same in every process: one that signs, and others whose tokens are good as well, so
 * that a key can be changed without ending a session. Immutable; never prints them.
 */
public final class SigningKeys {
    private static final String HMAC = "HmacSHA256";

    private final List<byte[]> keys;

    /** @param keys of at least 32 bytes each; the first signs */
    public SigningKeys(List<byte[]> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("one key must sign");
        }
        this.keys = keys.stream().map(byte[]::clone).toList();
    }

    /** A single one. */
    public static SigningKeys of(byte[] key) {
        return new SigningKeys(List.of(key));
    }

    /** The one that signs first. Not to be changed. */
    List<byte[]> all() {
        return keys;
    }

    /** A key for another purpose, drawn from the one that signs; reveals nothing of it. */
    public byte[] drawn(String purpose) {
        return drawn(keys.get(0), purpose);
    }

    /** The same of each key, of the one that signs first: for what must outlive a change of keys. */
    public List<byte[]> drawnOfEach(String purpose) {
        return keys.stream().map(key -> drawn(key, purpose)).toList();
    }

    static byte[] drawn(byte[] key, String purpose) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(purpose.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }
}
