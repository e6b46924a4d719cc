package io.fanfare.common.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalUrlTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:80",
        "feeds.internal, http://feeds.internal:80",
        "0.0.0.0, http://localhost:80",
        "'::', http://localhost:80",
        "'[::]', http://localhost:80",
        "'::1', 'http://[::1]:80'",
        "'[::1]', 'http://[::1]:80'",
    })
    void aClientOnTheMachineCanUseIt(String host, String url) {
        assertThat(LocalUrl.of(host, 80)).isEqualTo(url);
    }
}
