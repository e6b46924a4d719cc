package io.fanfare.core.factor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Codes by time (RFC 6238) in the form that all authenticator apps know: HMAC-SHA-1, six digits, steps of
 * {@value #STEP_SECONDS} s. A code of the step before or after the current one is right too, for clocks that differ.
 */
public final class Totp {
    /** Length of a time step in seconds. */
    public static final int STEP_SECONDS = 30;

    /** Digits of a code. */
    public static final int DIGITS = 6;

    /** Bytes of a secret: as long as the output of the hash (RFC 4226, 4). */
    public static final int SECRET_BYTES = 20;

    private static final int WINDOW_STEPS = 1;
    private static final int MODULUS = 1_000_000;
    private static final String HMAC = "HmacSHA1";

    private Totp() {}

    /** The number of the time step of this moment. */
    public static long step(long epochSeconds) {
        return Math.floorDiv(epochSeconds, STEP_SECONDS);
    }

    /** The code of a time step. */
    public static String code(byte[] secret, long step) {
        byte[] hash = hash(secret, step);
        int offset = hash[hash.length - 1] & 0xf;
        int number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", number % MODULUS);
    }

    /** The newest time step around this moment that has this code; empty when none has. */
    public static OptionalLong stepOf(byte[] secret, String code, long epochSeconds) {
        byte[] given = code.getBytes(StandardCharsets.UTF_8);
        long now = step(epochSeconds);
        OptionalLong found = OptionalLong.empty();
        for (long step = now - WINDOW_STEPS; step <= now + WINDOW_STEPS; step++) {
            if (MessageDigest.isEqual(code(secret, step).getBytes(StandardCharsets.UTF_8), given)) {
                found = OptionalLong.of(step);
            }
        }
        return found;
    }

    private static byte[] hash(byte[] secret, long step) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
        } catch (GeneralSecurityException e) {
            // Every JDK has it, and takes any key.
            throw new IllegalStateException(e);
        }
    }
}
