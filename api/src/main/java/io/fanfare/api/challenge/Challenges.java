package io.fanfare.api.challenge;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Owns {@link Keys#CHALLENGES}. A challenge is a text {@code <end, Unix seconds>.<bits>.<random>.<signature>}, which
 * the server signs and does not keep. Its solution is a nonce with which {@code SHA-256(challenge.nonce)} begins with
 * as many zero bits. To check one takes one signature and one hash. A solved challenge is kept until after its end, so
 * that it is worth one sign-up.
 */
final class Challenges {
    /** Time to fill in the form and to solve. */
    static final Duration LIFE = Duration.ofMinutes(10);

    /** The difference between two clocks that changes nothing: a used challenge is kept for so much longer. */
    static final Duration CLOCKS = Duration.ofHours(1);

    /** Used challenges that are kept: about 8 MB. */
    static final int USED_MAX = 100_000;

    private static final Script USE = Script.load("challenge_use");
    private static final String HMAC = "HmacSHA256";
    private static final int RANDOM_BYTES = 9;
    private static final int SIGNATURE_BYTES = 12;
    private static final Pattern FORM =
            Pattern.compile("((\\d{1,11})\\.(\\d{1,2})\\.([A-Za-z0-9_-]{12}))\\.([A-Za-z0-9_-]{16})");
    private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    private final Redis redis;
    private final List<SecretKeySpec> keys;
    private final int bits;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final int usedMax;

    /** @param bits {@code auth.sign-up-challenge} */
    Challenges(Redis redis, SigningKeys keys, int bits, InstantSource clock, RandomGenerator random, int usedMax) {
        this.redis = redis;
        this.keys = keys.drawnOfEach("sign-up-challenge").stream()
                .map(key -> new SecretKeySpec(key, HMAC))
                .toList();
        this.bits = bits;
        this.clock = clock;
        this.random = random;
        this.usedMax = usedMax;
    }

    /** Zero bits of a solution: twice as much work with each. */
    int bits() {
        return bits;
    }

    /**
     * A new challenge.
     *
     * @param endMillis Unix time
     */
    record Issued(String text, long endMillis) {}

    Issued issue() {
        long end = clock.millis() / 1000 + LIFE.toSeconds();
        byte[] drawn = new byte[RANDOM_BYTES];
        random.nextBytes(drawn);
        String signed = end + "." + bits + "." + base64(drawn);
        return new Issued(signed + "." + signature(keys.get(0), signed), end * 1000);
    }

    /** The verdict on a solution. */
    enum Verdict {
        GOOD,
        /** No challenge of this server, or one of another difficulty. */
        FOREIGN,
        ENDED,
        UNSOLVED,
        USED,
        /** As many used ones are kept as may be. */
        FULL
    }

    /** Checks a solution, and uses a good one up. Fails as long as Redis cannot note it. */
    Future<Verdict> use(String challenge, String nonce) {
        Matcher read = FORM.matcher(challenge);
        if (!read.matches() || Integer.parseInt(read.group(3)) != bits || !isSigned(read)) {
            return Future.succeededFuture(Verdict.FOREIGN);
        }
        long end = Long.parseLong(read.group(2)) * 1000;
        long now = clock.millis();
        if (end <= now || end > now + LIFE.plus(CLOCKS).toMillis()) {
            return Future.succeededFuture(Verdict.ENDED);
        }
        if (!NONCE.matcher(nonce).matches() || zeroBits(challenge + "." + nonce) < bits) {
            return Future.succeededFuture(Verdict.UNSOLVED);
        }
        return redis.send(USE.call(
                        List.of(Keys.CHALLENGES),
                        read.group(4),
                        end,
                        now - CLOCKS.toMillis(),
                        usedMax,
                        LIFE.plus(CLOCKS).plus(CLOCKS).toMillis()))
                .map(answer -> switch (answer.asString()) {
                    case "used" -> Verdict.USED;
                    case "full" -> Verdict.FULL;
                    default -> Verdict.GOOD;
                });
    }

    /** With any of the keys, since the one that signs may have changed. */
    private boolean isSigned(Matcher read) {
        byte[] given = read.group(5).getBytes(StandardCharsets.US_ASCII);
        return keys.stream()
                .anyMatch(key -> MessageDigest.isEqual(
                        signature(key, read.group(1)).getBytes(StandardCharsets.US_ASCII), given));
    }

    /** Leading zero bits of the SHA-256 digest of a text. */
    static int zeroBits(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            int zeros = 0;
            for (byte part : digest) {
                zeros += Integer.numberOfLeadingZeros(part & 0xff) - (Integer.SIZE - Byte.SIZE);
                if (part != 0) {
                    break;
                }
            }
            return zeros;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String signature(SecretKeySpec key, String signed) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return base64(Arrays.copyOf(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)), SIGNATURE_BYTES));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            // Every JDK has it, and the key is one of its kind.
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
