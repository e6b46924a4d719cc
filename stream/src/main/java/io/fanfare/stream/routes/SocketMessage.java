package io.fanfare.stream.routes;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A message of a client on Mastodon's WebSocket: {@code {"type":"subscribe","stream":"hashtag","tag":"fanfare"}}.
 *
 * @param type subscribe or unsubscribe
 * @param stream empty when it is missing or no text
 * @param argument of hashtags {@code tag}, of lists {@code list}; likewise
 * @param fields names of all its fields
 */
record SocketMessage(String type, String stream, String argument, Set<String> fields) {
    private static final int FIELDS_MAX = 32;
    private static final int NESTING_MAX = 16;

    /** The longest name of a stream or hashtag; useful ones are far shorter. */
    private static final int TEXT_CHARS_MAX = 1000;

    private static final Set<String> TYPES = Set.of("subscribe", "unsubscribe");

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
            // Names come from strangers: each would stay in a table.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    /** Reads a message in one pass, without building what it does not ask for; empty when it is none. */
    static Optional<SocketMessage> parse(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? read(parser) : Optional.empty();
        } catch (JacksonException notJson) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // A text is read without input or output.
        }
    }

    private static Optional<SocketMessage> read(JsonParser parser) throws IOException {
        String type = "";
        String stream = "";
        String argument = "";
        Set<String> fields = new HashSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            fields.add(name);
            if (fields.size() > FIELDS_MAX) {
                return Optional.empty();
            }
            boolean text = parser.nextToken() == JsonToken.VALUE_STRING;
            String value = text && parser.getTextLength() <= TEXT_CHARS_MAX ? parser.getText() : "";
            switch (name) {
                case "type" -> type = value;
                case "stream" -> stream = value;
                case "tag", "list" -> argument = value;
                default -> {}
            }
            parser.skipChildren();
        }
        boolean whole = parser.nextToken() == null && TYPES.contains(type);
        return whole ? Optional.of(new SocketMessage(type, stream, argument, Set.copyOf(fields))) : Optional.empty();
    }
}
