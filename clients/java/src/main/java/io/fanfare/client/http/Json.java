package io.fanfare.client.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fanfare.client.error.ProtocolException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Reads and writes JSON as the API has it: snake case, unknown fields ignored, missing lists empty. */
public final class Json {
    /** Nested arrays and objects; the deepest answer of the API has about ten. */
    private static final int DEPTH_MAX = 64;

    private static final ObjectMapper MAPPER = mapper();

    private Json() {}

    /**
     * Reads one value.
     *
     * @throws ProtocolException when the text is not JSON of this type
     */
    public static <T> T read(String text, Class<T> type) {
        return type.cast(parse(text, MAPPER.constructType(type)));
    }

    /**
     * Reads an array.
     *
     * @throws ProtocolException when the text is not an array of JSON of this type
     */
    public static <T> List<T> readList(String text, Class<T> type) {
        List<?> values = (List<?>) parse(text, MAPPER.getTypeFactory().constructCollectionType(List.class, type));
        return values.stream().filter(Objects::nonNull).map(type::cast).toList();
    }

    /** The text as a tree; a missing node when it is not JSON. */
    static JsonNode tree(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            return MAPPER.missingNode();
        }
    }

    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the value cannot be written as JSON", e);
        }
    }

    private static Object parse(String text, JavaType type) {
        try {
            Object value = MAPPER.readValue(text, type);
            if (value != null) {
                return value;
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // The message of Jackson shows the text, which may be private.
        }
        throw new ProtocolException("the server sent JSON that is no " + type.toCanonical());
    }

    private static ObjectMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
        JsonMapper mapper = JsonMapper.builder(factory)
                .addModule(new SimpleModule().addDeserializer(Instant.class, new InstantReader()))
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .serializationInclusion(JsonInclude.Include.NON_NULL)
                .build();
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
        return mapper;
    }

    /** Times are texts of ISO 8601. */
    private static final class InstantReader extends StdDeserializer<Instant> {
        private static final long serialVersionUID = 1L;

        InstantReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = parser.getText();
            try {
                return Instant.parse(text);
            } catch (DateTimeException e) {
                return (Instant) context.handleWeirdStringValue(Instant.class, text, "no time of ISO 8601");
            }
        }
    }
}
