package io.fanfare.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Sends requests over keep-alive connections, one at a time on each. Closed loop: every answer is followed by the next request at once. Open loop: requests are due at a fixed
 * rate, and each is timed from when it was due, even while all connections are busy (no coordinated omission). One event loop.
 */
final class HttpLoad {
    private static final long TICK_MILLIS = 1;

    private final Vertx vertx;
    private final NetClient client;
    private final Supplier<Buffer> requests;
    private final List<Connection> connections = new ArrayList<>();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private Run run;

    private HttpLoad(Vertx vertx, Supplier<Buffer> requests) {
        this.vertx = vertx;
        this.client = vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true));
        this.requests = requests;
    }

    /** Opens the connections. {@code requests} makes the bytes of the next request, head and body. */
    static Future<HttpLoad> connect(Vertx vertx, int port, int connections, Supplier<Buffer> requests) {
        HttpLoad load = new HttpLoad(vertx, requests);
        List<Future<NetSocket>> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            sockets.add(load.client.connect(port, "127.0.0.1").onSuccess(load::add));
        }
        return Future.all(sockets).map(load);
    }

    /**
     * What a run did.
     *
     * @param refused answers other than 200
     * @param bytes of all bodies
     * @param latencies nanoseconds
     */
    record Result(long answers, long refused, long bytes, double seconds, Histogram latencies) {
        /** Body bytes of one answer, on average. */
        long bytesEach() {
            return bytes / Math.max(1, answers);
        }
    }

    /** Closed loop until the time is over, or so many requests are sent. */
    Future<Result> closed(long nanos, long requestsMax) {
        run = new Run(System.nanoTime() + nanos, requestsMax, 0);
        run.go();
        return run.done.future();
    }

    /** Open loop at a rate until the time is over; then the last answers are awaited. */
    Future<Result> open(double perSecond, long nanos) {
        run = new Run(System.nanoTime() + nanos, Long.MAX_VALUE, perSecond);
        run.go();
        return run.done.future();
    }

    Future<Void> close() {
        return client.close();
    }

    private void add(NetSocket socket) {
        Connection connection = new Connection(socket);
        connections.add(connection);
        idle.add(connection);
    }

    /** One connection, and when the request that is under way on it was due. */
    private final class Connection {
        private final NetSocket socket;
        private final ResponseReader reader = new ResponseReader();
        private long dueNanos;

        Connection(NetSocket socket) {
            this.socket = socket;
            socket.handler(bytes -> reader.read(bytes, (status, length) -> run.answered(this, status, length)));
            socket.closeHandler(closed -> {
                if (run != null) {
                    run.done.tryFail("the server closed a connection");
                }
            });
        }

        void send(long due) {
            dueNanos = due;
            socket.write(requests.get()).onFailure(cause -> run.done.tryFail(cause));
        }
    }

    private final class Run {
        private final Promise<Result> done = Promise.promise();
        private final Histogram latencies = new Histogram(3);
        private final long beginNanos = System.nanoTime();
        private final long endNanos;
        private final long requestsMax;
        private final double perSecond;
        private long sent;
        private long answers;
        private long refused;
        private long bytes;

        Run(long endNanos, long requestsMax, double perSecond) {
            this.endNanos = endNanos;
            this.requestsMax = requestsMax;
            this.perSecond = perSecond;
        }

        void go() {
            sendWhatIsDue();
            if (perSecond > 0) {
                vertx.setPeriodic(TICK_MILLIS, timer -> {
                    sendWhatIsDue();
                    if (System.nanoTime() > endNanos) {
                        vertx.cancelTimer(timer);
                        endIfAnswered();
                    }
                });
            }
        }

        void answered(Connection connection, int status, long length) {
            latencies.recordValue(System.nanoTime() - connection.dueNanos);
            answers++;
            bytes += length;
            refused += status == 200 ? 0 : 1;
            idle.add(connection);
            sendWhatIsDue();
            endIfAnswered();
        }

        private void sendWhatIsDue() {
            long now = System.nanoTime();
            while (!idle.isEmpty() && sent < requestsMax) {
                long due = perSecond > 0 ? beginNanos + (long) (sent / perSecond * 1e9) : now;
                if (due > now || due >= endNanos) {
                    return;
                }
                sent++;
                idle.remove().send(due);
            }
        }

        private void endIfAnswered() {
            boolean over = sent == requestsMax || System.nanoTime() >= endNanos;
            if (over && answers == sent) {
                done.tryComplete(
                        new Result(answers, refused, bytes, (System.nanoTime() - beginNanos) / 1e9, latencies));
            }
        }
    }
}
