package io.fanfare.core.language;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.optimaize.langdetect.i18n.LdLocale;
import com.optimaize.langdetect.profiles.LanguageProfile;
import com.optimaize.langdetect.profiles.LanguageProfileBuilder;
import com.optimaize.langdetect.profiles.LanguageProfileReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the profiles that the language detector brings: {@code {"freq": {"gram": count, ...}, ...}}. Its own reader
 * splits each file with regular expressions, which is a tenth of what a start costs.
 */
final class LanguageProfiles {
    /** Most names are met once: a table of them would be in the way. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private LanguageProfiles() {}

    /** The profiles of the languages, by their codes, in this order. */
    static List<LanguageProfile> of(List<String> languages) throws IOException {
        List<LanguageProfile> profiles = new ArrayList<>(languages.size());
        for (String language : languages) {
            profiles.add(of(language));
        }
        return profiles;
    }

    private static LanguageProfile of(String language) throws IOException {
        String file = "languages/" + language;
        try (InputStream in = LanguageProfileReader.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new FileNotFoundException(file);
            }
            try (JsonParser parser = JSON.createParser(in)) {
                return read(parser, new LanguageProfileBuilder(LdLocale.fromString(language)));
            }
        }
    }

    private static LanguageProfile read(JsonParser parser, LanguageProfileBuilder profile) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT, parser);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (parser.currentName().equals("freq")) {
                readGrams(parser, profile);
            } else {
                JsonToken unusedValue = parser.nextToken();
                JsonParser unusedParser = parser.skipChildren();
            }
        }
        return profile.build();
    }

    private static void readGrams(JsonParser parser, LanguageProfileBuilder profile) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT, parser);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String gram = parser.currentName();
            require(parser.nextToken() == JsonToken.VALUE_NUMBER_INT, parser);
            LanguageProfileBuilder unused = profile.addGram(gram, parser.getIntValue());
        }
    }

    private static void require(boolean met, JsonParser parser) throws IOException {
        if (!met) {
            throw new IOException("not the profile of a language, near " + parser.currentLocation());
        }
    }
}
