package io.fanfare.api.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormulaTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=HYPERLINK(\"http://evil.example\")",
                "+1",
                "-2+3",
                "@SUM(A1)",
                "\t=1",
                "\r=1",
                "\n=1",
                "\uff1d1+1",
                "\uff0b1",
                "\uff0d1",
                "\uff20x",
                " =1",
                "'=1",
                "''=1"
            })
    void aCellThatBeginsAsAFormulaIsAText(String cell) {
        assertThat(CsvExports.harmless(cell)).isEqualTo("'" + cell);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ann@example.org",
                "friends",
                "a=b",
                "1+1",
                "'quoted'",
                "https://a.b/@ann/1",
                "_x",
                "\u5217\u8868"
            })
    void everyOtherCellStaysAsItIs(String cell) {
        assertThat(CsvExports.harmless(cell)).isEqualTo(cell);
    }

    @Test
    void numbersAndTruthsAreNoTexts() {
        assertThat(CsvExports.harmless(true)).isEqualTo(true);
        assertThat(CsvExports.harmless(-1)).isEqualTo(-1);
    }
}
