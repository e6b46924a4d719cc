package io.fanfare.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    private static final List<String> LETTERS = List.of("type", "error", "max");

    @Test
    void aNameThatIsNotKnownIsRefusedAndTheOthersAreNamed() {
        Arguments.of("{\"error\":\"timed out\"}").allowOnly(LETTERS);
        assertThatThrownBy(() -> Arguments.of("{\"eror\":\"timed out\"}").allowOnly(LETTERS))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("eror")
                .hasMessageContaining("type, error, max");
        assertThatThrownBy(() -> Arguments.of("{\"max\":1}").allowOnly(List.of()))
                .hasMessageContaining("give nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"error\":null}", "{\"error\":[\"timed out\"]}", "[]", "\"x\"", "{"})
    void valuesOtherThanTextsAndNumbersAreRefused(String body) {
        assertThatThrownBy(() -> Arguments.of(body)).isInstanceOf(Refusal.class);
    }

    @Test
    void aNumberThatMustBeGivenIsRefusedWhenItIsNot() {
        assertThat(Arguments.of("{}").number("max", 7, 1, 10)).isEqualTo(7);
        assertThat(Arguments.of("{\"max\":3}").requiredNumber("max", 1, 10)).isEqualTo(3);
        assertThatThrownBy(() -> Arguments.of("{}").requiredNumber("max", 1, 10))
                .hasMessage("max must be a whole number from 1 to 10.");
    }

    @Test
    void theLineForTheLogHasWhatIsReadInOneOrderAndNothingHidesIt() {
        JsonObject given = new JsonObject()
                .put("x", "y".repeat(1000))
                .put("max", 5)
                .put("error", "a\nb\u2028c\u2029d\u202ee\" max=9")
                .put("type", "z".repeat(1000));
        assertThat(Arguments.of(given.encode()).line(LETTERS))
                .isEqualTo("type=" + "z".repeat(200) + "... error=a?b?c?d?e? max?9 max=5");
        assertThat(Arguments.of("{}").line(LETTERS)).isEmpty();
    }
}
