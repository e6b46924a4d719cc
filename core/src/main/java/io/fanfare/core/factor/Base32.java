package io.fanfare.core.factor;

import java.security.SecureRandom;

/** Base32 (RFC 4648, 6) without padding: how authenticator apps read a secret, and easy to type. */
final class Base32 {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int BITS = 5;
    private static final int LAST = 31;

    private Base32() {}

    /** The text of these bytes. */
    static String encode(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int held = 0;
        for (byte one : bytes) {
            buffer = (buffer << Byte.SIZE) | (one & 0xff);
            held += Byte.SIZE;
            while (held >= BITS) {
                held -= BITS;
                text.append(ALPHABET.charAt((buffer >> held) & LAST));
            }
        }
        return held == 0
                ? text.toString()
                : text.append(ALPHABET.charAt((buffer << (BITS - held)) & LAST)).toString();
    }

    /** So many random characters. */
    static String draw(SecureRandom random, int characters) {
        StringBuilder text = new StringBuilder();
        random.ints(characters, 0, ALPHABET.length()).forEach(place -> text.append(ALPHABET.charAt(place)));
        return text.toString();
    }
}
