package io.fanfare.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.QuickTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class QuickTestsTest {
    private static final String OURS = "io.fanfare.";

    private final QuickTests quick = new QuickTests(true);

    @ParameterizedTest
    @CsvSource({
        "redis.RedisLinkTest, redis.RedisLinkTest",
        "core.feed.HomesTest, core.feed.HomesTest",
        "redis.embedded.ServerBinaryTest, redis.embedded.ServerBinary"
    })
    void aTestThatStartsAServerOrAProcessItselfOrThroughAnotherClassIsNotQuick(String test, String starter) {
        assertThat(quick.starter(OURS + test)).contains(OURS + starter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"common.id.IdTest", "common.settings.SettingsTest", "common.testing.OnlyWaits"})
    void aTestThatStartsNothingOrOnlyWaitsIsQuick(String test) {
        assertThat(quick.starter(OURS + test)).isEmpty();
    }

    @Test
    void aLauncherFindsOnlyWhatIsQuick() {
        assertThat(finds("common.store.GraphTest")).isFalse();
        assertThat(finds("core.feed.HomesTest")).isFalse();
        assertThat(finds("common.id.IdTest")).isTrue();
    }

    private boolean finds(String test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(OURS + test))
                .filters(quick)
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        return LauncherFactory.create(alone).discover(request).containsTests();
    }
}
