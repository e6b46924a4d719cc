package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Turns what a view writes into bytes, without a tree in between. */
public final class Json {
    private static final int EXPECTED = 2000;

    /** With buffers for several at a time on one thread: fields are often rendered while what they belong to is. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();

    private Json() {}

    /** Something that writes one JSON value. */
    @FunctionalInterface
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    /** Something that writes one JSON value about another. */
    @FunctionalInterface
    public interface Entry<T> {
        void write(JsonGenerator json, T one) throws IOException;
    }

    /** Fields of an object, each with a comma before it, to be written raw behind another field. */
    static Fragment fields(Body fields) {
        byte[] object = bytes(json -> {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        });
        object[0] = ','; // In place of the brace that begins it; the one that ends it stays away.
        return new Fragment(Arrays.copyOf(object, object.length - 1));
    }

    /** The UTF-8 bytes of one JSON value, on one line. */
    public static byte[] bytes(Body body) {
        return bytes(body, EXPECTED);
    }

    /** The same; {@code expected} is about how many there will be, which spares copies when it is enough. */
    public static byte[] bytes(Body body, int expected) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(expected);
        write(body, bytes);
        return bytes.toByteArray();
    }

    /** One JSON value as text, on one line. */
    public static String line(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(EXPECTED);
        write(body, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Null for a null value. */
    static void text(JsonGenerator json, SerializedString field, String value) throws IOException {
        json.writeFieldName(field);
        json.writeString(value);
    }

    static void number(JsonGenerator json, SerializedString field, long value) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(value);
    }

    static void emptyArray(JsonGenerator json, String field) throws IOException {
        json.writeArrayFieldStart(field);
        json.writeEndArray();
    }

    private static void write(Body body, OutputStream to) {
        try (JsonGenerator json = FACTORY.createGenerator(to)) {
            body.write(json);
        } catch (IOException e) {
            // The target is memory: only a view that writes impossible JSON gets here.
            throw new UncheckedIOException(e);
        }
    }
}
