package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * A listener that writes down what it hears and comes back whenever it is cut off: with its cursor where the dialect
 * has one, else with a new session. It has one stream, or several on a socket, and may want something else on the way.
 * Confined to the thread of its crowd; its {@link #notes} are judged when that has come to rest.
 */
final class OracleClient implements Crowd.Member {
    /** A client's request and its protocol. {@code token} is empty for nobody. */
    record Wish(String path, Dialect dialect, StreamFilter filter, String token) {
        boolean resumes() {
            return dialect == Dialect.NATIVE || dialect == Dialect.LINES || dialect == Dialect.LENGTHS_AND_LINES;
        }

        /** The address of the request. */
        String path(int turn) {
            return filter instanceof OracleTurns turns ? path + turns.queries().get(turn) : path;
        }

        @Override
        public String toString() {
            return dialect + " " + path(0);
        }
    }

    /** How a connection is lost. */
    enum Loss {
        CLOSED,
        /** By a TCP reset. */
        RESET,
        /** The client is gone and nobody tells the server, whose bytes go nowhere. */
        SILENT
    }

    /** Small, so that who reads slowly is soon behind. */
    private static final int BUFFER_BYTES = 16 << 10;

    private static final int SIP_BYTES = 2048;
    private static final long SIP_MILLIS = 30;
    private static final long SILENT_MILLIS = 8000;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    private static final byte[] DELETE = bytes("{\"delete\":{\"status\":{\"id\":");
    private static final byte[] STATUS = bytes("{\"id\":\"");

    /** How a tweet begins, and where its id stands: dates are of one length. */
    private static final byte[] TWEET = bytes("{\"created_at\":\"");

    private static final int TWEET_ID = TWEET.length + "Wed Nov 25 05:06:26 +0000 2026\",\"id\":".length();

    /** How a status begins that lay in the log as a record. */
    private static final byte[] RENDERED =
            bytes("{\"replies_count\":0,\"reblogs_count\":0,\"favourites_count\":0,\"quotes_count\":0,\"id\":\"");

    private static final byte[] GAP = bytes("{\"gap\":");
    private static final byte[] WARNING = bytes("{\"warning\":");
    private static final byte[] DISCONNECT = bytes("{\"disconnect\":");

    private final Crowd crowd;
    private final Wish wish;
    private final IntSupplier port;
    private final LongSupplier tip;
    private final long eventsMin;

    /** The notes of each stream; all but a socket have one. */
    private final List<Notes> all;

    private final Notes notes;

    private SocketChannel channel;
    private SelectionKey key;
    private Frames frames;
    private Answer answer;
    private long cursor = Frames.NO_CURSOR;

    /** Any of the epoch in which the connection is, as far as it has said. */
    private long begun = Frames.NO_CURSOR;

    /** Null = it is none. */
    private OracleSocket socket;

    private int node;

    /** Name of the connection; null while it has not said. */
    private String conn;

    /** Which of its filters is wanted, and whether an answer to that is awaited, or will never be known. */
    private int turn;

    private boolean asking;
    private boolean doubtful;

    private int number;
    private boolean open;
    private boolean stopped;
    private long requested;
    private long sipsUntil;
    private long received;

    /**
     * @param wishes one, or several on a socket
     * @param port of any node that runs; 0 = none does
     * @param tip the highest place that is known at that moment; at most {@link StreamOracle#BATCH_MAX} numbers may be
     *     on their way
     * @param eventsMin that the log keeps: a gap may tell of nothing newer
     */
    OracleClient(Crowd crowd, List<Wish> wishes, IntSupplier port, LongSupplier tip, long eventsMin) {
        this.crowd = crowd;
        this.wish = wishes.get(0);
        this.port = port;
        this.tip = tip;
        this.eventsMin = eventsMin;
        this.all = wishes.stream().map(Notes::new).toList();
        this.notes = all.get(0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    List<Notes> notes() {
        return all;
    }

    /** Whether a connection stands, has said something, and tells all that is wanted. */
    boolean isOpen() {
        return open && !asking && (socket == null || socket.isWhole());
    }

    /** Bytes from sockets. */
    long received() {
        return received;
    }

    void connect() {
        if (stopped) {
            return;
        }
        number++;
        open = false;
        frames = new Frames(wish.dialect(), this::received);
        answer = new Answer(frames);
        conn = null;
        asking = false;
        doubtful = false;
        socket = wish.dialect() == Dialect.MASTODON_SOCKET ? new OracleSocket(all, this::write, tip) : null;
        node = port.getAsInt();
        if (node == 0) {
            again(100);
            return;
        }
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            key = crowd.register(channel, SelectionKey.OP_CONNECT, this);
            requested = tip.getAsLong();
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node));
        } catch (IOException unreachable) {
            lost();
        }
    }

    @Override
    public void connected() {
        try {
            channel.finishConnect();
            write(ByteBuffer.wrap(request().getBytes(StandardCharsets.UTF_8)));
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException unreachable) {
            lost();
        }
    }

    /** So little that it fits, unless the connection is broken, as whoever reads next will find. */
    private void write(ByteBuffer bytes) {
        try {
            channel.write(bytes);
        } catch (IOException broken) {
            return;
        }
        if (bytes.hasRemaining()) {
            throw new IllegalStateException("the server does not read");
        }
    }

    private String request() {
        String path = wish.path(turn);
        StringBuilder request = new StringBuilder("GET ").append(path);
        boolean hasCursor = cursor != Frames.NO_CURSOR;
        if (hasCursor && wish.dialect() != Dialect.NATIVE) {
            request.append(path.contains("?") ? "&" : "?").append("cursor=").append(Frames.cursorText(cursor));
        }
        request.append(" HTTP/1.1\r\nHost: localhost\r\n");
        if (wish.dialect() == Dialect.LINES) {
            request.append("Accept: application/x-ndjson\r\n");
        }
        if (socket != null) {
            request.append(OracleSocket.HEADERS);
        }
        if (Math.floorMod(number + hashCode(), 2) == 0) {
            // Every other connection of a client, so that it comes back from one coding to the other.
            request.append("Accept-Encoding: gzip, deflate\r\n");
        }
        if (hasCursor && wish.dialect() == Dialect.NATIVE) {
            request.append("Last-Event-ID: ").append(Frames.cursorText(cursor)).append("\r\n");
        }
        if (!wish.token().isEmpty()) {
            request.append("Authorization: Bearer ").append(wish.token()).append("\r\n");
        }
        return request.append("\r\n").toString();
    }

    @Override
    public void readable() {
        boolean sips = sipsUntil > System.nanoTime();
        try {
            int count = crowd.read(channel, sips ? SIP_BYTES : Integer.MAX_VALUE);
            if (count < 0) {
                lost();
                return;
            }
            received += count;
            take(count);
        } catch (IOException reset) {
            lost();
            return;
        }
        if (sips) {
            pause(SIP_MILLIS);
        }
    }

    private void take(int count) {
        int mine = number;
        try {
            answer.take(crowd.bytes(), 0, count);
        } catch (RuntimeException notOurs) {
            notes.trouble(notOurs.toString());
            lost();
            return;
        }
        int status = answer.status();
        int good = socket == null ? 200 : 101;
        if (mine == number && status == good && !open) {
            begin();
        }
        if (mine == number && status != 0 && status != good) {
            if (status != 503) {
                notes.trouble("status " + status);
            }
            // 503: a node on its way down, or one that has not heard yet of what another one has told.
            drop(Loss.CLOSED);
            again(100);
        } else if (mine == number && (answer.ended() || (socket != null && socket.isOver()))) {
            lost();
        }
    }

    private void lost() {
        drop(Loss.CLOSED);
        again(10);
    }

    /** Loses its connection in one way or another and comes back after so long. */
    void lose(Loss how, long millis) {
        if (open) {
            drop(how);
            again(millis);
        }
    }

    private void drop(Loss how) {
        number++;
        open = false;
        all.forEach(Notes::end);
        SocketChannel dropped = channel;
        if (dropped == null) {
            return;
        }
        if (how == Loss.SILENT) {
            key.cancel();
            crowd.later(SILENT_MILLIS, () -> close(dropped, Loss.RESET));
        } else {
            close(dropped, how);
        }
        channel = null;
    }

    private static void close(SocketChannel channel, Loss how) {
        try {
            if (how == Loss.RESET) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException gone) {
            // That is what was wanted.
        }
    }

    private void again(long millis) {
        if (!stopped) {
            crowd.later(millis + Math.floorMod(number * 37L + hashCode(), 150), this::connect);
        }
    }

    /** Reads nothing for so long. */
    void pause(long millis) {
        if (open) {
            SelectionKey reading = key;
            reading.interestOps(0);
            crowd.later(millis, () -> {
                if (reading.isValid()) {
                    reading.interestOps(SelectionKey.OP_READ);
                }
            });
        }
    }

    /** Reads but a little at a time for so long. */
    void sip(long millis) {
        sipsUntil = System.nanoTime() + millis * 1_000_000;
    }

    /** Whether it can ask for something else. */
    boolean canChange() {
        return isOpen() && (socket != null || (wish.filter() instanceof OracleTurns && conn != null && !doubtful));
    }

    /**
     * Takes another filter, or leaves a stream of its socket for a moment. The filter holds behind what this client has
     * been told: what others have been told by the same node says nothing, as they may be on another event loop.
     */
    void change(int any) {
        if (socket != null) {
            socket.leave(any);
            return;
        }
        int mine = number;
        int before = turn;
        int turns = ((OracleTurns) wish.filter()).filters().size();
        turn = (before + 1 + any % (turns - 1)) % turns;
        asking = true;
        notes.change(turn, cursor);
        crowd.send(change(), status -> {
            if (mine == number) {
                asking = false;
                changed(status, before);
            }
        });
    }

    private HttpRequest change() {
        String path = wish.path(turn);
        String where = "http://localhost:" + node + "/api/v1/streaming/connections/" + conn + "/filter";
        return HttpRequest.newBuilder(URI.create(where + path.substring(path.indexOf('?'))))
                .header("Authorization", "Bearer " + wish.token())
                .timeout(ANSWER_MAX)
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private void changed(int status, int before) {
        switch (status) {
            case 200 -> notes.changed(surelyKnown());
            case 429 -> {
                // It has not read up to the places of the filters before.
                notes.unchanged();
                turn = before;
            }
            case 404 -> {
                // It has ended, as its client is about to hear.
                notes.unchanged();
                lost();
            }
            // The request, or its answer, was lost; or Redis could not be read.
            case 0, 503 -> doubtful = true;
            default -> notes.trouble("status " + status + " for another filter");
        }
    }

    void stop() {
        stopped = true;
        drop(Loss.CLOSED);
    }

    private void received(Frames.Name name) {
        if (!open) {
            begin();
        }
        if (socket != null) {
            socket.received(name, frames, statusId());
            return;
        }
        long before = cursor;
        if (frames.cursor() != Frames.NO_CURSOR) {
            cursor = frames.cursor();
            begun = cursor;
        }
        switch (name) {
            case CURSOR, WARNING, LIMIT, DISCONNECT -> {}
            case HELLO -> hello(new JsonObject(frames.data()));
            case GAP -> gap(before, new JsonObject(frames.data()));
            case MESSAGE -> twitters();
            case UPDATE -> note(Event.Kind.STATUS, statusId());
            case STATUS -> note(Event.Kind.STATUS, cursor);
            case DELETE -> note(Event.Kind.DELETE, wish.resumes() ? cursor : frames.number(0));
            case FOLLOW -> note(Event.Kind.FOLLOW, cursor);
            case UNFOLLOW -> note(Event.Kind.UNFOLLOW, cursor);
            case NOTIFICATION -> note(Event.Kind.NOTIFICATION, cursor);
            case ERROR, PING, PONG, CLOSE -> notes.trouble("unknown: " + name);
        }
    }

    private void begin() {
        open = true;
        if (socket == null) {
            notes.begin(requested, surelyKnown(), cursor, turn);
        } else {
            socket.begin(requested);
        }
    }

    /** Place that no session which is open at this moment has begun behind. */
    private long surelyKnown() {
        return tip.getAsLong() + StreamOracle.BATCH_MAX;
    }

    private void note(Event.Kind kind, long about) {
        notes.event(kind, about, frames.digest());
    }

    private void hello(JsonObject hello) {
        int epoch = Integer.parseUnsignedInt(hello.getString("epoch"), 16);
        begun = Frames.cursor(epoch, 0);
        conn = hello.getString("conn");
        notes.tip(Frames.cursor(epoch, hello.getLong("tip")));
        if (cursor == Frames.NO_CURSOR) {
            cursor = Frames.cursor(epoch, hello.getLong("from") - 1);
            notes.first(cursor);
        }
    }

    private void gap(long before, JsonObject gap) {
        boolean epoch = gap.getString("reason").equals("epoch");
        long from = gap.getLong("from", 0L) == null ? 0 : gap.getLong("from");
        long to = gap.getLong("to", 0L) == null ? 0 : gap.getLong("to");
        if (!epoch && (from == 0 || to < from)) {
            notes.trouble("a gap without bounds: " + gap);
        }
        long newest = Truth.seq(surelyKnown());
        if (!epoch && to <= newest && to > newest - eventsMin) {
            notes.trouble("a gap of what is there: " + gap);
        }
        boolean known = epoch && begun != Frames.NO_CURSOR && begun >>> 32 != before >>> 32;
        notes.gap(before, epoch, from, to, known ? begun : Frames.NO_CURSOR);
        if (epoch) {
            // The next one on this connection leads into an epoch that it has not named.
            begun = Frames.NO_CURSOR;
        }
    }

    /** The status of a message without a cursor. */
    private long statusId() {
        return frames.number(frames.dataStartsWith(RENDERED) ? RENDERED.length : STATUS.length);
    }

    private void twitters() {
        if (frames.dataStartsWith(TWEET)) {
            note(Event.Kind.STATUS, frames.number(TWEET_ID));
        } else if (frames.dataStartsWith(DELETE)) {
            note(Event.Kind.DELETE, frames.number(DELETE.length));
        } else if (frames.dataStartsWith(GAP)) {
            gap(cursor, new JsonObject(frames.data()).getJsonObject("gap"));
        } else if (!frames.dataStartsWith(WARNING) && !frames.dataStartsWith(DISCONNECT)) {
            notes.trouble("unknown: " + frames.data());
        }
    }
}
