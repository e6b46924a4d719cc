package io.fanfare.redis;

import io.fanfare.failure.Reason;
import io.fanfare.redis.RedisError.Kind;
import io.fanfare.vertx.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.WriteStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All data of one server at one moment, as an RDB file, read as a replica does (PSYNC). It works over every connection
 * that the link can make, needs no access to the server's files, and the server writes none when it replicates without
 * a disk. The user needs the rights {@code +info +psync +replconf}. Confined to the link's loop.
 *
 * <p>A server that replicates by way of a disk also sends a file that it is already writing for another replica, which
 * is of an earlier moment. The offset shows that, and the snapshot is requested again until the server begins a new
 * file.
 */
public final class ServerSnapshot {
    /** A server says something every ten seconds, however much it has to do before the first byte. */
    private static final long SILENCE_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Until we ask again when the server has offered a snapshot of an earlier moment. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** More than a server takes to write its file, unless one follows the other without end. */
    private static final long EARLIER_MAX_NANOS = TimeUnit.MINUTES.toNanos(30);

    private static final int LINE_BYTES_MAX = 64 << 10;

    /** As long as the mark that ends a snapshot whose size the server does not know. */
    private static final int MARK_BYTES = 40;

    private static final String MARKED = "$EOF:";
    private static final Pattern BEGUN = Pattern.compile("\\+FULLRESYNC \\S+ (\\d{1,18})");
    private static final Pattern OFFSET = Pattern.compile("master_repl_offset:(\\d{1,18})");

    /** The part of the stream that is expected next. */
    private enum Stage {
        GREETING,
        BEGIN,
        SIZE,
        BODY,
        DONE
    }

    private final Connector connector;
    private final NodeAddress.Address address;
    private final WriteStream<Buffer> to;
    private final Promise<Void> begun;
    private final Promise<Long> ended;
    private final boolean authenticates;
    private final long startNanos;

    /** Null between two connections. */
    private NetSocket socket;

    private Stage stage = Stage.GREETING;
    private int answers;

    /** The server's offset at the greeting; -1 = not known. */
    private long offset = -1;

    private Buffer rest = Buffer.buffer();

    /** The bytes left of a snapshot with a size; -1 = one that a mark ends. */
    private long left = -1;

    private byte[] mark = new byte[0];
    private long bytes;

    /** Writes that the stream has not confirmed. */
    private int unwritten;

    private long receivedNanos;

    /** Why the connection ended, if it ended before the snapshot was complete. */
    private String why = "the connection was closed";

    private ServerSnapshot(Connector connector, NodeAddress.Address address, WriteStream<Buffer> to) {
        this.connector = connector;
        this.address = address;
        this.to = to;
        LoopContext context = connector.context();
        this.begun = context.promise();
        this.ended = context.promise();
        this.authenticates = connector.endpoint().auth().isPresent();
        this.startNanos = connector.nanos();
        this.receivedNanos = startNanos;
    }

    static ServerSnapshot start(Connector connector, NodeAddress.Address address, WriteStream<Buffer> to) {
        ServerSnapshot snapshot = new ServerSnapshot(connector, address, to);
        snapshot.connect();
        snapshot.watch();
        return snapshot;
    }

    /**
     * Complete at the moment whose data the snapshot has, or at most a moment later; the rest is on its way. What was
     * acknowledged before the call is in it. A server that is busy with another file begins when that is done. Fails
     * with a {@link RedisError} COMMAND when the server refuses, UNAVAILABLE or LOST when it does not answer, NOT_NOW
     * when others' files keep it busy for half an hour.
     */
    public Future<Void> begun() {
        return begun.future();
    }

    /** The bytes of the file, once all of them are written; the stream is not ended. Fails as {@link #begun}. */
    public Future<Long> ended() {
        return ended.future();
    }

    /** Bytes so far. */
    public long bytes() {
        return bytes;
    }

    /** Ends it before it is complete; both futures fail unless they are complete. */
    public void cancel() {
        fail(new RedisError(Kind.LOST, "the snapshot of " + address + " was given up"));
    }

