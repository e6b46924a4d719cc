package io.fanfare.common.testing;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The side of push messages that reads them: the keys of a client, and both forms of encryption. */
public final class PushReceiver {
    private final KeyPair keys;
    private final byte[] auth = new byte[16];

    /** A new client. */
    public PushReceiver() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
        new SecureRandom().nextBytes(auth);
    }

    /** The public key as clients write it. */
    public String p256dh() {
        return Base64.getUrlEncoder().encodeToString(point());
    }

    /** The secret bytes as clients write them. */
    public String auth() {
        return Base64.getUrlEncoder().encodeToString(auth);
    }

    private byte[] point() {
        ECPoint point = ((ECPublicKey) keys.getPublic()).getW();
        return ByteBuffer.allocate(65)
                .put((byte) 4)
                .put(fixed(point.getAffineX()))
                .put(fixed(point.getAffineY()))
                .array();
    }

    private static byte[] fixed(BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] fixed = new byte[32];
        int count = Math.min(32, bytes.length);
        System.arraycopy(bytes, bytes.length - count, fixed, 32 - count, count);
        return fixed;
    }

    /** The text of a message in the form of RFC 8291. */
    public String aes128gcm(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        byte[] salt = take(in, 16);
        if (in.getInt() != 4096) {
            throw new AssertionError("another size of records");
        }
        byte[] sender = take(in, in.get());
        byte[] info = join("WebPush: info\0".getBytes(StandardCharsets.US_ASCII), point(), sender);
        byte[] key = expand(mac(auth, agree(sender)), info, 32);
        byte[] drawn = mac(salt, key);
        byte[] padded = decrypt(
                expand(drawn, "Content-Encoding: aes128gcm\0".getBytes(StandardCharsets.US_ASCII), 16),
                expand(drawn, "Content-Encoding: nonce\0".getBytes(StandardCharsets.US_ASCII), 12),
                take(in, in.remaining()));
        if (padded[padded.length - 1] != 2) {
            throw new AssertionError("not the last record");
        }
        return new String(padded, 0, padded.length - 1, StandardCharsets.UTF_8);
    }

    /**
     * The text of a message in the form of the draft.
     *
     * @param encryption the header of this name
     * @param cryptoKey the header Crypto-Key
     */
    public String aesgcm(byte[] body, String encryption, String cryptoKey) {
        byte[] salt = Base64.getUrlDecoder().decode(encryption.replace("salt=", ""));
        byte[] sender = Base64.getUrlDecoder().decode(cryptoKey.split(";", 2)[0].replace("dh=", ""));
        byte[] key =
                expand(mac(auth, agree(sender)), "Content-Encoding: auth\0".getBytes(StandardCharsets.US_ASCII), 32);
        byte[] length = {0, 65};
        byte[] context = join("P-256\0".getBytes(StandardCharsets.US_ASCII), length, point(), length, sender);
        byte[] drawn = mac(salt, key);
        byte[] padded = decrypt(
                expand(drawn, join("Content-Encoding: aesgcm\0".getBytes(StandardCharsets.US_ASCII), context), 16),
                expand(drawn, join("Content-Encoding: nonce\0".getBytes(StandardCharsets.US_ASCII), context), 12),
                body);
        int padding = ByteBuffer.wrap(padded).getShort();
        return new String(padded, 2 + padding, padded.length - 2 - padding, StandardCharsets.UTF_8);
    }

    private byte[] agree(byte[] sender) {
        try {
            ECPoint point = new ECPoint(
                    new BigInteger(1, Arrays.copyOfRange(sender, 1, 33)),
                    new BigInteger(1, Arrays.copyOfRange(sender, 33, 65)));
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
            agreement.init(keys.getPrivate());
            agreement.doPhase(
                    KeyFactory.getInstance("EC")
                            .generatePublic(new ECPublicKeySpec(point, ((ECPublicKey) keys.getPublic()).getParams())),
                    true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] decrypt(byte[] key, byte[] nonce, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] expand(byte[] drawn, byte[] info, int bytes) {
        return Arrays.copyOf(mac(drawn, join(info, new byte[] {1})), bytes);
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] take(ByteBuffer in, int bytes) {
        byte[] taken = new byte[bytes];
        in.get(taken);
        return taken;
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
