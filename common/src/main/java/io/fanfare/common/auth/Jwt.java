package io.fanfare.common.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Signed JSON Web Tokens of exactly one kind: HS256 (RFC 7518), type {@code at+jwt} (RFC 9068), whose {@code kid} says
 * by which key. A token whose header names another algorithm, type or key is refused before its signature is looked at,
 * so there is no algorithm to confuse. One without {@code kid} is tried with every key: so tokens were issued before
 * keys had names. Immutable.
 */
final class Jwt {
    private static final JWSAlgorithm ALGORITHM = JWSAlgorithm.HS256;
    private static final JOSEObjectType TYPE = new JOSEObjectType("at+jwt");

    /** Enough to distinguish a handful of keys. */
    private static final int KEY_ID_BYTES = 6;

    private final JWSHeader header;
    private final MACSigner signer;
    private final Map<String, MACVerifier> verifiers = new LinkedHashMap<>();

    /** @param keys at least 32 bytes each, as RFC 7518 asks of HS256 */
    Jwt(SigningKeys keys) {
        byte[] first = keys.all().get(0);
        header = new JWSHeader.Builder(ALGORITHM).type(TYPE).keyID(keyId(first)).build();
        try {
            signer = new MACSigner(first);
            for (byte[] key : keys.all()) {
                verifiers.putIfAbsent(keyId(key), new MACVerifier(key));
            }
        } catch (JOSEException e) {
            throw new IllegalArgumentException("a signing key has at least 32 bytes", e);
        }
    }

    /** The name of a key in the header: the same in every process, and reveals nothing of the key. */
    private static String keyId(byte[] key) {
        byte[] name = Arrays.copyOf(SigningKeys.drawn(key, "kid"), KEY_ID_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
    }

    /** The token with these claims. */
    String sign(JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(header, claims);
        try {
            token.sign(signer);
        } catch (JOSEException e) {
            // The key was checked when it came; every JDK has HmacSHA256.
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    /**
     * The claims; null when the token is not one of ours, whatever is wrong with it. Says nothing about its age or
     * audience. A token has one spelling: its header and claims are signed as they are written, and other spellings of
     * the signature are refused.
     */
    JWTClaimsSet verify(String token) {
        try {
            SignedJWT signed = SignedJWT.parse(token);
            JWSHeader named = signed.getHeader();
            if (!ALGORITHM.equals(named.getAlgorithm())
                    || !TYPE.equals(named.getType())
                    || !token.equals(signed.serialize())
                    || Secrets.decode(signed.getSignature().toString()).length == 0) {
                return null;
            }
            for (MACVerifier verifier : verifiers(named.getKeyID())) {
                if (signed.verify(verifier)) {
                    return signed.getJWTClaimsSet();
                }
            }
            return null;
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return null;
        }
    }

    private Collection<MACVerifier> verifiers(String keyId) {
        if (keyId == null) {
            return verifiers.values();
        }
        MACVerifier named = verifiers.get(keyId);
        return named == null ? List.of() : List.of(named);
    }
}
