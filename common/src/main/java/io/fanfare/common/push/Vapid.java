package io.fanfare.common.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;

/**
 * The key pair by which push services know this server (RFC 8292), the same in every process. Safe for every thread;
 * never prints its private half.
 */
public final class Vapid {
    private static final BigInteger ORDER = Curve.P_256.toECParameterSpec().getOrder();
    private static final int KEY_BYTES = 32;

    /** RFC 8292 allows a day. */
    private static final Duration VALID = Duration.ofHours(12);

    /** How long a token of one push service is used again; a signature takes a millisecond. */
    private static final Duration REUSED = Duration.ofHours(1);

    private static final int TOKENS_MAX = 1000;

    private final BigInteger secret;
    private final Cache<String, Token> tokens = Caffeine.newBuilder()
            .maximumSize(TOKENS_MAX)
            .executor(Runnable::run)
            .build();

    /**
     * Null until the first use: the JVM checks the signature of the library's jar before it loads a class of it, which
     * takes a fifth of a start. The same whichever thread makes it.
     */
    private volatile Pair pair;

    /** A signed token, and when it was signed. */
    private record Token(String token, Instant at) {}

    /** @param point the public half, not compressed */
    @SuppressWarnings("ArrayRecordComponent") // Encoded, never compared or changed.
    private record Pair(byte[] point, ECDSASigner signer) {}

    private Vapid(BigInteger secret) {
        this.secret = secret;
    }

    private Pair pair() {
        Pair made = pair;
        if (made == null) {
            made = pairOf(secret);
            pair = made;
        }
        return made;
    }

    private static Pair pairOf(BigInteger secret) {
        ECPoint twice =
                CustomNamedCurves.getByName("P-256").getG().multiply(secret).normalize();
        ECKey key = new ECKey.Builder(
                        Curve.P_256,
                        Base64URL.encode(twice.getAffineXCoord().getEncoded()),
                        Base64URL.encode(twice.getAffineYCoord().getEncoded()))
                .d(ECKey.encodeCoordinate(
                        Curve.P_256.toECParameterSpec().getCurve().getField().getFieldSize(), secret))
                .build();
        try {
            return new Pair(twice.getEncoded(/* compressed= */ false), new ECDSASigner(key));
        } catch (JOSEException e) {
            // Every JDK has P-256.
            throw new IllegalStateException(e);
        }
    }

    /** The key pair with this private half, as {@link #draw} writes it; fails with an IllegalArgumentException. */
    public static Vapid of(String text) {
        if (!isKey(text)) {
            throw new IllegalArgumentException("no private key of P-256");
        }
        return new Vapid(new BigInteger(1, Base64.getUrlDecoder().decode(text)));
    }

    /** Whether this is a private key: 32 bytes in base64url. */
    public static boolean isKey(String text) {
        if (!text.matches("[A-Za-z0-9_-]{43}=?")) {
            return false;
        }
        BigInteger secret = new BigInteger(1, Base64.getUrlDecoder().decode(text));
        return secret.signum() > 0 && secret.compareTo(ORDER) < 0;
    }

    /** A new private key. */
    public static String draw(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        String text;
        do {
            random.nextBytes(bytes);
            text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        } while (!isKey(text));
        return text;
    }

    /** The public half as Mastodon writes it: the uncompressed point in base64url, padded. */
    public String publicKey() {
        return Base64.getUrlEncoder().encodeToString(pair().point());
    }

    /** The same as it stands in headers, unpadded. */
    public String publicKeyUnpadded() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(pair().point());
    }

    /**
     * A signed token that names the sender, good for half a day.
     *
     * @param origin of the push service
     * @param subject how to reach who runs this server: a mailto: or https: address; empty = not given
     */
    public String token(String origin, String subject, Instant now) {
        Token known = tokens.getIfPresent(origin);
        if (known != null
                && !now.isBefore(known.at())
                && now.isBefore(known.at().plus(REUSED))) {
            return known.token();
        }
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(JOSEObjectType.JWT)
                        .build(),
                new JWTClaimsSet.Builder()
                        .audience(origin)
                        .expirationTime(Date.from(now.plus(VALID)))
                        .subject(subject.isEmpty() ? null : subject)
                        .build());
        try {
            token.sign(pair().signer());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        tokens.put(origin, new Token(token.serialize(), now));
        return token.serialize();
    }
}
