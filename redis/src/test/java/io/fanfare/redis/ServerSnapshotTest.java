package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.embedded.TestSentinel;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of real servers, and of one that says what the test wants. */
@Timeout(120)
class ServerSnapshotTest {
    private static final String INFO = "$36\r\n# Replication\r\nmaster_repl_offset:1\r\n\r\n";

    @TempDir
    Path dir;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        TestRedis.await(vertx.close());
    }

    @Test
    void aServerThatLoadsItHasEveryKeyOfTheMoment() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.ALWAYS)) {
            byte[] noise = new byte[1 << 20];
            new Random(1).nextBytes(noise);
            RedisLink link = redis.link(vertx);
            for (int i = 0; i < 8; i++) {
                TestRedis.await(link.send(Command.of("SET", "key:" + i, noise)));
            }
            Path file = dir.resolve("dump.rdb");
            long bytes = TestRedis.await(snapshot(redis.options(), file, (from, snapshot) -> snapshot.begun()
                    .compose(begun -> from.send(Command.of("SET", "later", "x")))
                    .compose(set -> snapshot.ended())));
            assertThat(file).hasSize(bytes);
            assertThat(bytes).isGreaterThan(8 << 20);

            try (RedisProcess loaded =
                    RedisProcess.start(RedisProcess.Options.in(dir).appendSync(AppendSync.OFF))) {
                assertThat(TestRedis.ask(loaded, "DBSIZE").asLong()).isEqualTo(8);
            }
        }
    }

    @Test
    void aServerThatDoesNotKnowTheSizeAndOneThatWritesAFileFirstGiveTheSame() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, "repl-diskless-sync no")) {
            TestRedis.ask(redis.server(), "SET", "key", "value");
            Path withSize = dir.resolve("with-size.rdb");
            TestRedis.await(snapshot(redis.options(), withSize, (link, snapshot) -> snapshot.ended()));
            TestRedis.ask(redis.server(), "CONFIG", "SET", "repl-diskless-sync", "yes");
            TestRedis.ask(redis.server(), "CONFIG", "SET", "repl-diskless-sync-delay", "0");
            Path withMark = dir.resolve("with-mark.rdb");
            TestRedis.await(snapshot(redis.options(), withMark, (link, snapshot) -> snapshot.ended()));
            for (Path file : List.of(withSize, withMark)) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                // The last nine bytes are the end and the checksum of the data.
                assertThat(text).startsWith("REDIS00").contains("value");
                assertThat(text.charAt(text.length() - 9)).isEqualTo('\u00ff');
            }
        }
    }

    @Test
    void aServerThatWritesAFileForAnotherBackupGivesOneOfOurOwnMoment() throws Exception {
        try (TestRedis redis =
                TestRedis.freshStandalone(AppendSync.OFF, "repl-diskless-sync no", "rdb-key-save-delay 50000")) {
            // So that writing the file takes two seconds.
            for (int i = 0; i < 40; i++) {
                TestRedis.ask(redis.server(), "SET", "key:" + i, "x");
            }
            Path earlier = dir.resolve("earlier.rdb");
            Path ours = dir.resolve("dump.rdb");
            RedisLink link = redis.link(vertx);
            AsyncFile toEarlier = TestRedis.await(open(earlier));
            AsyncFile toOurs = TestRedis.await(open(ours));
            ServerSnapshot first = TestRedis.await(start(link, toEarlier));
            TestRedis.await(first.begun());
            TestRedis.ask(redis.server(), "CONFIG", "SET", "rdb-key-save-delay", "0");
            TestRedis.ask(redis.server(), "SET", "later", "acknowledged");
            ServerSnapshot second = TestRedis.await(start(link, toOurs));
            long bytes = TestRedis.await(second.ended());
            TestRedis.await(first.ended());
            TestRedis.await(toEarlier.close());
            TestRedis.await(toOurs.close());
            TestRedis.await(link.close());

            assertThat(text(earlier)).contains("key:7").doesNotContain("acknowledged");
            assertThat(text(ours)).contains("key:7", "acknowledged");
            assertThat(ours).hasSize(bytes);
            try (RedisProcess loaded =
                    RedisProcess.start(RedisProcess.Options.in(dir).appendSync(AppendSync.OFF))) {
                assertThat(TestRedis.ask(loaded, "DBSIZE").asLong()).isEqualTo(41);
            }
        }
    }

    private Future<AsyncFile> open(Path file) {
        return vertx.fileSystem().open(file.toString(), new OpenOptions());
    }

    /** On the loop of the link. */
    private static Future<ServerSnapshot> start(RedisLink link, AsyncFile to) {
        return link.send(Command.of("PING", "a"))
                .map(pong -> link.snapshot(link.nodes().get(0), to));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aServerThatDoesNotReportItsOffsetGivesNoSnapshot() {
        assertThatThrownBy(() -> received("$6\r\nrole:x\r\n", "+FULLRESYNC 8f 1\r\n$4\r\ndata", 1000))
                .hasMessageContaining("gives no snapshot")
                .hasMessageContaining("master_repl_offset");
        assertThatThrownBy(() -> received("-NOPERM no info\r\n", "+FULLRESYNC 8f 1\r\n$4\r\ndata", 1000))
                .hasMessageContaining("gives no snapshot: NOPERM no info");
    }

    @Test
    void aWriteThatFailsAfterTheLastOneHasSucceededLeavesNoCompleteFile() {
        AtomicReference<NetSocket> peer = new AtomicReference<>();
        NetServer server = server(INFO, socket -> {
            peer.set(socket);
            write(socket, "+FULLRESYNC 8f 1\r\n$10\r\nREDIS").onComplete(done -> {});
        });
        LateFailure full =
                new LateFailure(vertx, () -> write(peer.get(), " data").onComplete(done -> {}));
        RedisOptions settings = listening(server);
        RedisLink link = TestRedis.await(RedisLink.open(vertx, settings));
        Future<Long> ended = link.send(Command.of("PING", "a"))
                .compose(pong -> link.snapshot(link.nodes().get(0), full).ended());
        assertThatThrownBy(() -> TestRedis.await(ended)).hasMessageContaining("No space left on device");
        assertThat(full.bytes).isEqualTo(10);
        TestRedis.await(link.close());
        TestRedis.await(server.close());
    }

    @Test
    void aConnectionThatEndsBeforeASlowFileHasTakenTheLastBytesIsNoLoss() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, "repl-diskless-sync-delay 0")) {
            byte[] noise = new byte[1 << 20];
            new Random(1).nextBytes(noise);
            RedisLink link = redis.link(vertx);
            TestRedis.await(link.send(Command.of("SET", "key", noise)));
            SlowStream slow = new SlowStream(vertx);
            long bytes = TestRedis.await(link.send(Command.of("PING", "a"))
                    .compose(pong -> link.snapshot(link.nodes().get(0), slow).ended()));
            assertThat(bytes).isGreaterThan(noise.length).isEqualTo(slow.bytes);
            TestRedis.await(link.close());
        }
    }

    /** Takes one write at a time, and a while for each. */
    private static final class SlowStream extends Stream {
        private static final long MILLIS = 30;

        private final Vertx vertx;
        private int writing;

        SlowStream(Vertx vertx) {
            this.vertx = vertx;
        }

        @Override
        public Future<Void> write(Buffer data) {
            writing++;
            return vertx.timer(MILLIS).map(done -> {
                bytes += data.length();
                writing--;
                drained.handle(null);
                return null;
            });
        }

        @Override
        public boolean writeQueueFull() {
            return writing > 0;
        }
    }

    /** Fails the first of two writes after the second one has succeeded. */
    private static final class LateFailure extends Stream {
        private final Vertx vertx;
        private final Runnable whenWriting;
        private final Promise<Void> first = Promise.promise();

        LateFailure(Vertx vertx, Runnable whenWriting) {
            this.vertx = vertx;
            this.whenWriting = whenWriting;
        }

        @Override
        public Future<Void> write(Buffer data) {
            boolean begins = bytes == 0;
            bytes += data.length();
            if (begins) {
                whenWriting.run();
                return first.future();
            }
            vertx.runOnContext(later -> first.fail(new IOException("No space left on device")));
            return Future.succeededFuture();
        }

        @Override
        public boolean writeQueueFull() {
            return false;
        }
    }

    private abstract static class Stream implements WriteStream<Buffer> {
        Handler<Void> drained = v -> {};
        long bytes;

        @Override
        public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
            drained = handler;
            return this;
        }

        @Override
        public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
            return this;
        }

        @Override
        public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
            return this;
        }

        @Override
        public Future<Void> end() {
            return Future.succeededFuture();
        }
    }

    @Test
    void withSentinelsItIsOfTheMasterThatTheyName() throws Exception {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, "repl-diskless-sync-delay 0");
                TestSentinel sentinel = TestSentinel.start(redis)) {
            TestRedis.ask(redis.server(), "SET", "key", "value");
            Path file = dir.resolve("dump.rdb");
            TestRedis.await(snapshot(sentinel.options(), file, (link, snapshot) -> snapshot.ended()));
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .contains("value");
        }
    }

    @Test
    void theErrorOfAUserWithoutTheRightNamesIt() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, "user weak on >pw ~* &* +@all -psync")) {
            RedisOptions weak = redis.options().at(redis.server().url("weak", new Secret("pw")));
            assertThatThrownBy(() ->
                            TestRedis.await(snapshot(weak, dir.resolve("x"), (link, snapshot) -> snapshot.begun())))
                    .isInstanceOf(RedisError.class)
                    .hasMessageContaining("gives no snapshot: NOPERM")
                    .satisfies(e -> assertThat(((RedisError) e).isOfRights()).isTrue());
        }
    }

    @Test
    void aSnapshotThatIsCutOffFailsAndOneInPiecesOfAnySizeIsWhole() {
        String mark = "0123456789abcdef0123456789abcdef01234567";
        String head = "\n\n+FULLRESYNC 8f 1\r\n\n$EOF:" + mark + "\r\n";
        for (int piece : List.of(1, 7, 39, 40, 41, 1000)) {
            assertThat(received(head + "REDIS data" + mark, piece)).isEqualTo("REDIS data");
            assertThat(received("+FULLRESYNC 8f 1\r\n$10\r\nREDIS data", piece)).isEqualTo("REDIS data");
        }
        for (String cut : List.of(
                head,
                head + "REDIS data",
                head + "REDIS data" + mark.substring(1),
                "+FULLRESYNC 8f 1\r\n$11\r\nshort")) {
            assertThatThrownBy(() -> received(cut, 1000))
                    .isInstanceOf(RedisError.class)
                    .hasMessageContaining("was cut off");
        }
        assertThatThrownBy(() -> received("-LOADING Redis is loading\r\n", 5))
                .hasMessageContaining("gives no snapshot: LOADING");
    }

    private String received(String answer, int piece) {
        return received(INFO, answer, piece);
    }

    /** The bytes written from an answer to PSYNC that arrives in such pieces, after which the connection ends. */
    private String received(String info, String answer, int piece) {
        Path file = dir.resolve("received");
        NetServer server = server(info, socket -> {
            List<Future<Void>> written = new ArrayList<>();
            for (int i = 0; i < answer.length(); i += piece) {
                written.add(write(socket, answer.substring(i, Math.min(answer.length(), i + piece))));
            }
            Future.all(written).eventually(socket::close).onComplete(done -> {});
        });
        try {
            RedisOptions settings = listening(server);
            TestRedis.await(snapshot(settings, file, (link, snapshot) -> snapshot.ended()));
            return text(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            TestRedis.await(server.close());
            file.toFile().delete();
        }
    }

    /** Answers OK, and INFO with this text, until a snapshot is requested. */
    private NetServer server(String info, Handler<NetSocket> onPsync) {
        return vertx.createNetServer().connectHandler(socket -> {
            // The link greets on a connection of its own.
            Buffer received = Buffer.buffer();
            socket.handler(bytes -> {
                received.appendBuffer(bytes);
                if (received.toString().contains("PSYNC")) {
                    onPsync.handle(socket);
                } else if (received.toString().contains("rdb-only")) {
                    socket.write(info + "+OK\r\n-ERR unknown\r\n").onComplete(done -> {});
                } else if (received.toString().contains("PING")) {
                    socket.write("+PONG\r\n").onComplete(done -> {});
                } else if (!received.toString().contains("INFO")) {
                    socket.write("+OK\r\n+OK\r\n").onComplete(done -> {});
                }
            });
        });
    }

    private static RedisOptions listening(NetServer server) {
        int port = TestRedis.await(server.listen(0, "127.0.0.1")).actualPort();
        return TestRedis.standalone().options().at(new Secret("redis://127.0.0.1:" + port));
    }

    private static Future<Void> write(NetSocket socket, String text) {
        return socket.write(Buffer.buffer(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private <T> Future<T> snapshot(
            RedisOptions settings, Path file, BiFunction<RedisLink, ServerSnapshot, Future<T>> step) {
        return RedisLink.open(vertx, settings).compose(link -> vertx.fileSystem()
                .open(file.toString(), new OpenOptions().setTruncateExisting(true))
                .compose((AsyncFile to) ->
                        step.apply(link, link.snapshot(link.nodes().get(0), to)).eventually(to::close))
                .eventually(link::close));
    }
}
