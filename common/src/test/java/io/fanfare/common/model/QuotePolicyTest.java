package io.fanfare.common.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuotePolicyTest {
    @Test
    void aStoredWordThatOnlyANewerVersionKnowsLetsNobodyQuote() {
        assertThat(QuotePolicy.stored("manual")).isEqualTo(QuotePolicy.NOBODY);
        assertThat(QuotePolicy.of("manual")).isNull();
        for (QuotePolicy policy : QuotePolicy.values()) {
            assertThat(QuotePolicy.stored(policy.wire())).isEqualTo(policy);
        }
    }
}
