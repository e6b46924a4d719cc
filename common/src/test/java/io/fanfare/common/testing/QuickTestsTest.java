package io.fanfare.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final String COMMON = "io.fanfare.common.";

    private final QuickTests quick = new QuickTests(true);

    @ParameterizedTest
    @CsvSource({
        "redis.RedisLinkTest, redis.RedisLinkTest",
        "feed.HomesTest, feed.HomesTest",
        "runtime.DirectMemoryWatchTest, runtime.DirectMemoryWatchTest",
        "embedded.ServerBinaryTest, embedded.ServerBinary"
    })
    void aTestThatStartsAServerOrAProcessItselfOrThroughAnotherClassIsNotQuick(String test, String starter) {
        assertThat(quick.starter(COMMON + test)).contains(COMMON + starter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id.IdTest", "settings.SettingsTest", "auth.PasswordsTest"})
    void aTestThatStartsNothingOrOnlyWaitsIsQuick(String test) {
        assertThat(quick.starter(COMMON + test)).isEmpty();
    }

    @Test
    void aLauncherFindsOnlyWhatIsQuick() {
        assertThat(finds("store.MetaTest")).isFalse();
        assertThat(finds("feed.HomesTest")).isFalse();
        assertThat(finds("id.IdTest")).isTrue();
    }

    private boolean finds(String test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(COMMON + test))
                .filters(quick)
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        return LauncherFactory.create(alone).discover(request).containsTests();
    }
}
