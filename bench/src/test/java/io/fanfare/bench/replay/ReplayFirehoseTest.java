package io.fanfare.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Against a server that sends what a test tells it to: a text for each connection, which then ends; the last one stays
 * open.
 */
class ReplayFirehoseTest {
    private static final String HELLO =
            event("0000000e-5", "hello", "{\"epoch\":\"0000000e\",\"tip\":9,\"from\":6,\"resumed\":true}");
    private static final long WAIT_NANOS = 60_000_000_000L;

    private final EventLoop loop = new EventLoop();
    private final Deque<String> connections = new ArrayDeque<>();
    private final List<String> resumedFrom = new ArrayList<>();
    private Firehose firehose;

    @BeforeEach
    void startServer() {
        int port = loop.await(() -> loop.vertx()
                .createHttpServer()
                .requestHandler(this::serve)
                .listen(0, "127.0.0.1")
                .map(server -> server.actualPort()));
        firehose = loop.call(() ->
                new Firehose(loop.vertx(), () -> URI.create("http://127.0.0.1:" + port), "token", System::nanoTime));
    }

    @AfterEach
    void stop() {
        loop.run(firehose::close);
        loop.close();
    }

    @Test
    void resumesBehindTheLastEventThatItSaw() {
        listen(3, HELLO + status(6, 100), HELLO + status(7, 101), HELLO + status(9, 102));
        assertThat(resumedFrom).containsExactly("null", "0000000e-6", "0000000e-7");
        assertThat(firehose.arrivedNanos(101)).isPositive();
        assertThat(firehose.reconnects()).isEqualTo(2);
        assertThat(firehose.differences().first()).isEmpty();
    }

    @Test
    void resumesBeforeTheFirstEventThatItsHelloAnnouncesWhenNothingCameYet() {
        listen(1, HELLO, HELLO + status(6, 100));
        assertThat(resumedFrom).containsExactly("null", "0000000e-5");
    }

    @Test
    void noticesRepeatsAndStepsBack() {
        listen(2, HELLO + status(7, 100) + status(6, 101) + status(6, 102) + status(8, 100));
        assertThat(firehose.differences().first())
                .containsExactly("the stream sent status 100 twice", "the stream sent 2 events again, or went back");
    }

    @Tag("slow")
    @Test
    void noticesGapsLostLogsAndAResumeThatIsRefused() {
        String refused = event("", "hello", "{\"epoch\":\"0000000f\",\"tip\":1,\"from\":2,\"resumed\":false}");
        String gap = event("", "gap", "{\"from\":1}");
        listen(2, HELLO + status(6, 100), refused + gap + event("0000000f-2", "status", body(101)));
        assertThat(firehose.gaps()).hasSize(1);
        assertThat(firehose.differences().first())
                .hasSize(3)
                .anyMatch(difference -> difference.startsWith("the stream did not resume: "))
                .anyMatch(difference -> difference.startsWith("the stream reported a gap"))
                .anyMatch(difference -> difference.contains("from epoch 0000000e to 0000000f"));
    }

    @Test
    void countsEventsOfOtherKindsButKeepsOnlyStatuses() {
        listen(2, HELLO + event("0000000e-6", "follow", "{\"account_id\":\"1\"}") + status(7, 100));
        assertThat(firehose.authors()).containsOnlyKeys(100L).containsValue(77L);
    }

    @Test
    void failsWhenTheFirstConnectionIsRefused() {
        assertThatThrownBy(() -> loop.run(firehose::listen))
                .hasMessageContaining("the firehose did not open: the server answers 503");
    }

    private void listen(int events, String... texts) {
        connections.addAll(List.of(texts));
        loop.run(firehose::listen);
        assertThat(loop.await(() -> Future.succeededFuture(firehose.events() == events), WAIT_NANOS, 5))
                .isTrue();
    }

    private void serve(HttpServerRequest request) {
        resumedFrom.add(String.valueOf(request.getHeader("Last-Event-ID")));
        String text = connections.poll();
        if (text == null) {
            request.response().setStatusCode(503).end().onFailure(gone -> {});
            return;
        }
        request.response().setChunked(true).putHeader("Content-Type", "text/event-stream");
        Future<Void> written = request.response().write(text);
        if (!connections.isEmpty()) {
            written.compose(done -> request.response().end()).onFailure(gone -> {});
        }
    }

    private static String status(long seq, long id) {
        return event("0000000e-" + seq, "status", body(id));
    }

    private static String body(long id) {
        return "{\"id\":\"" + id + "\",\"account\":{\"id\":\"77\"}}";
    }

    private static String event(String id, String name, String data) {
        return (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + name + "\ndata: " + data + "\n\n";
    }
}
