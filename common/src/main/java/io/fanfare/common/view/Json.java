package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Turns what a view writes into bytes, without a tree in between. */
public final class Json {
    private static final int EXPECTED = 500;

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Something that writes one JSON value. */
    @FunctionalInterface
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    /** Fields of an object, each with a comma before it, to be written raw behind another field. */
    static SerializedString fields(Body fields) {
        byte[] object = bytes(json -> {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        });
        return new SerializedString("," + new String(object, 1, object.length - 2, StandardCharsets.UTF_8));
    }

    /** The UTF-8 bytes of one JSON value, on one line. */
    public static byte[] bytes(Body body) {
        return bytes(body, EXPECTED);
    }

    /** The same; {@code expected} is about how many there will be, which spares copies when it is enough. */
    public static byte[] bytes(Body body, int expected) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(expected);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            body.write(json);
        } catch (IOException e) {
            // The target is memory: only a view that writes impossible JSON gets here.
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
