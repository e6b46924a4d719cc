package io.fanfare.common.auth;

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
 * Short secret texts of accounts as they lie in Redis: encrypted by a key that is drawn from the signing key, which is
 * not in Redis, so that a copy of its files reveals none of them. Each is bound to its account and its purpose.
 * Immutable.
 */
public final class SealedTexts {
    /** The purpose of access tokens in push subscriptions: apps find by them whom a message is for. */
    public static final String PUSH_TOKEN = "push-token";

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The keys drawn from each signing key, the signing one first. */
    private final List<byte[]> keys;

    /** @param purpose what is sealed opens for the same one only */
    public SealedTexts(SigningKeys keys, String purpose) {
        this.keys = keys.drawnOfEach(purpose);
    }

    private SealedTexts() {
        this.keys = List.of();
    }

    /** For processes that have no signing key: they open none. */
    public static SealedTexts closed() {
        return new SealedTexts();
    }

    /** A text of an account, sealed: base64url. */
    public String seal(String text, long account, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce, account);
            byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a sealed text; empty when none of the keys opens it. */
    public Optional<String> open(String sealed, long account) {
        return keys.stream()
                .map(key -> open(sealed, account, key))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Whether a text that opens was sealed with a former key, and should be sealed again. */
    public boolean isOutdated(String sealed, long account) {
        return open(sealed, account, keys.get(0)).isEmpty();
    }

    private static Optional<String> open(String sealed, long account, byte[] key) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(sealed);
            if (all.length <= NONCE_BYTES) {
                return Optional.empty();
            }
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, Arrays.copyOf(all, NONCE_BYTES), account);
            byte[] text = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty(); // Sealed by another key, or no sealed text.
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, long account) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(Long.toString(account).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }
}
