package io.fanfare.core.testing;

import io.fanfare.core.factor.Totp;
import java.math.BigInteger;
import java.time.Instant;

/** An authenticator app, for tests. */
public final class Authenticator {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private Authenticator() {}

    /**
     * The code that the app shows.
     *
     * @param secret in Base32, as the server shows it
     */
    public static String code(String secret, Instant at) {
        return Totp.code(bytes(secret), Totp.step(at.getEpochSecond()));
    }

    /** The bytes of a secret, the other way round than the server writes them. */
    public static byte[] bytes(String secret) {
        BigInteger bits = BigInteger.ONE; // Keeps zeros at the beginning.
        for (int i = 0; i < secret.length(); i++) {
            bits = bits.shiftLeft(5).or(BigInteger.valueOf(ALPHABET.indexOf(secret.charAt(i))));
        }
        byte[] bytes = new byte[secret.length() * 5 / 8];
        System.arraycopy(bits.toByteArray(), 1, bytes, 0, bytes.length);
        return bytes;
    }
}
