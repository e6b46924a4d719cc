package io.fanfare.core.push;

import com.nimbusds.jose.crypto.utils.ECChecks;
import com.nimbusds.jose.jwk.Curve;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** A client's keys for messages to it: a public key on P-256 and 16 secret bytes (RFC 8291). Immutable. */
public final class ClientKeys {
    public static final ECParameterSpec P256 = Curve.P_256.toECParameterSpec();
    public static final int POINT_BYTES = 65;
    private static final int AUTH_BYTES = 16;
    private static final int TEXT_CHARS_MAX = 200;
    private static final BigInteger PRIME = ((ECFieldFp) P256.getCurve().getField()).getP();

    private final byte[] point;
    private final byte[] auth;

    private ClientKeys(byte[] point, byte[] auth) {
        this.point = point;
        this.auth = auth;
    }

    /**
     * Reads them; empty when they are none: a point that is not on the curve, or bytes of another number.
     *
     * @param p256dh the uncompressed point, base64 or base64url, padded or not
     * @param auth the secret bytes, written alike
     */
    public static Optional<ClientKeys> of(String p256dh, String auth) {
        byte[] point = decoded(p256dh);
        byte[] secret = decoded(auth);
        boolean good = point.length == POINT_BYTES && point[0] == 4 && secret.length == AUTH_BYTES && isOnCurve(point);
        return good ? Optional.of(new ClientKeys(point, secret)) : Optional.empty();
    }

    private static byte[] decoded(String text) {
        if (text.length() > TEXT_CHARS_MAX) {
            return new byte[0];
        }
        try {
            return Base64.getUrlDecoder()
                    .decode(text.replace('+', '-').replace('/', '_').replace("=", ""));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static boolean isOnCurve(byte[] point) {
        BigInteger x = coordinate(point, 1);
        BigInteger y = coordinate(point, 33);
        return x.compareTo(PRIME) < 0 && y.compareTo(PRIME) < 0 && ECChecks.isPointOnCurve(x, y, P256);
    }

    private static BigInteger coordinate(byte[] point, int from) {
        return new BigInteger(1, Arrays.copyOfRange(point, from, from + 32));
    }

    /** The public key, as the JDK has it. */
    public ECPublicKey publicKey() {
        try {
            return (ECPublicKey) KeyFactory.getInstance("EC")
                    .generatePublic(
                            new ECPublicKeySpec(new ECPoint(coordinate(point, 1), coordinate(point, 33)), P256));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The uncompressed point. Not to be changed. */
    public byte[] point() {
        return point;
    }

    /** Not to be changed. */
    public byte[] auth() {
        return auth;
    }

    /** The point in base64url, unpadded: how it is stored. */
    public String p256dh() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(point);
    }

    /** The secret bytes in base64url, unpadded: how they are stored. */
    public String secret() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(auth);
    }
}
