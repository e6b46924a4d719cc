package io.fanfare.worker.push;

import io.fanfare.core.push.ClientKeys;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts messages to a client: RFC 8291 on RFC 8188 ({@code aes128gcm}), and for clients that ask for no standard the
 * draft before it ({@code aesgcm}), which Mastodon's older apps read. Each message has a key pair and a salt of its
 * own. Takes a millisecond or two, so that event loops leave it to another thread. Immutable.
 */
public final class PushEncryption {
    /** The longest message that every push service takes: RFC 8030 asks for 4096 bytes in all. */
    public static final int MESSAGE_MAX = 3993;

    private static final int RECORD_BYTES = 4096;
    private static final int SALT_BYTES = 16;
    private static final int KEY_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte LAST_RECORD = 2;

    private final SecureRandom random;

    public PushEncryption(SecureRandom random) {
        this.random = random;
    }

    /** A message as it is sent. */
    public static final class Sealed {
        private final byte[] body;
        private final byte[] salt;
        private final byte[] publicKey;

        private Sealed(byte[] body, byte[] salt, byte[] publicKey) {
            this.body = body;
            this.salt = salt;
            this.publicKey = publicKey;
        }

        /** Not to be changed. */
        public byte[] body() {
            return body;
        }

        /** For the header of {@code aesgcm}, base64url. */
        public String salt() {
            return text(salt);
        }

        /** The point, for the header of {@code aesgcm}, base64url. */
        public String publicKey() {
            return text(publicKey);
        }

        private static String text(byte[] bytes) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }
    }

    /**
     * Encrypts a message of at most {@link #MESSAGE_MAX} bytes.
     *
     * @param standard {@code aes128gcm} rather than {@code aesgcm}
     */
    public Sealed seal(byte[] message, ClientKeys to, boolean standard) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return standard ? aes128gcm(message, to, drawPair(), salt) : aesgcm(message, to, drawPair(), salt);
    }

    private KeyPair drawPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static Sealed aes128gcm(byte[] message, ClientKeys to, KeyPair own, byte[] salt) {
        byte[] ownPoint = point((ECPublicKey) own.getPublic());
        byte[] info = joined(bytes("WebPush: info\0"), to.point(), ownPoint);
        byte[] key = expanded(mac(to.auth(), agreed(own, to)), info, 32);
        return new Sealed(record(message, key, salt, ownPoint), salt, ownPoint);
    }

    /** RFC 8188 with a single record. */
    static byte[] record(byte[] message, byte[] key, byte[] salt, byte[] keyId) {
        byte[] extracted = mac(salt, key);
        byte[] contentKey = expanded(extracted, bytes("Content-Encoding: aes128gcm\0"), KEY_BYTES);
        byte[] nonce = expanded(extracted, bytes("Content-Encoding: nonce\0"), NONCE_BYTES);
        byte[] header = ByteBuffer.allocate(SALT_BYTES + 5)
                .put(salt)
                .putInt(RECORD_BYTES)
                .put((byte) keyId.length)
                .array();
        return joined(header, keyId, encrypted(contentKey, nonce, joined(message, new byte[] {LAST_RECORD})));
    }

    static Sealed aesgcm(byte[] message, ClientKeys to, KeyPair own, byte[] salt) {
        byte[] ownPoint = point((ECPublicKey) own.getPublic());
        byte[] key = expanded(mac(to.auth(), agreed(own, to)), bytes("Content-Encoding: auth\0"), 32);
        byte[] length = {0, ClientKeys.POINT_BYTES};
        byte[] context = joined(bytes("P-256\0"), length, to.point(), length, ownPoint);
        byte[] extracted = mac(salt, key);
        byte[] contentKey = expanded(extracted, joined(bytes("Content-Encoding: aesgcm\0"), context), KEY_BYTES);
        byte[] nonce = expanded(extracted, joined(bytes("Content-Encoding: nonce\0"), context), NONCE_BYTES);
        byte[] unpadded = {0, 0};
        return new Sealed(encrypted(contentKey, nonce, joined(unpadded, message)), salt, ownPoint);
    }

    private static byte[] agreed(KeyPair own, ClientKeys to) {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
            agreement.init(own.getPrivate());
            agreement.doPhase(to.publicKey(), /* lastPhase= */ true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] encrypted(byte[] key, byte[] nonce, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** HKDF-Expand of RFC 5869 for at most 32 bytes. */
    private static byte[] expanded(byte[] extracted, byte[] info, int bytes) {
        return Arrays.copyOf(mac(extracted, joined(info, new byte[] {1})), bytes);
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] point(ECPublicKey key) {
        return joined(
                new byte[] {4},
                coordinate(key.getW().getAffineX().toByteArray()),
                coordinate(key.getW().getAffineY().toByteArray()));
    }

    /** 32 bytes: a sign goes, what is short gets zeros before it. */
    private static byte[] coordinate(byte[] number) {
        byte[] fixed = new byte[32];
        int count = Math.min(number.length, fixed.length);
        System.arraycopy(number, number.length - count, fixed, fixed.length - count, count);
        return fixed;
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
