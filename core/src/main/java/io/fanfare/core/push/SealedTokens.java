package io.fanfare.core.push;

import io.fanfare.common.auth.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Access tokens as they lie in push subscriptions: encrypted by a key that is drawn from the signing key, which is not
 * in Redis, so that a copy of its files lets nobody in. Messages have them, since apps find by them whom a message is
 * for. Immutable.
 */
public final class SealedTokens {
    private static final String PURPOSE = "push-token";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The keys drawn from each signing key, the signing one first. */
    private final List<byte[]> keys;

    public SealedTokens(SigningKeys keys) {
        this.keys = keys.drawnOfEach(PURPOSE);
    }

    private SealedTokens() {
        this.keys = List.of();
    }

    /** For processes that have no signing key: they open none. */
    public static SealedTokens closed() {
        return new SealedTokens();
    }

    /** The token of an account, sealed: base64url. */
    public String seal(String token, long account, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce, account);
            byte[] sealed = cipher.doFinal(token.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a sealed token; empty when none of the keys opens it. */
    public Optional<String> open(String sealed, long account) {
        return keys.stream()
                .map(key -> open(sealed, account, key))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> open(String sealed, long account, byte[] key) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(sealed);
            if (all.length <= NONCE_BYTES) {
                return Optional.empty();
            }
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOf(all, NONCE_BYTES), account);
            byte[] token = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return Optional.of(new String(token, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty(); // Sealed by another key, or no sealed token.
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, long account) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(Long.toString(account).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }
}
