package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.SettingsLoader;
import org.junit.jupiter.api.Test;
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

    @Test
    void itSaysHowTheServerSpeaks() {
        assertThat(LocalUrl.of(SettingsLoader.defaultsWith().http(), 80)).isEqualTo("http://127.0.0.1:80");
        assertThat(LocalUrl.of(
                        SettingsLoader.defaultsWith("http.host=0.0.0.0", "http.tls.certificate=a", "http.tls.key=b")
                                .http(),
                        443))
                .isEqualTo("https://localhost:443");
    }
}
