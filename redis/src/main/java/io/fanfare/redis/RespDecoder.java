package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Turns the bytes of a RESP2 or RESP3 connection into replies, however the network has cut them. Every byte is looked
 * at once: a half line, a half string and half-filled arrays are kept, never parsed again. One instance per connection
 * and direction; confined to one thread.
 *
 * <p>The additional types of RESP3 are converted to those of RESP2, so that no other class has to know them: maps as
 * keys and values in turn, sets as arrays, doubles and big numbers as their text, booleans as 1 and 0; attributes are
 * left out. Only pushes are something else: they go where they are wanted, in order with the replies.
 *
 * <p>Source: the Redis serialization protocol specification, without its streamed types, which Redis does not send.
 * Sizes are bounded, so that a peer that does not speak RESP ends in an error and not in a full heap.
 */
public final class RespDecoder {
    /** Longest status, error or number line, bytes. */
    static final int LINE_MAX = 64 << 10;

    /** Longest string, bytes. */
    static final int BULK_MAX = 64 << 20;

    /** Most elements of one array. */
    static final int ITEMS_MAX = 1 << 20;

    /** Deepest nesting of arrays; CLUSTER SLOTS needs 4. */
    static final int DEPTH_MAX = 16;

    /** Numbers up to here are made once: the answers of a fan-out are list lengths. */
    private static final int SMALL_INTS = 2048;

    private static final Reply.Int[] INTS = new Reply.Int[SMALL_INTS];
    private static final Reply.Text OK = new Reply.Text("OK");
    private static final Reply.Bulk EMPTY = new Reply.Bulk(new byte[0]);
    private static final Reply.Items NO_ITEMS = new Reply.Items(List.of());

    static {
        Arrays.setAll(INTS, Reply.Int::new);
    }

    /** An array that is being filled, or something else that has elements, as its first byte says. */
    private static final class Open {
        final byte type;
        Reply[] items;
        int filled;
        final int wanted;

        Open(byte type, int wanted) {
            this.type = type;
            this.wanted = wanted;
            // The announced length is not trusted with memory before the elements have come.
            this.items = new Reply[Math.min(wanted, 1024)];
        }
    }

    private final Consumer<Reply> replies;
    private final Consumer<Reply> pushes;
    private final Open[] open = new Open[DEPTH_MAX];
    private int depth;

    private byte[] line = new byte[64];
    private int lineLength;

    private byte bulkType;
    private byte[] bulk;
    private int bulkFilled;

    /** Every complete reply goes to {@code replies}, in order; pushes are left out. */
    public RespDecoder(Consumer<Reply> replies) {
        this(replies, push -> {});
    }

    /**
     * Every complete reply goes to {@code replies} and every push, as an array, to {@code pushes}, in the order in
     * which they have come.
     */
    public RespDecoder(Consumer<Reply> replies, Consumer<Reply> pushes) {
        this.replies = replies;
        this.pushes = pushes;
    }

