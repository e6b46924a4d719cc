package io.fanfare.stream.access;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.siteblock.KnownBlocks;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Graph;
import io.fanfare.redis.Redis;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.stream.session.StreamHub;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The parts of the streams of one event loop.
 *
 * @param cookieKeys the first signs the cookies of tickets, the others are good as well; the same on all nodes; see
 *     {@link #cookieKeys(SigningKeys)}
 * @param sampleSalt seeds the draw of samples: secret, and the same on all nodes; see {@link #sampleSalt(SigningKeys)}
 * @param blocks of the site, read by the caller
 * @param bodies of requests, of all roles of the process
 */
public record StreamParts(
        Vertx vertx,
        StreamHub hub,
        Redis redis,
        Tokens tokens,
        Graph graph,
        Accounts accounts,
        KnownBlocks blocks,
        SecureRandom random,
        long sampleSalt,
        List<SecretKey> cookieKeys,
        BodyBudget bodies,
        Settings settings) {

    /** Drawn from the key that all nodes share anyway, and reveals nothing of it. Another key draws other samples. */
    public static long sampleSalt(SigningKeys keys) {
        return ByteBuffer.wrap(keys.drawn("sample")).getLong();
    }

    /** The same of each key: cookies are good as long as the tokens of their time. */
    public static List<SecretKey> cookieKeys(SigningKeys keys) {
        return keys.drawnOfEach("stream cookie").stream()
                .<SecretKey>map(key -> new SecretKeySpec(key, "HmacSHA256"))
                .toList();
    }
}
