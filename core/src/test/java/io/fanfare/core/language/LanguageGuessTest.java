package io.fanfare.core.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.text.TextEntities;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageGuessTest {
    @BeforeAll
    static void load() throws Exception {
        LanguageGuess.loadIf(true);
        Object unused = LanguageGuess.loading().get(2, TimeUnit.MINUTES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "en | The trains were late again this morning, so I walked along the river instead.",
                "de | Heute morgen waren die Züge wieder verspätet, deshalb bin ich zu Fuß gegangen.",
                "fr | Les trains étaient encore en retard ce matin, alors je suis venu à pied.",
                "es | Los trenes llegaron tarde otra vez esta mañana, así que vine caminando.",
                "pt | Não sei por que os trens atrasaram de novo hoje, então vim a pé.",
                "ru | Сегодня утром поезда снова опоздали, поэтому я пошёл пешком.",
                "tr | Bu sabah trenler yine gecikti, bu yüzden yürüyerek geldim.",
                "ja | 今朝も電車が遅れたので歩いて来ました",
                "ko | 오늘 아침에도 기차가 늦어서 걸어왔습니다",
                "zh | 今天早上火车又晚点了，所以我走路来的"
            })
    void aTextIsInItsLanguage(String language, String text) {
        assertThat(guess(text)).isEqualTo(language);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "lol",
                "haha 😂😂",
                "GG WP",
                "2026",
                "¿?",
                "你好",
                "#CaturdayMorning @somebody",
                "https://example.org/a/long/address/of/many/english/words"
            })
    void aShortOrWordlessTextHasNoLanguage(String text) {
        assertThat(guess(text)).isNull();
    }

    @Test
    void namesTagsAndAddressesSayNothing() {
        String german = "Heute morgen waren die Züge wieder verspätet, deshalb bin ich zu Fuß gegangen.";
        String names = "@theenglishman #ThisIsWrittenInEnglish https://example.org/these/are/english/words ";

        assertThat(guess(names.repeat(2) + german)).isEqualTo("de");
    }

    @Test
    void theStartOfALongTextIsEnough() {
        String start = "The trains were late again this morning, so I walked along the river. ".repeat(5);

        assertThat(guess(start + "Les trains étaient encore en retard. ".repeat(1000)))
                .isEqualTo("en");
    }

    private static String guess(String text) {
        return LanguageGuess.of(text, TextEntities.in(text));
    }
}
