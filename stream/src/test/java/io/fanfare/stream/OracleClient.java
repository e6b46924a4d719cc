package io.fanfare.stream;

import io.fanfare.common.event.Event;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * A listener that writes down what it hears and comes back whenever it is cut off: with its cursor where the dialect has one, else with a new session. Confined to the event loop of
 * its client; {@link #differences} once that has come to rest.
 */
final class OracleClient {
    /** What a client wants and how it is spoken to. */
    record Wish(String path, Dialect dialect, StreamFilter filter) {
        boolean resumes() {
            return dialect == Dialect.NATIVE || dialect == Dialect.LINES || dialect == Dialect.LENGTHS_AND_LINES;
        }
    }

    /** From one connection to its end. */
    private static final class Session {
        /** Everything above it that is wanted must come, until the end. */
        long surelyFrom = Long.MAX_VALUE;

        int from;
        int to = Integer.MAX_VALUE;
    }

    private final Vertx vertx;
    private final HttpClient http;
    private final Wish wish;
    private final IntSupplier port;
    private final LongSupplier surelyKnown;

    private final List<Session> sessions = new ArrayList<>();
    private final List<long[]> gaps = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private long[] keys = new long[64];
    private int[] digests = new int[64];
    private char[] kinds = new char[64];
    private int count;
    private String cursor = "";
    private long first;
    private HttpClientRequest request;
    private HttpClientResponse response;
    private int number;
    private boolean open;
    private boolean stopped;

    /**
     * @param port of any node that runs
     * @param surelyKnown seq that no session which is open at that moment has begun behind
     */
    OracleClient(Vertx vertx, HttpClient http, Wish wish, IntSupplier port, LongSupplier surelyKnown) {
        this.vertx = vertx;
        this.http = http;
        this.wish = wish;
        this.port = port;
        this.surelyKnown = surelyKnown;
    }

    void connect() {
        if (stopped) {
            return;
        }
        int mine = ++number;
        open = false;
        String path = wish.path();
        boolean inPath = wish.dialect() != Dialect.NATIVE && !cursor.isEmpty();
        String asked = inPath ? path + (path.contains("?") ? "&" : "?") + "cursor=" + cursor : path;
        http.request(HttpMethod.GET, port.getAsInt(), "127.0.0.1", asked)
                .compose(made -> {
                    request = made;
                    if (wish.dialect() == Dialect.LINES) {
                        made.putHeader("Accept", "application/x-ndjson");
                    }
                    if (wish.dialect() == Dialect.NATIVE && !cursor.isEmpty()) {
                        made.putHeader("Last-Event-ID", cursor);
                    }
                    return made.send();
                })
                .onComplete(answer -> begin(answer, mine), unreachable -> again(mine));
    }

    private void begin(HttpClientResponse answer, int mine) {
        if (answer.statusCode() == 503) {
            // A node on its way down.
            again(mine);
            return;
        }
        if (answer.statusCode() != 200) {
            troubles.add("status " + answer.statusCode() + " of " + wish.path());
            again(mine);
            return;
        }
        response = answer;
        Session session = new Session();
        session.from = count;
        sessions.add(session);
        Frames frames = new Frames(wish.dialect(), this::heard);
        answer.handler(bytes -> {
            if (mine != number) {
                return;
            }
            if (!open) {
                open = true;
                session.surelyFrom = surelyKnown.getAsLong();
            }
            frames.take(bytes);
        });
        answer.exceptionHandler(broken -> again(mine));
        answer.endHandler(end -> again(mine));
    }

    /** At most one next session for each. */
    private void again(int mine) {
        if (mine != number || stopped) {
            return;
        }
        number++;
        open = false;
        if (!sessions.isEmpty()) {
            sessions.get(sessions.size() - 1).to = count;
        }
        vertx.setTimer(10 + Math.floorMod(mine * 37L + hashCode(), 150), later -> connect());
    }

    /** Cuts the connection: what is on its way is lost. */
    void cut() {
        if (request != null && open) {
            int mine = number;
            request.connection().close().onFailure(gone -> {});
            again(mine);
        }
    }

    /** Reads nothing for so long. */
    void pause(long millis) {
        if (open) {
            HttpClientResponse reading = response;
            reading.pause();
            vertx.setTimer(millis, later -> reading.resume());
        }
    }

    void stop() {
        stopped = true;
        if (request != null) {
            request.connection().close().onFailure(gone -> {});
        }
    }

    /** Whether a connection stands and has said something. */
    boolean isOpen() {
        return open;
    }

    int sessions() {
        return sessions.size();
    }

    int gaps() {
        return gaps.size();
    }

    int heard() {
        return count;
    }

    private void heard(Frames.Frame frame) {
        if (frame.id() != null) {
            cursor = frame.id();
        }
        switch (frame.name()) {
            case "", "warning", "disconnect" -> {}
            case "hello" -> hello(new JsonObject(frame.data()));
            case "gap" -> gap(frame.data());
            case "message" -> twitters(frame.data());
            case "update" -> note('s', subject(frame.data()), frame.data());
            default -> {
                boolean bare = wish.dialect() == Dialect.MASTODON;
                long key = bare
                        ? Long.parseLong(frame.data())
                        : Long.parseLong(frame.id().substring(frame.id().indexOf('-') + 1));
                note(letter(frame.name()), key, frame.data());
            }
        }
    }

    private static char letter(String name) {
        for (Event.Kind kind : Event.Kind.values()) {
            if (kind.wire().equals(name)) {
                return kind.letter();
            }
        }
        return '?';
    }

    private void hello(JsonObject hello) {
        if (cursor.isEmpty()) {
            first = hello.getLong("from");
            cursor = hello.getString("epoch") + "-" + (first - 1);
        }
    }

    private void gap(String data) {
        JsonObject gap = new JsonObject(data);
        if (gap.getValue("from") == null || gap.getValue("to") == null) {
            troubles.add("a gap without bounds: " + data);
        } else {
            gaps.add(new long[] {gap.getLong("from"), gap.getLong("to")});
        }
    }

    private void twitters(String json) {
        if (json.startsWith("{\"delete\":")) {
            note('d', Long.parseLong(Frames.text(json, "id_str")), json);
        } else if (json.startsWith("{\"gap\":")) {
            gap(new JsonObject(json).getJsonObject("gap").encode());
        } else if (!json.startsWith("{\"warning\":") && !json.startsWith("{\"disconnect\":")) {
            note('s', subject(json), json);
        }
    }

    private static long subject(String json) {
        return Long.parseLong(Frames.text(json, "id"));
    }

    private void note(char kind, long key, String data) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            digests = Arrays.copyOf(digests, count * 2);
            kinds = Arrays.copyOf(kinds, count * 2);
        }
        keys[count] = key;
        digests[count] = Truth.digest(data);
        kinds[count] = kind;
        count++;
    }

    /** Seq of the last event heard. */
    long last(Truth truth) {
        Truth.Entry entry = count == 0 ? null : entry(count - 1, truth);
        long told = gaps.stream().mapToLong(gap -> gap[1]).max().orElse(0);
        return Math.max(told, entry == null ? 0 : entry.seq());
    }

    /** Seq of the last event that must come. */
    long lastDue(Truth truth) {
        List<Truth.Entry> wanted = truth.wanted(wish.filter());
        for (int i = wanted.size() - 1; i >= 0; i--) {
            if (!truth.mayBeGone(wanted.get(i)) && tells(wanted.get(i))) {
                return wanted.get(i).seq();
            }
        }
        return 0;
    }

    /** Whether the dialect has words for it. */
    private boolean tells(Truth.Entry entry) {
        return wish.resumes()
                || entry.event().kind() == Event.Kind.STATUS
                || entry.event().kind() == Event.Kind.DELETE;
    }

    private Truth.Entry entry(int i, Truth truth) {
        return wish.resumes() ? truth.at(keys[i]) : truth.of(kinds[i] + Long.toString(keys[i]));
    }

    /** What was heard against what should have been, in sentences; empty when all is well. */
    List<String> differences(Truth truth) {
        List<String> found = new ArrayList<>(troubles);
        if (wish.resumes()) {
            judge(truth, 0, count, first - 1, Long.MAX_VALUE, found);
            return found;
        }
        for (Session session : sessions) {
            int to = Math.min(session.to, count);
            boolean last = session == sessions.get(sessions.size() - 1);
            if (last || to > session.from) {
                long end = last ? Long.MAX_VALUE : seq(to - 1, truth);
                long begun = to > session.from ? seq(session.from, truth) - 1 : Long.MAX_VALUE;
                judge(truth, session.from, to, Math.min(begun, session.surelyFrom), end, found);
            }
        }
        return found;
    }

    private long seq(int i, Truth truth) {
        Truth.Entry entry = entry(i, truth);
        return entry == null ? 0 : entry.seq();
    }

    /** Everything wanted in ]after, until] must be in [from, to[, once and in order, and nothing else. */
    private void judge(Truth truth, int from, int to, long after, long until, List<String> found) {
        int at = from;
        long before = Long.MIN_VALUE;
        for (Truth.Entry due : truth.wanted(wish.filter())) {
            if (due.seq() <= after || due.seq() > until || !tells(due)) {
                continue;
            }
            Truth.Entry heard = at < to ? entry(at, truth) : null;
            if (at < to && (heard == null || heard.seq() <= before)) {
                found.add("out of place " + kinds[at] + keys[at] + " behind " + before + " in " + wish);
                return;
            }
            if (heard != null && heard.seq() == due.seq()) {
                if (heard.event().kind().letter() != kinds[at] || !sameWords(heard, digests[at])) {
                    found.add("other words in " + due.seq() + " of " + wish);
                }
                before = heard.seq();
                at++;
            } else if (heard != null && heard.seq() < due.seq()) {
                found.add("unasked " + heard.seq() + " " + heard.event().id() + " in " + wish);
                return;
            } else if (!truth.mayBeGone(due) && !inGap(due.seq())) {
                found.add("lost " + due.seq() + " " + due.event().id() + " of " + wish + ", sessions " + sessions.size()
                        + ", next " + (heard == null ? "none" : heard.seq()));
                return;
            }
        }
        if (at < to) {
            found.add("heard " + (to - at) + " more in " + wish + " from " + kinds[at] + keys[at]);
        }
    }

    /** Where a delete is told in an envelope, there is nothing to compare. */
    private boolean sameWords(Truth.Entry heard, int digest) {
        return digest == heard.digest() || (heard.event().kind() == Event.Kind.DELETE && !wish.resumes());
    }

    private boolean inGap(long seq) {
        for (long[] gap : gaps) {
            if (gap[0] <= seq && seq <= gap[1]) {
                return true;
            }
        }
        return false;
    }
}
