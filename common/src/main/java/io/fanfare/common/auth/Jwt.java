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

/**
 * Signed JSON Web Tokens of exactly one kind: HS256 (RFC 7518), type {@code at+jwt} (RFC 9068). A token whose header names another algorithm or type is refused before its signature
 * is looked at, so there is no algorithm to confuse. Immutable.
 */
final class Jwt {
    private static final JWSHeader HEADER = new JWSHeader.Builder(JWSAlgorithm.HS256)
            .type(new JOSEObjectType("at+jwt"))
            .build();

    private final MACSigner signer;
    private final MACVerifier verifier;

    /** @param key at least 32 bytes, as RFC 7518 asks of HS256 */
    Jwt(byte[] key) {
        try {
            signer = new MACSigner(key);
            verifier = new MACVerifier(key);
        } catch (JOSEException e) {
            throw new IllegalArgumentException("a signing key has at least 32 bytes, this one has " + key.length, e);
        }
    }

    /** The token with these claims. */
    String sign(JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(HEADER, claims);
        try {
            token.sign(signer);
        } catch (JOSEException e) {
            // The key was checked when it came; every JDK has HmacSHA256.
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    /** The claims; null when the token is not one of ours, whatever is wrong with it. Says nothing about its age or audience. */
    JWTClaimsSet verify(String token) {
        try {
            SignedJWT signed = SignedJWT.parse(token);
            JWSHeader header = signed.getHeader();
            boolean ours = HEADER.getAlgorithm().equals(header.getAlgorithm())
                    && HEADER.getType().equals(header.getType());
            return ours && signed.verify(verifier) ? signed.getJWTClaimsSet() : null;
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return null;
        }
    }
}
