package io.fanfare.common.view;

import com.fasterxml.jackson.core.SerializableString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A piece of JSON that is written as it is into other JSON, kept as the bytes that it takes there:
 * {@code JsonGenerator.writeRaw} copies them. Not a value that could be quoted. Immutable.
 */
final class Fragment implements SerializableString {
    private final byte[] utf8;

    /** @param utf8 not to be changed any more */
    Fragment(byte[] utf8) {
        this.utf8 = utf8;
    }

    int length() {
        return utf8.length;
    }

    @Override
    public int appendUnquotedUTF8(byte[] buffer, int offset) {
        if (offset + utf8.length > buffer.length) {
            return -1; // Then asUnquotedUTF8 is asked.
        }
        System.arraycopy(utf8, 0, buffer, offset, utf8.length);
        return utf8.length;
    }

    /** Not to be changed. */
    @Override
    public byte[] asUnquotedUTF8() {
        return utf8;
    }

    @Override
    public int writeUnquotedUTF8(OutputStream out) throws IOException {
        out.write(utf8);
        return utf8.length;
    }

    @Override
    public int putUnquotedUTF8(ByteBuffer buffer) {
        if (utf8.length > buffer.remaining()) {
            return -1;
        }
        buffer.put(utf8);
        return utf8.length;
    }

    @Override
    public int appendUnquoted(char[] buffer, int offset) {
        String text = getValue();
        if (offset + text.length() > buffer.length) {
            return -1;
        }
        text.getChars(0, text.length(), buffer, offset);
        return text.length();
    }

    @Override
    public String getValue() {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Override
    public int charLength() {
        return getValue().length();
    }

    @Override
    public char[] asQuotedChars() {
        throw neverQuoted();
    }

    @Override
    public byte[] asQuotedUTF8() {
        throw neverQuoted();
    }

    @Override
    public int appendQuotedUTF8(byte[] buffer, int offset) {
        throw neverQuoted();
    }

    @Override
    public int appendQuoted(char[] buffer, int offset) {
        throw neverQuoted();
    }

    @Override
    public int writeQuotedUTF8(OutputStream out) {
        throw neverQuoted();
    }

    @Override
    public int putQuotedUTF8(ByteBuffer buffer) {
        throw neverQuoted();
    }

    private static UnsupportedOperationException neverQuoted() {
        return new UnsupportedOperationException("a fragment is JSON already");
    }

    @Override
    public String toString() {
        return getValue();
    }
}
