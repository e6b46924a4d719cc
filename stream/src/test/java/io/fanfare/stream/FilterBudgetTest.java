package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.session.FilterBudget;
import io.vertx.core.json.JsonObject;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bound on the filters of one user, and of all users. */
class FilterBudgetTest {
    private static final String FILTER = "/api/v1/streaming/filter?track=";

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void start(String... assignments) {
        redis.flush();
        server = StreamServer.start(redis, assignments);
    }

    private static FilterBudget budget() {
        return new FilterBudget(
                SettingsLoader.defaultsWith("stream.per-user-terms=1000", "stream.terms-max=2500").stream());
    }

    @Test
    void theBudgetOfAUserIsBoundedAndTheErrorNamesTheRest() {
        FilterBudget budget = budget();
        FilterBudget.Reservation first = budget.reserve("8", 700);
        assertThatThrownBy(() -> budget.reserve("8", 301))
                .isInstanceOfSatisfying(InvalidFilter.class, bad -> {
                    assertThat(bad.status()).isEqualTo(413);
                    assertThat(bad.limit()).isEqualTo(1000);
                    assertThat(bad.got()).isEqualTo(1001);
                })
                .hasMessageContaining("300 are left, and this one has 301");
        budget.reserve("8", 300).release();
        budget.reserve("9", 1000).release();
        first.release();
        first.release();
        budget.reserve("8", 1000).release();
    }

    @Test
    void theBudgetOfTheProcessIsBoundedForAllUsersTogether() {
        FilterBudget budget = budget();
        var first = budget.reserve("8", 1000);
        var second = budget.reserve("9", 1000);
        FilterBudget.Reservation own = budget.reserve(null, 500);
        assertThatThrownBy(() -> budget.reserve("10", 1))
                .isInstanceOfSatisfying(
                        Refusal.class, full -> assertThat(full.reason()).isEqualTo(Refusal.Reason.OVERLOADED));
        own.release();
        budget.reserve("10", 500).release();
        first.release();
        second.release();
        budget.reserve("11", 1000).release();
    }

    @Test
    void keywordsCountNotPhrasesAndTheEndOfAStreamGivesThemBack() {
        start("stream.per-user-terms=1000");
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read");
        SseClient first = server.get(0, FILTER + phrases(0, 40), token);
        awaitUntil("hello", () -> !first.messages("hello").isEmpty());
        assertThat(terms()).isEqualTo(600);

        SseClient second = server.get(0, FILTER + phrases(40, 80), token);
        awaitUntil("refused", () -> second.status() == 413);
        assertThat(second.raw()).contains("400 are left, and this one has 600", "\"limit\":1000", "\"got\":1200");
        SseClient somebodyElse = server.get(
                0, FILTER + phrases(40, 80), "Authorization: Bearer " + server.token(server.newUser(), "read"));
        awaitUntil("hello", () -> !somebodyElse.messages("hello").isEmpty());

        first.close();
        awaitUntil("given back", () -> terms() == 600);
        SseClient third = server.get(0, FILTER + phrases(40, 80), token);
        awaitUntil("hello", () -> !third.messages("hello").isEmpty());
        server.hangUp();
        awaitUntil("given back", () -> terms() == 0);
    }

    @Test
    void aFilterThatTakesThePlaceOfAnotherCountsBesideItUntilItHolds() {
        start("stream.per-user-terms=1000");
        String token = "Authorization: Bearer " + server.token(server.newUser(), "read");
        SseClient stream = server.get(0, FILTER + phrases(0, 40), token);
        awaitUntil("hello", () -> !stream.messages("hello").isEmpty());
        String put = "/api/v1/streaming/connections/"
                + new JsonObject(stream.messages("hello").get(0).data()).getString("conn") + "/filter?track=";

        awaitUntil("refused", statusIs(server.send(0, "PUT", put + phrases(40, 80), token), 413));
        for (int i = 0; i < 20; i++) {
            awaitUntil("changed", statusIs(server.send(0, "PUT", put + phrases(i, i + 20), token), 200));
            awaitUntil("given back", () -> terms() == 300);
        }
    }

    @Test
    void aFullProcessSendsAnEventSourceAReconnectTime() {
        start("stream.per-user-terms=1000", "stream.terms-max=1000");
        String first = "Authorization: Bearer " + server.token(server.newUser(), "read");
        String second = "Authorization: Bearer " + server.token(server.newUser(), "read");
        SseClient stream = server.get(0, FILTER + phrases(0, 40), first);
        awaitUntil("hello", () -> !stream.messages("hello").isEmpty());
        SseClient full = server.get(0, FILTER + phrases(40, 80), second);
        awaitUntil("told", () -> !full.messages("disconnect").isEmpty());
        assertThat(full.status()).isEqualTo(200);
        awaitUntil(
                "refused", statusIs(server.get(0, FILTER + phrases(40, 80), second, "Accept: application/json"), 503));
    }

    private static BooleanSupplier statusIs(SseClient client, int status) {
        return () -> client.status() == status;
    }

    private long terms() {
        return (long) server.metrics.get("fanfare.streams.terms").gauge().value();
    }

    /** Each of fifteen keywords. */
    private static String phrases(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m%20n%20" + "x" + i)
                .collect(Collectors.joining(","));
    }
}
