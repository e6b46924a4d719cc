package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PublicAddressTest {
    private static final int SYSTEM_PORTS_FIRST = 32_768;

    /** A connection from this machine could take it before the server listens. */
    @Test
    void aFreePortIsNoneThatTheSystemGivesToConnections() {
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            Settings.Http http = PublicAddress.concrete(settings(0), random).http();
            assertThat(http.port()).isPositive().isLessThan(SYSTEM_PORTS_FIRST);
            assertThat(http.publicUrl()).endsWith(":" + http.port());
        }
    }

    @Test
    void aTakenPortIsSkippedOrReportedIfItIsConfigured() throws IOException {
        int first = PublicAddress.concrete(settings(0), new Random(2)).http().port();
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            assertThat(other.isBound()).isTrue();
            assertThat(PublicAddress.concrete(settings(0), new Random(2)).http().port())
                    .isPositive()
                    .isNotEqualTo(first);
            assertThatThrownBy(() -> PublicAddress.concrete(settings(first), new Random(2)))
                    .isInstanceOf(StartFailed.class)
                    .hasMessageContaining("port " + first + " of 127.0.0.1 is taken");
        }
    }

    private static Settings settings(int port) {
        return SettingsLoader.defaultsWith("http.host=127.0.0.1", "http.port=" + port);
    }
}
