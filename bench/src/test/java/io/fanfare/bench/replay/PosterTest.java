package io.fanfare.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against a server that loses answers, is busy, or is not there. */
class PosterTest {
    private static final int POSTS = 40;

    private final EventLoop loop = new EventLoop();
    private final SocialGraph graph = new SocialGraph(List.of(1L, 2L), new int[][] {{1}, {0}});
    private final Ledger ledger = Ledger.draw(POSTS, graph, false, new Random(7));
    private final List<Person> people = List.of(new Person("a", 1, "t1"), new Person("b", 2, "t2"));
    private final Map<String, Long> idsByKey = new HashMap<>();
    private final List<Integer> acknowledged = new ArrayList<>();
    private int requests;

    @AfterEach
    void stop() {
        loop.close();
    }

    @Tag("slow")
    @Test
    void sendsAPostAgainUnderItsKeyUntilTheAnswerComes() {
        // Of four requests one is made but not answered, one is refused as busy.
        Poster poster = post(plan(0, 60), server(request -> {
            int number = requests++;
            if (number % 4 == 1) {
                request.response().setStatusCode(503).end().onFailure(gone -> {});
                return;
            }
            long id = idsByKey.computeIfAbsent(request.getHeader("Idempotency-Key"), key -> 1000L + idsByKey.size());
            if (number % 4 == 2) {
                request.connection().close().onFailure(gone -> {});
                return;
            }
            request.response().end("{\"id\":\"" + id + "\"}").onFailure(gone -> {});
        }));
        assertThat(poster.differences().first()).isEmpty();
        assertThat(idsByKey).hasSize(POSTS);
        assertThat(acknowledged).hasSize(POSTS).doesNotHaveDuplicates();
        assertThat(IntStream.range(0, POSTS).mapToObj(ledger::id))
                .containsExactlyInAnyOrderElementsOf(idsByKey.values());
        assertThat(requests).isGreaterThan(POSTS);
    }

    @Test
    void notesWhatIsRefusedForGood() {
        Poster poster = post(plan(0, 60), server(request -> {
            boolean refused = requests++ == 3;
            request.response()
                    .setStatusCode(refused ? 422 : 200)
                    .end(refused ? "{\"error\":\"no\"}" : "{\"id\":\"" + (5000 + requests) + "\"}")
                    .onFailure(gone -> {});
        }));
        assertThat(poster.differences().count()).isEqualTo(1);
        assertThat(poster.differences().first().get(0)).endsWith("was refused with 422: {\"error\":\"no\"}");
        assertThat(ledger.acknowledgedCount()).isEqualTo(POSTS - 1);
    }

    @Tag("slow")
    @Test
    void givesUpWhenNobodyAnswersForTooLong() {
        assertThatThrownBy(() -> post(plan(0, 1), URI.create("http://127.0.0.1:1")))
                .hasMessageContaining("no answer to POST /api/v1/statuses")
                .hasMessageContaining("connection refused");
    }

    @Test
    void keepsToItsRateHoweverSlowTheAnswersAre() {
        List<HttpServerRequest> waiting = new ArrayList<>();
        // None is answered before all have come.
        Poster poster = post(plan(200, 60), server(request -> {
            waiting.add(request);
            if (waiting.size() == POSTS) {
                loop.vertx()
                        .setTimer(
                                100,
                                timer -> waiting.forEach(each -> each.response()
                                        .end("{\"id\":\"" + ++requests + "\"}")
                                        .onFailure(gone -> {})));
            }
        }));
        assertThat(ledger.startedNanos(POSTS - 1) - poster.beginNanos()).isBetween(194_000_000L, 196_000_000L);
        assertThat(ledger.acknowledgedAfterNanos(POSTS - 1)).isGreaterThanOrEqualTo(90_000_000L);
    }

    private static Plan plan(double rate, int patienceSeconds) {
        return new Plan(
                "test", 7, POSTS, 0, false, rate, 64, Duration.ofSeconds(patienceSeconds), Duration.ofSeconds(1));
    }

    private Poster post(Plan plan, URI server) {
        FeedClient client =
                loop.call(() -> new FeedClient(loop.vertx(), 64, () -> server, plan.patience(), System::nanoTime));
        Messages messages = new Messages(List.of("one", "two"));
        Poster poster =
                new Poster(loop.vertx(), client, plan, messages, people, ledger, System::nanoTime, acknowledged::add);
        loop.run(poster::run);
        return poster;
    }

    private URI server(Handler<HttpServerRequest> handler) {
        int port = loop.await(() -> loop.vertx()
                .createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .map(server -> server.actualPort()));
        return URI.create("http://127.0.0.1:" + port);
    }
}
