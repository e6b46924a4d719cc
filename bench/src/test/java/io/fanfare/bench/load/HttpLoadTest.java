package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpLoadTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLoop loop = new EventLoop();
    private int served;

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void sendsSoManyRequestsAndCountsBytesAndRefusals() {
        HttpLoad load = load(4, request -> {
            served++;
            request.response()
                    .setStatusCode(served == 7 ? 503 : 200)
                    .end("0123456789")
                    .onFailure(gone -> {});
        });
        HttpLoad.Result result = load.closed(60_000_000_000L, 50);
        assertThat(result.answers()).isEqualTo(50);
        assertThat(served).isEqualTo(50);
        assertThat(result.refused()).isEqualTo(1);
        assertThat(result.bytesEach()).isEqualTo(10);
    }

    @Tag("slow")
    @Test
    void timesOpenLoopRequestsFromWhenTheyWereDue() {
        // One connection and 50 ms an answer, but 100 requests a second are due: the queue grows, and latencies with
        // it.
        HttpLoad load = load(1, request -> loop.vertx()
                .setTimer(50, timer -> request.response().end("x").onFailure(gone -> {})));
        HttpLoad.Result result = load.open(100, 400_000_000L);
        assertThat(result.latencies().getMaxValue()).isGreaterThan(150_000_000L);
        assertThat(result.latencies().getMinValue()).isGreaterThan(40_000_000L);
    }

    @Test
    void failsWhenTheServerClosesAConnection() {
        HttpLoad load = load(1, request -> request.connection().close().onFailure(gone -> {}));
        assertThatThrownBy(() -> load.closed(60_000_000_000L, 5)).hasMessage("the server closed a connection");
    }

    @ParameterizedTest(name = "in pieces of {0} bytes")
    @ValueSource(ints = {1, 2, 5, 17, 1000})
    void findsTheEndsOfResponsesHoweverTheirBytesAreCut(int size) {
        String sent =
                "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n\r\n\r\nxHTTP/1.1 404 Not Found\r\nX: y\r\nContent-Length:12\r\n\r\n012345678901";
        byte[] bytes = sent.getBytes(StandardCharsets.US_ASCII);
        List<String> responses = new ArrayList<>();
        ResponseReader reader = new ResponseReader();
        for (int from = 0; from < bytes.length; from += size) {
            byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + size));
            reader.read(piece, piece.length, (status, length) -> responses.add(status + " " + length));
        }
        assertThat(responses).containsExactly("200 5", "404 12");
    }

    private HttpLoad load(int connections, Handler<HttpServerRequest> handler) {
        int port = loop.await(() -> loop.vertx()
                .createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .map(server -> server.actualPort()));
        return HttpLoad.connect(port, connections, () -> REQUEST);
    }
}
