package io.fanfare.client;

import static io.fanfare.client.ScriptedServer.answer;
import static io.fanfare.client.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.client.ScriptedServer.Script;
import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.ConnectionException;
import io.fanfare.client.model.CredentialAccount;
import io.fanfare.client.model.Status;
import io.fanfare.client.model.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RetryTest {
    private static final Script LOST = (request, out) -> {};

    private final List<Duration> waits = new ArrayList<>();

    @Test
    void aPostIsRepeatedUnderOneKeyUntilItsAnswerComes() {
        try (ScriptedServer server = new ScriptedServer(LOST, answer(503, "", "{}"), json("{\"id\":\"7\"}"))) {
            assertThat(client(server).statuses().post("hi").id()).isEqualTo("7");
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().stream().map(request -> request.header("idempotency-key")))
                    .allMatch(key -> key.matches("[0-9a-f]{32}"))
                    .containsOnly(server.requests().get(0).header("idempotency-key"));
            assertThat(waits).hasSize(2).allMatch(wait -> wait.toMillis() >= 125 && wait.toMillis() <= 500);
        }
    }

    @Test
    void twoPostsHaveTwoKeysAndAGivenKeyIsUsed() {
        try (ScriptedServer server = new ScriptedServer(json("{\"id\":\"7\"}"))) {
            Fanfare client = client(server);
            Status first = client.statuses().post("hi");
            Status second = client.statuses().post("hi");
            Status third = client.statuses().post(NewStatus.text("hi").idempotencyKey("mine"));
            Token token = client.accounts().signUp("ann", "ann@example.org", "correct horse battery");
            List<String> keys = server.requests().stream()
                    .map(request -> request.header("idempotency-key"))
                    .toList();
            assertThat(List.of(first, second, third))
                    .allMatch(status -> status.id().equals("7"));
            assertThat(token).isNotNull();
            assertThat(keys).doesNotHaveDuplicates().doesNotContain("").contains("mine");
        }
    }

    @Test
    void aCallThatASecondArrivalWouldRepeatIsNotRepeatedWhenItsAnswerIsLost() {
        try (ScriptedServer server = new ScriptedServer(LOST)) {
            assertThatThrownBy(() -> client(server).lists().create("friends"))
                    .isInstanceOfSatisfying(ConnectionException.class, e -> assertThat(e.mayHaveArrived())
                            .isTrue());
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void suchACallIsRepeatedAfterARefusalForItsRate() {
        try (ScriptedServer server =
                new ScriptedServer(answer(429, "Retry-After: 3\r\n", "{}"), json("{\"id\":\"7\"}"))) {
            assertThat(client(server).lists().create("friends").id()).isEqualTo("7");
            assertThat(waits.get(0)).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3250));
        }
    }

    @Test
    void theResetOfARateLimitIsAwaitedWithoutRetryAfter() {
        String reset = Instant.now().plusSeconds(20).toString();
        try (ScriptedServer server =
                new ScriptedServer(answer(429, "X-RateLimit-Reset: " + reset + "\r\n", "{}"), json("{}"))) {
            CredentialAccount unused = client(server).accounts().me();
            assertThat(waits.get(0)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(21));
        }
    }

    @Test
    void aLongerWaitThanTheLimitFailsAtOnceAndNamesTheWait() {
        try (ScriptedServer server =
                new ScriptedServer(answer(429, "Retry-After: 300\r\n", "{\"error\":\"Too many posts\"}"))) {
            assertThatThrownBy(() -> client(server).statuses().post("hi"))
                    .hasMessage("POST /api/v1/statuses was refused with 429: Too many posts")
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.retryAfter()).contains(Duration.ofMinutes(5)));
            assertThat(waits).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 410, 413, 422, 500, 501})
    void aFinalRefusalIsNotRepeated(int status) {
        try (ScriptedServer server = new ScriptedServer(answer(status, "", "{\"error\":\"no\"}"))) {
            assertThatThrownBy(() -> client(server).accounts().me()).isInstanceOf(ApiException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void theAttemptsAreLimited() {
        try (ScriptedServer server = new ScriptedServer(LOST)) {
            assertThatThrownBy(() -> client(server).accounts().me()).isInstanceOf(ConnectionException.class);
            assertThat(server.requests().size()).isGreaterThanOrEqualTo(4);
            assertThat(waits).hasSize(3);
        }
    }

    @Test
    void aDeleteWhoseFirstAnswerWasLostSucceedsWhenNothingIsLeft() {
        try (ScriptedServer server = new ScriptedServer(LOST, answer(404, "", "{}"))) {
            client(server).statuses().delete("7");
            assertThat(waits).hasSize(1);
        }
        try (ScriptedServer server = new ScriptedServer(answer(404, "", "{\"error\":\"Record not found\"}"))) {
            assertThatThrownBy(() -> client(server).statuses().delete("7")).isInstanceOf(ApiException.class);
        }
    }

    @Test
    void aDeleteThatWasPutOffForItsRateFailsWhenNothingIsThere() {
        try (ScriptedServer server = new ScriptedServer(answer(429, "", "{}"), answer(404, "", "{}"))) {
            assertThatThrownBy(() -> client(server).statuses().delete("7"))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.status()).isEqualTo(404));
            assertThat(waits).hasSize(1);
        }
        try (ScriptedServer server =
                new ScriptedServer(answer(503, "", "{}"), answer(429, "", "{}"), answer(404, "", "{}"))) {
            client(server).statuses().delete("7");
        }
    }

    @Test
    void anUploadAndTheClearingOfNotificationsAreNotRepeatedWhenTheirAnswerIsLost(@TempDir Path dir) throws Exception {
        Path file = Files.write(dir.resolve("a.png"), new byte[10]);
        try (ScriptedServer server = new ScriptedServer(LOST)) {
            assertThatThrownBy(() -> client(server).media().upload(file, "")).isInstanceOf(ConnectionException.class);
            assertThatThrownBy(() -> client(server).notifications().clear()).isInstanceOf(ConnectionException.class);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void onlyARefusalForItsRateOrForTheLoadNamesAWait() {
        String reset = "X-RateLimit-Reset: " + Instant.now().plusSeconds(200) + "\r\n";
        try (ScriptedServer server = new ScriptedServer(answer(422, reset, "{}"), answer(429, reset, "{}"))) {
            for (boolean present : List.of(false, true)) {
                assertThatThrownBy(() -> client(server).accounts().me())
                        .isInstanceOfSatisfying(
                                ApiException.class,
                                e -> assertThat(e.retryAfter().isPresent()).isEqualTo(present));
            }
        }
    }

    @Test
    void theNextServerIsUsedWhenOneIsAway() {
        try (ScriptedServer server = new ScriptedServer(json("{\"id\":\"7\"}"))) {
            Fanfare client = Fanfare.at("http://127.0.0.1:1", server.url())
                    .with(new Random(1), waits::add)
                    .build();
            assertThat(client.accounts().get("7").id()).isEqualTo("7");
        }
    }

    @Test
    void anUploadReportsItsProgressAndAwaitsItsPicture(@TempDir Path dir) throws Exception {
        Path file = Files.write(dir.resolve("a \"b\".bin"), new byte[300_000]);
        List<Long> progress = new ArrayList<>();
        try (ScriptedServer server = new ScriptedServer(
                answer(202, "", "{\"id\":\"9\"}"),
                answer(206, "", "{\"id\":\"9\"}"),
                json("{\"id\":\"9\",\"url\":\"https://x/y\"}"))) {
            assertThat(client(server)
                            .media()
                            .upload(file, "a picture", progress::add)
                            .url())
                    .isEqualTo("https://x/y");
            assertThat(server.requests().get(0).body())
                    .contains("name=\"description\"\r\n\r\na picture\r\n")
                    .contains("filename=\"a _b_.bin\"");
            assertThat(progress).isSorted();
            assertThat(progress.get(progress.size() - 1))
                    .isEqualTo(Long.parseLong(server.requests().get(0).header("content-length")));
            assertThat(server.requests()).hasSize(3);
        }
    }

    private Fanfare client(ScriptedServer server) {
        return Fanfare.at(server.url())
                .token("secret")
                .attempts(4)
                .with(new Random(1), waits::add)
                .build();
    }
}
