package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FoldedTextTest {
    @Test
    void caseSpacesAndInvisibleCharactersMakeNoOtherText() {
        String folded = "buy cheap watches now";
        assertThat(FoldedText.of(folded)).isEqualTo(folded);
        assertThat(FoldedText.of("  Buy\u00a0CHEAP\n\n watches\tnow ")).isEqualTo(folded);
        assertThat(FoldedText.of("B\u200buy che\u00adap wat\u2060ches\ufe0f now\u0000"))
                .isEqualTo(folded);
        assertThat(FoldedText.of("\uff22\uff55\uff59 cheap watches now")).isEqualTo(folded);
    }

    @Test
    void otherWordsStayOtherTexts() {
        assertThat(FoldedText.of("buy cheap watch es now")).isNotEqualTo(FoldedText.of("buy cheap watches now"));
        assertThat(FoldedText.of("\u200b\n ")).isEmpty();
        assertThat(FoldedText.of("你好 \ud83d\ude00")).isEqualTo("你好 \ud83d\ude00");
    }
}
