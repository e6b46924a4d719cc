package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A connection ends within a write, before its owner is notified: every command sent on it gets an answer. */
class CommandConnectionTest {
    private static final Vertx vertx = Vertx.vertx();

    /** More than a connection collects before it writes. */
    private static final int LONG = 20_000;

    private final LoopContext loop = LoopContext.current(vertx);
    private final List<RedisError.Kind> answers = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final CommandConnection commandConnection = commandConnection();

    @AfterAll
    static void close() {
        await(vertx.close());
    }

    @Test
    void aCommandWhoseWriteFindsTheConnectionEndedIsLostOnce() {
        onLoop(() -> commandConnection.send(pending(LONG)));
        assertThat(answers).containsExactly(RedisError.Kind.LOST);
        assertThat(ends).hasSize(1);
    }

    @Test
    void soIsWhatWaitsBeforeIt() {
        onLoop(() -> {
            commandConnection.send(pending(10));
            commandConnection.send(pending(10));
            commandConnection.send(pending(LONG));
        });
        assertThat(answers).containsOnly(RedisError.Kind.LOST).hasSize(3);
        assertThat(ends).hasSize(1);
    }

    /** The ASKING before a command may be the write that finds it. */
    @Test
    void aCommandIsAnsweredWhenWhatPermitsItFindsTheConnectionEnded() {
        PendingCommand asking = pending(10);
        asking.asking = true;
        onLoop(() -> {
            // With the ASKING it is just enough to be written.
            commandConnection.send(pending((8 << 10) - 45));
            commandConnection.send(asking);
        });
        assertThat(answers).containsExactly(RedisError.Kind.LOST, RedisError.Kind.UNAVAILABLE);
        assertThat(ends).hasSize(1);
    }

    @Test
    void howeverLongAServerIsAwayItIsTriedAgainWithinTwoSeconds() {
        Connector connector = connector();
        for (int failures = 1; failures <= 1000; failures++) {
            assertThat(connector.backOffNanos(failures)).isBetween(1L, TimeUnit.SECONDS.toNanos(2));
        }
    }

    private PendingCommand pending(int length) {
        Command command = Command.of("SET", "key", "x".repeat(length));
        return new PendingCommand(
                command,
                (index, reply) -> answers.add(((Reply.Failure) reply).error().kind()),
                0,
                0,
                TimeUnit.SECONDS.toNanos(2),
                false);
    }

    private Connector connector() {
        NodeAddress endpoint = NodeAddress.of(TestRedis.standalone().options());
        return new Connector(loop, TestRedis.standalone().options(), endpoint, false, LinkMetrics.NONE);
    }

    private CommandConnection commandConnection() {
        NodeAddress endpoint = NodeAddress.of(TestRedis.standalone().options());
        return new CommandConnection(
                connector(),
                new RespConnection(loop, brokenSocket(), endpoint.address(), Namespace.NONE),
                new CommandConnection.Owner() {
                    @Override
                    public void answered(CommandConnection from, PendingCommand pending, Reply reply) {
                        pending.answer(reply);
                    }

                    @Override
                    public void ended(CommandConnection ended, String cause) {
                        ends.add(cause);
                    }
                });
    }

    /** Closed by the other side, which is found by the first write. */
    private static NetSocket brokenSocket() {
        return (NetSocket) Proxy.newProxyInstance(
                NetSocket.class.getClassLoader(), new Class<?>[] {NetSocket.class}, (socket, method, args) -> {
                    if (method.getName().equals("write")) {
                        return Future.failedFuture("connection reset");
                    }
                    if (method.getReturnType() == Future.class) {
                        return Future.succeededFuture();
                    }
                    return method.getReturnType().isInstance(socket) ? socket : null;
                });
    }

    private void onLoop(Runnable task) {
        await(loop.<Void>future(promise -> loop.runLater(() -> {
            task.run();
            // Behind whatever the task has put off to the end of the turn.
            loop.execute(promise::complete);
        })));
    }
}