    /**
     * Takes the next bytes. Throws {@link IllegalStateException} when they are not RESP or exceed a bound; the
     * connection is then of no more use.
     */
    public void feed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            at = bulk != null ? fillBulk(bytes, at, to) : readLine(bytes, at, to);
        }
    }

    private int readLine(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        if (lineLength + end - from > LINE_MAX) {
            throw new IllegalStateException("RESP line longer than " + LINE_MAX + " bytes");
        }
        if (end == to) {
            carry(bytes, from, to);
            return to;
        }
        if (lineLength == 0) {
            parse(bytes, from, end);
        } else {
            carry(bytes, from, end);
            int length = lineLength;
            lineLength = 0;
            parse(line, 0, length);
        }
        return end + 1;
    }

    private void carry(byte[] bytes, int from, int to) {
        int added = to - from;
        if (lineLength + added > line.length) {
            line = Arrays.copyOf(line, Math.max(line.length * 2, lineLength + added));
        }
        System.arraycopy(bytes, from, line, lineLength, added);
        lineLength += added;
    }

    /** A line without its LF; the CR before it must be there. */
    private void parse(byte[] b, int from, int lf) {
        int to = lf - 1;
        if (to <= from || b[to] != '\r') {
            throw new IllegalStateException("not a RESP line");
        }
        switch (b[from]) {
            case ':' -> done(integer(number(b, from + 1, to)));
            case '$', '=', '!' -> startBulk(b[from], number(b, from + 1, to));
            case '*', '~', '>' -> startArray(b[from], number(b, from + 1, to));
            case '%', '|' -> startArray(b[from], 2 * number(b, from + 1, to));
            case '+' -> done(text(b, from + 1, to));
            case '-' -> done(new Reply.Failure(RedisError.of(utf8(b, from + 1, to))));
            case '_' -> done(Reply.NIL);
            case ',', '(' -> done(new Reply.Bulk(Arrays.copyOfRange(b, from + 1, to)));
            case '#' -> done(integer(b[from + 1] == 't' ? 1 : 0));
            default -> throw new IllegalStateException("not a RESP type: byte " + b[from]);
        }
    }

    private void startBulk(byte type, long length) {
        if (length < -1 || length > BULK_MAX) {
            throw new IllegalStateException("RESP string of " + length + " bytes");
        }
        if (length == -1) {
            done(Reply.NIL);
            return;
        }
        bulkType = type;
        bulk = new byte[(int) length];
        bulkFilled = 0;
    }

    /** Fills the string, then skips its CR LF; {@code bulkFilled} counts those two as well. */
    private int fillBulk(byte[] bytes, int from, int to) {
        int at = from;
        int missing = bulk.length - bulkFilled;
        if (missing > 0) {
            int taken = Math.min(missing, to - at);
            System.arraycopy(bytes, at, bulk, bulkFilled, taken);
            bulkFilled += taken;
            at += taken;
        }
        while (at < to && bulkFilled < bulk.length + 2) {
            if (bytes[at] != (bulkFilled == bulk.length ? '\r' : '\n')) {
                throw new IllegalStateException("RESP string without its end");
            }
            bulkFilled++;
            at++;
        }
        if (bulkFilled == bulk.length + 2) {
            byte[] whole = bulk;
            bulk = null;
            done(string(whole));
        }
        return at;
    }

    private Reply string(byte[] whole) {
        return switch (bulkType) {
            case '!' -> new Reply.Failure(RedisError.of(utf8(whole, 0, whole.length)));
            // Begins with three letters that say how to show it, and a colon.
            case '=' -> new Reply.Bulk(Arrays.copyOfRange(whole, Math.min(4, whole.length), whole.length));
            default -> whole.length == 0 ? EMPTY : new Reply.Bulk(whole);
        };
    }

    private void startArray(byte type, long length) {
        if (length < -1 || length > ITEMS_MAX) {
            throw new IllegalStateException("RESP array of " + length + " elements");
        }
        if (length <= 0) {
            if (type != '|') {
                done(length == 0 ? NO_ITEMS : Reply.NIL);
            }
            return;
        }
        if (depth == DEPTH_MAX) {
            throw new IllegalStateException("RESP arrays nested deeper than " + DEPTH_MAX);
        }
        open[depth++] = new Open(type, (int) length);
    }

    /**
     * A complete value: hands it over, or puts it into the innermost open array, which may complete that one in turn.
     */
    private void done(Reply value) {
        Reply reply = value;
        while (depth > 0) {
            Open array = open[depth - 1];
            if (array.filled == array.items.length) {
                array.items = Arrays.copyOf(array.items, Math.min(array.wanted, array.filled * 2));
            }
            array.items[array.filled++] = reply;
            if (array.filled < array.wanted) {
                return;
            }
            open[--depth] = null;
            reply = new Reply.Items(Collections.unmodifiableList(Arrays.asList(array.items)));
            if (array.type == '|') {
                return;
            }
            if (array.type == '>') {
                pushes.accept(reply);
                return;
            }
        }
        replies.accept(reply);
    }

    private static Reply.Int integer(long value) {
        return value >= 0 && value < SMALL_INTS ? INTS[(int) value] : new Reply.Int(value);
    }

    private static Reply.Text text(byte[] b, int from, int to) {
        boolean ok = to - from == 2 && b[from] == 'O' && b[from + 1] == 'K';
        return ok ? OK : new Reply.Text(utf8(b, from, to));
    }

    private static String utf8(byte[] b, int from, int to) {
        return new String(b, from, to - from, StandardCharsets.UTF_8);
    }

    private static long number(byte[] b, int from, int to) {
        boolean negative = from < to && b[from] == '-';
        int first = negative ? from + 1 : from;
        if (first >= to || to - first > 19) {
            throw new IllegalStateException("not a RESP number");
        }
        long value = 0;
        for (int i = first; i < to; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new IllegalStateException("not a RESP number");
            }
            // Summed downwards: Long.MIN_VALUE has no positive counterpart.
            value = value * 10 - digit;
        }
        return negative ? value : -value;
    }
}