    private void connect() {
        connector
                .whereIs(address)
                .compose(connector::socket)
                .onSuccess(this::ask)
                .onFailure(this::fail);
    }

    private void ask(NetSocket opened) {
        socket = opened;
        if (stage == Stage.DONE) {
            closeSocket();
            return;
        }
        receivedNanos = connector.nanos();
        socket.handler(this::received);
        // Not the end of the connection, which may come before bytes that a slow file has not taken.
        socket.endHandler(v -> closed());
        socket.exceptionHandler(cause -> why = Reason.of(cause));
        RespEncoder out = new RespEncoder(Namespace.NONE);
        connector.endpoint().auth().ifPresent(out::append);
        out.append(Command.routed("INFO", null, "replication"));
        // A server that knows neither answers with an error, and sends the same with a size, or more behind it.
        out.append(Command.routed("REPLCONF", null, "capa", "eof", "capa", "psync2"));
        out.append(Command.routed("REPLCONF", null, "rdb-only", "1"));
        write(out);
    }

    private void write(RespEncoder out) {
        socket.write(out.take()).onFailure(cause -> fail(lost(Reason.of(cause))));
    }

    private void watch() {
        long unused = connector.after(LOOK_NANOS, () -> {
            if (stage == Stage.DONE) {
                return;
            }
            // A file that takes the bytes slowly is no silence.
            if (to.writeQueueFull()) {
                receivedNanos = connector.nanos();
            }
            if (connector.nanos() - receivedNanos > SILENCE_MAX_NANOS) {
                fail(lost("nothing came for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_MAX_NANOS) + " s"));
            } else {
                watch();
            }
        });
    }

    private void received(Buffer buffer) {
        receivedNanos = connector.nanos();
        rest = rest.length() == 0 ? buffer : rest.appendBuffer(buffer);
        while (stage != Stage.BODY && stage != Stage.DONE) {
            String line = takeLine();
            if (line == null) {
                return;
            }
            // Empty lines are signs of life.
            if (!line.isEmpty()) {
                receivedLine(line);
            }
        }
        if (stage == Stage.BODY) {
            body();
        }
    }

    /** Null when it is not complete. */
    private String takeLine() {
        for (int i = 0; i < rest.length(); i++) {
            if (rest.getByte(i) == '\n') {
                int end = i > 0 && rest.getByte(i - 1) == '\r' ? i - 1 : i;
                String line = rest.getString(0, end, StandardCharsets.ISO_8859_1.name());
                rest = rest.getBuffer(i + 1, rest.length());
                return line;
            }
        }
        if (rest.length() > LINE_BYTES_MAX) {
            fail(lost("it does not speak the protocol of Redis"));
        }
        return null;
    }

    private void receivedLine(String line) {
        switch (stage) {
            case GREETING -> greeted(line);
            case BEGIN -> {
                Matcher begins = BEGUN.matcher(line);
                if (!begins.matches()) {
                    fail(refusal(line));
                } else if (Long.parseLong(begins.group(1)) < offset) {
                    askAgain();
                } else {
                    stage = Stage.SIZE;
                    begun.tryComplete();
                }
            }
            case SIZE -> size(line);
            default -> throw new IllegalStateException(stage.toString());
        }
    }

    private void greeted(String line) {
        Matcher match = OFFSET.matcher(line);
        if (match.matches()) {
            offset = Long.parseLong(match.group(1));
        }
        // The lines of INFO begin with letters.
        if ("+-$".indexOf(line.charAt(0)) < 0) {
            return;
        }
        answers++;
        int info = authenticates ? 2 : 1;
        if (line.startsWith("-") && answers <= info) {
            fail(refusal(line));
        } else if (answers == info + 2) {
            if (offset < 0) {
                fail(refusal("it does not report how far it has written (master_repl_offset of INFO)"));
                return;
            }
            stage = Stage.BEGIN;
            // Not before: the server refuses it while answers are on their way.
            RespEncoder out = new RespEncoder(Namespace.NONE);
            out.append(Command.routed("PSYNC", null, "?", "-1"));
            write(out);
        }
    }

    /**
     * Requests another snapshot. The current one was begun for another replica before this request, and the data has
     * been overwritten since.
     */
    private void askAgain() {
        if (connector.nanos() - startNanos > EARLIER_MAX_NANOS) {
            fail(new RedisError(
                    Kind.NOT_NOW,
                    "Redis at " + address + " gives no snapshot of its own: for "
                            + TimeUnit.NANOSECONDS.toMinutes(EARLIER_MAX_NANOS)
                            + " minutes it has been writing files for replicas or other backups; take the backup when"
                            + " they are done, or set repl-diskless-sync yes"));
            return;
        }
        NetSocket former = socket;
        former.handler(ignored -> {});
        former.endHandler(ignored -> {});
        former.exceptionHandler(ignored -> {});
        closeSocket();
        socket = null;
        stage = Stage.GREETING;
        answers = 0;
        offset = -1;
        rest = Buffer.buffer();
        long unused = connector.after(AGAIN_NANOS, this::connect);
    }

    private void size(String line) {
        if (line.startsWith(MARKED) && line.length() == MARKED.length() + MARK_BYTES) {
            mark = line.substring(MARKED.length()).getBytes(StandardCharsets.ISO_8859_1);
        } else if (line.matches("\\$\\d{1,18}")) {
            left = Long.parseLong(line.substring(1));
        } else {
            fail(refusal(line));
            return;
        }
        stage = Stage.BODY;
    }

    private void body() {
        if (left >= 0) {
            int take = (int) Math.min(left, rest.length());
            left -= take;
            write(rest.getBuffer(0, take), left == 0);
            rest = Buffer.buffer();
            return;
        }
        // The last bytes may be the beginning of the mark.
        int known = rest.length() - MARK_BYTES;
        if (known < 0) {
            return;
        }
        boolean complete = Arrays.equals(rest.getBytes(known, rest.length()), mark);
        write(rest.getBuffer(0, known), complete);
        rest = rest.getBuffer(known, rest.length());
    }

    private void write(Buffer part, boolean last) {
        bytes += part.length();
        if (part.length() > 0) {
            unwritten++;
            to.write(part)
                    .onSuccess(done -> {
                        unwritten--;
                        endWhenWritten();
                    })
                    .onFailure(this::fail);
        }
        if (last) {
            stage = Stage.DONE;
            socket.handler(ignored -> {});
            endWhenWritten();
        } else if (to.writeQueueFull()) {
            socket.pause();
            to.drainHandler(v -> socket.resume());
        }
    }

    /** Writes end in any order, and the last one may be done before an earlier one fails. */
    private void endWhenWritten() {
        if (stage == Stage.DONE && unwritten == 0) {
            ended.tryComplete(bytes);
            closeSocket();
        }
    }

    /** A server may close the connection right behind the last byte. */
    private void closed() {
        if (stage != Stage.DONE) {
            fail(lost(why));
        }
    }

    private void fail(Throwable cause) {
        stage = Stage.DONE;
        begun.tryFail(cause);
        ended.tryFail(cause);
        closeSocket();
    }

    private void closeSocket() {
        if (socket != null) {
            socket.close().onComplete(closed -> {});
        }
    }

    private RedisError lost(String why) {
        return new RedisError(Kind.LOST, "the snapshot of Redis at " + address + " was cut off: " + why);
    }

    private RedisError refusal(String line) {
        RedisError error = RedisError.of(line.startsWith("-") ? line.substring(1) : line);
        return new RedisError(
                error.kind() == Kind.NOT_NOW ? Kind.NOT_NOW : Kind.COMMAND,
                "Redis at " + address + " gives no snapshot: " + error.getMessage());
    }

    /** The rights that a user needs for it, as in {@code ACL SETUSER}. */
    public static List<String> rights() {
        return List.of("+info", "+psync", "+replconf");
    }
}
