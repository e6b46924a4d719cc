package io.fanfare.common.auth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Random identifiers and client secrets: unguessable, and of characters that may stand in keys and URLs ({@code A-Z a-z
 * 0-9 - _}).
 */
public final class Secrets {
    private Secrets() {}

    /** That many random bytes as text. */
    public static String draw(SecureRandom random, int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    }

    /**
     * The bytes that this text stands for in base64url. Throws {@link IllegalArgumentException} for every other
     * spelling of the same bytes, which the decoder of the JDK takes: with padding, or with bits behind the last byte.
     */
    public static byte[] decode(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
            throw new IllegalArgumentException("not the base64url of its bytes");
        }
        return bytes;
    }

    /**
     * The stored form of a secret that has been drawn here: it has too much entropy to be guessed from its plain
     * digest, so no slow hash is needed.
     */
    public static String digest(String secret) {
        return digest(ByteBuffer.wrap(secret.getBytes(StandardCharsets.UTF_8)));
    }

    /** The SHA-256 of the remaining bytes in hexadecimal. */
    public static String digest(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the secret is the one of this digest; takes the same time wherever they differ. */
    public static boolean matches(String secret, String digest) {
        return MessageDigest.isEqual(
                digest(secret).getBytes(StandardCharsets.US_ASCII), digest.getBytes(StandardCharsets.US_ASCII));
    }
}
