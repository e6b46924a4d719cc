package io.fanfare.stream;

import io.fanfare.common.auth.Tokens;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the streams of one event loop are made of.
 *
 * @param cookieKey signs the cookies of tickets, the same on all nodes; see {@link #cookieKey(byte[])}
 * @param sampleSalt what samples are drawn by: secret, and the same on all nodes; see {@link #sampleSalt(byte[])}
 */
public record StreamParts(
        Vertx vertx,
        StreamHub hub,
        Redis redis,
        Tokens tokens,
        Graph graph,
        Accounts accounts,
        SecureRandom random,
        long sampleSalt,
        SecretKey cookieKey,
        Settings settings) {

    /** Drawn from the key that all nodes share anyway; tells nothing of it. */
    public static long sampleSalt(byte[] signingKey) {
        return ByteBuffer.wrap(drawn(signingKey, "sample")).getLong();
    }

    /** The same. */
    public static SecretKey cookieKey(byte[] signingKey) {
        return new SecretKeySpec(drawn(signingKey, "stream cookie"), "HmacSHA256");
    }

    private static byte[] drawn(byte[] signingKey, String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(signingKey, "HmacSHA256"));
            return mac.doFinal(purpose.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(e);
        }
    }
}
