package io.fanfare.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.Fanfare;
import io.fanfare.client.model.Status;
import io.fanfare.client.stream.EventStream;
import io.fanfare.client.stream.StreamEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

@FanfareServer
@Timeout(240)
class FanfareServerTest {
    private static String ofBeforeAll;

    @BeforeAll
    static void remember(LocalServer server) {
        ofBeforeAll = server.url();
    }

    @Test
    void allMethodsOfAClassHaveTheSameServer(LocalServer server, Fanfare client) {
        assertThat(server.url()).isEqualTo(ofBeforeAll);
        assertThat(client.call("GET", "/health", Map.of())).isEqualTo("OK");
    }

    @Test
    void aPostReachesTheHomeOfAFollowerAndADeleteRemovesIt(LocalServer server) {
        Person ann = server.person("ann");
        Person bob = server.person("bob");
        assertThat(bob.follow(ann).following()).isTrue();
        Status status = ann.post("hello");
        bob.awaitInHome(status);
        ann.client().statuses().delete(status.id());
        bob.awaitNotInHome(status);
        assertThat(server.person("ann")).isEqualTo(ann);
        assertThat(ann).hasToString("@ann");
    }

    @Test
    @Tag("programs")
    void aKilledServerStartsAgainWithItsDataAndAStreamGoesOn(LocalServer server) {
        Person eve = server.person("eve");
        try (EventStream stream = eve.client().firehose().open()) {
            server.await("the stream is open", () -> stream.next(Duration.ofMillis(100))
                    .isPresent());
            server.kill();
            assertThatThrownBy(() -> Fanfare.at(server.url())
                            .attempts(1)
                            .build()
                            .accounts()
                            .lookup("eve"))
                    .hasMessageContaining("nothing answers at this address");
            long begin = System.nanoTime();
            server.startAgain();
            System.out.println("restart_ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            Status status = eve.post("back again");
            server.await("the status arrives", () -> stream.next(Duration.ofMillis(100)).stream()
                    .flatMap(batch -> batch.events().stream())
                    .anyMatch(event -> event instanceof StreamEvent.Posted posted
                            && posted.status().id().equals(status.id())));
        }
    }

    @Nested
    class InANestedClass {
        @Test
        void theServerIsThatOfTheOuterClass(LocalServer server) {
            assertThat(server.url()).isEqualTo(ofBeforeAll);
        }
    }

    @Test
    void aWrongSettingFailsTheStartWithTheSentenceOfTheServer() {
        assertThatThrownBy(() -> LocalServer.start("no.such-setting=1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no.such-setting");
        assertThatThrownBy(() -> LocalServer.start("nonsense"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the setting \"nonsense\" is not of the form key=value");
    }

    @Test
    @Tag("programs")
    void aServerLeavesNoProcessAndNoFolderBehind() {
        long begin = System.nanoTime();
        LocalServer server = LocalServer.start();
        System.out.println("start_ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        long before = ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .count();
        server.close();
        assertThat(ProcessHandle.current()
                        .descendants()
                        .filter(ProcessHandle::isAlive)
                        .count())
                .isLessThan(before);
        assertThatThrownBy(() -> server.client().call("GET", "/health", Map.of()))
                .hasMessageContaining("nothing answers at this address");
    }

    @Test
    @Tag("programs")
    void theLogIsPrintedAfterAFailedTest() {
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                                    .selectors(DiscoverySelectors.selectClass(Failing.class))
                                    .build(),
                            summary);
            assertThat(summary.getSummary().getTestsFailedCount()).isEqualTo(1);
        } finally {
            System.setErr(err);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("The last lines of the server at http://127.0.0.1:")
                .contains("ready");
    }

    @FanfareServer(shared = true)
    @Disabled("run by another test")
    static class Failing {
        @Test
        void fails(LocalServer server) {
            assertThat(server.url()).isEmpty();
        }
    }
}
