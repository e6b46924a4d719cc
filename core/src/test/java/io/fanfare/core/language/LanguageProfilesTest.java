package io.fanfare.core.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.optimaize.langdetect.i18n.LdLocale;
import com.optimaize.langdetect.profiles.LanguageProfile;
import com.optimaize.langdetect.profiles.LanguageProfileReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LanguageProfilesTest {
    @Test
    void eachProfileHasTheGramsThatTheDetectorsOwnReaderFinds() throws IOException {
        List<LanguageProfile> read = LanguageProfiles.of(LanguageGuess.LANGUAGES);
        List<LanguageProfile> theirs = new LanguageProfileReader()
                .readBuiltIn(LanguageGuess.LANGUAGES.stream()
                        .map(LdLocale::fromString)
                        .toList());

        assertThat(read).hasSameSizeAs(theirs);
        for (int i = 0; i < read.size(); i++) {
            LanguageProfile one = read.get(i);
            assertThat(one.getLocale()).isEqualTo(theirs.get(i).getLocale());
            assertThat(grams(one)).as("%s", one.getLocale()).isEqualTo(grams(theirs.get(i)));
            assertThat(one.getNumGrams()).isGreaterThan(500);
        }
    }

    @Test
    void aLanguageWithoutAProfileIsAnError() {
        assertThatThrownBy(() -> LanguageProfiles.of(List.of("xx"))).isInstanceOf(IOException.class);
    }

    private static Map<String, Integer> grams(LanguageProfile profile) {
        Map<String, Integer> grams = new HashMap<>();
        profile.iterateGrams().forEach(gram -> grams.put(gram.getKey(), gram.getValue()));
        return grams;
    }
}
