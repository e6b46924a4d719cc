package io.fanfare.worker.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.PushReceiver;
import io.fanfare.core.push.ClientKeys;
import io.fanfare.worker.push.PushEncryption.Sealed;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.spec.ECPrivateKeySpec;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Encryption matches the standards, and clients can read it. */
class PushEncryptionTest {
    private static final String AS_PUBLIC =
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

    private static byte[] bytes(String base64) {
        return Base64.getUrlDecoder().decode(base64);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** RFC 8291, appendix A. */
    @Test
    void theExampleOfTheStandardIsMadeToTheByte() throws GeneralSecurityException {
        ClientKeys client = ClientKeys.of(
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                        "BTBZMqHH6r4Tts7J_aSIgg")
                .orElseThrow();
        BigInteger secret = new BigInteger(1, bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        KeyPair own = new KeyPair(
                ClientKeys.of(AS_PUBLIC, "BTBZMqHH6r4Tts7J_aSIgg").orElseThrow().publicKey(),
                KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(secret, ClientKeys.P256)));

        Sealed sealed = PushEncryption.aes128gcm(
                "When I grow up, I want to be a watermelon".getBytes(StandardCharsets.UTF_8),
                client,
                own,
                bytes("DGv6ra1nlYgDCS1FRnbzlw"));

        assertThat(sealed.publicKey()).isEqualTo(AS_PUBLIC);
        assertThat(text(sealed.body()))
                .isEqualTo(
                        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
                                + "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
    }

    /** RFC 8188, section 3.1. */
    @Test
    void aRecordIsThatOfItsStandard() {
        byte[] record = PushEncryption.record(
                "I am the walrus".getBytes(StandardCharsets.UTF_8),
                bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
                bytes("I1BsxtFttlv3u_Oo94xnmw"),
                new byte[0]);
        assertThat(text(record)).isEqualTo("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg");
    }

    @Test
    void everyMessageCanBeReadInBothForms() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        PushEncryption encryption = new PushEncryption(new SecureRandom());
        for (int i = 0; i < 50; i++) {
            PushReceiver receiver = new PushReceiver();
            ClientKeys client =
                    ClientKeys.of(receiver.p256dh(), receiver.auth()).orElseThrow();
            byte[] message = new byte[random.nextInt(PushEncryption.MESSAGE_MAX + 1)];
            random.nextBytes(message);
            String text = text(message).substring(0, Math.min(message.length, 3000));
            byte[] sent = text.getBytes(StandardCharsets.UTF_8);

            Sealed standard = encryption.seal(sent, client, true);
            Sealed draft = encryption.seal(sent, client, false);

            assertThat(receiver.aes128gcm(standard.body())).isEqualTo(text);
            assertThat(receiver.aesgcm(draft.body(), "salt=" + draft.salt(), "dh=" + draft.publicKey()))
                    .isEqualTo(text);
        }
    }

    @Test
    void theLongestMessageFitsIntoWhatEveryPushServiceTakes() {
        PushReceiver receiver = new PushReceiver();
        ClientKeys client = ClientKeys.of(receiver.p256dh(), receiver.auth()).orElseThrow();
        byte[] longest = new byte[PushEncryption.MESSAGE_MAX];
        assertThat(new PushEncryption(new SecureRandom())
                        .seal(longest, client, true)
                        .body())
                .hasSize(4096);
    }

    @Test
    void keysThatAreNoneAreNotTaken() {
        PushReceiver receiver = new PushReceiver();
        byte[] beside = bytes(receiver.p256dh());
        beside[64] ^= 1;
        assertThat(ClientKeys.of(text(beside), receiver.auth()))
                .as("beside the curve")
                .isEmpty();
        assertThat(ClientKeys.of(text(new byte[65]), receiver.auth())).isEmpty();
        assertThat(ClientKeys.of("", receiver.auth())).isEmpty();
        assertThat(ClientKeys.of("%%%", receiver.auth())).isEmpty();
        assertThat(ClientKeys.of(receiver.p256dh(), "AAAA")).isEmpty();
        assertThat(ClientKeys.of(
                        receiver.p256dh().replace("=", ""), receiver.auth().replace("=", "")))
                .isPresent();
        assertThat(ClientKeys.of(
                        receiver.p256dh().replace('-', '+').replace('_', '/'),
                        receiver.auth().replace('-', '+').replace('_', '/')))
                .as("plain base64")
                .isPresent();
    }
}
