package io.fanfare.stream.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.stream.Gunzip;
import io.fanfare.stream.SseClient;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.FirehoseFilter;
import io.fanfare.stream.filter.PublicTimeline;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.wire.BlockDeflater;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.GzipBlock;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EventRingTest {
    private static final long END = Long.MAX_VALUE;
    private static final StreamFilter ALL = event -> true;
    private static final String EPOCH = "5f3a9c01";

    private final EventRing ring = new EventRing(10, 1 << 20, new Documents(1));
    private final BlockDeflater deflater = new BlockDeflater();

    @BeforeEach
    void begin() {
        ring.restart(EPOCH, 100);
    }

    @AfterEach
    void close() {
        deflater.close();
    }

    @Test
    void sendsTheEventsAfterACursorInOrder() {
        ring.add(status(101, 1));
        ring.add(status(102, 2));

        assertThat(read(100)).containsExactly("101 s1", "102 s2");
        assertThat(read(101)).containsExactly("102 s2");
        assertThat(read(102)).isEmpty();
        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 1000).upTo()).isEqualTo(102);
    }

    @Test
    void aDeletedStatusIsNeverSentAgain() {
        ring.add(status(101, 1));
        assertThat(read(100)).containsExactly("101 s1");

        ring.add(event(Event.Kind.DELETE, 102, 1));

        assertThat(read(100)).containsExactly("102 d1");
    }

    @Test
    void aQuoteOfADeletedStatusIsSentWithoutIt() {
        ring.add(quote(101, 5, 1));
        ring.add(quote(102, 6, 2));
        ring.add(notification(103, 7, 1));
        ring.add(notification(104, 8, 3, 1));
        assertThat(read(100)).containsExactly("101 s51", "102 s62", "103 n7", "104 n8");
        long before = ring.bytes();
        EventRing.Slice shared = ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000);

        ring.add(event(Event.Kind.DELETE, 105, 1));

        assertThat(read(100)).containsExactly("101 s5", "102 s62", "104 n8", "105 d1");
        assertThat(ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000)
                        .bytes())
                .isNotEqualTo(shared.bytes());
        assertThat(ring.event(101).matchFields().originalText()).isEmpty();
        assertThat(ring.event(102).matchFields().originalText()).isEqualTo("words of 2");
        assertThat(ring.event(104).event().embedded()).containsExactly(3L);
        assertThat(ring.bytes()).isLessThan(before);

        ring.add(event(Event.Kind.DELETE, 106, 5));
        ring.add(event(Event.Kind.DELETE, 107, 3));
        assertThat(read(100)).containsExactly("102 s62", "105 d1", "106 d5", "107 d3");
    }

    @Test
    void aStatusThatMatchedByRemovedWordsIsNotSentAnyMore() {
        ring.add(quote(101, 5, 1));
        StreamFilter original = new StreamFilter() {
            @Override
            public boolean wants(StreamEvent event) {
                return event.matchFields().originalText().contains("words");
            }

            @Override
            public boolean wantsRedacted(StreamEvent event) {
                return wants(event);
            }
        };
        assertThat(ring.frame(101, original, Dialect.NATIVE)).isNotNull();

        ring.add(event(Event.Kind.DELETE, 102, 1));

        assertThat(ring.frame(101, original, Dialect.NATIVE)).isNull();
        assertThat(ring.frame(101, ALL, Dialect.NATIVE)).isNotNull();
        assertThat(ring.after(100, END, original, Dialect.NATIVE, null, 1000).events())
                .isZero();
    }

    @Test
    void anEventThatCannotBeRedactedIsNotSent() {
        Event quote = quote(101, 5, 1).event();
        ring.add(new LoggedEvent(EPOCH, 101, 0, quote.withBody("{not JSON")));

        ring.add(event(Event.Kind.DELETE, 102, 1));

        assertThat(read(100)).containsExactly("102 d1");
    }

    @Test
    void numbersLeftOutAreDeletedEvents() {
        ring.add(status(104, 4));
        ring.skipTo(106);

        assertThat(ring.first()).isEqualTo(101);
        assertThat(ring.tip()).isEqualTo(106);
        assertThat(read(100)).containsExactly("104 s4");
        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 1000).upTo()).isEqualTo(106);
    }

    @Test
    void keepsTheNewest() {
        for (int i = 1; i <= 25; i++) {
            ring.add(status(100 + i, i));
        }

        assertThat(ring.first()).isEqualTo(116);
        assertThat(read(115)).hasSize(10).startsWith("116 s16").endsWith("125 s25");
    }

    @Test
    void givesAboutTheRequestedBytesButOneEventAtLeast() {
        ring.add(status(101, 1));
        ring.add(status(102, 2));
        ring.add(status(103, 3));
        int one = Dialect.NATIVE.event(status(101, 1)).length();

        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 1).upTo()).isEqualTo(101);
        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 2 * one).upTo())
                .isEqualTo(102);
        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 3 * one - 1).upTo())
                .isEqualTo(102);
        assertThat(ring.after(100, END, ALL, Dialect.NATIVE, null, 3 * one).upTo())
                .isEqualTo(103);
    }

    @Test
    void unwantedEventsAreSkipped() {
        ring.add(status(101, 1));
        EventRing.Slice slice = ring.after(100, END, event -> false, Dialect.NATIVE, null, 1000);

        assertThat(slice.bytes()).isNull();
        assertThat(slice.upTo()).isEqualTo(101);
        assertThat(ring.after(100, END, ALL, Dialect.MASTODON, null, 1000)
                        .bytes()
                        .toString())
                .isEqualTo("event: update\ndata: {\"n\":1}\n\n");
    }

    @Test
    void connectionsAtOnePlaceShareTheirBytesUntilSomethingComes() {
        ring.add(status(101, 1));
        ring.add(status(102, 2));
        Buffer first = ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000)
                .bytes();

        assertThat(ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000)
                        .bytes())
                .isSameAs(first);
        ring.add(event(Event.Kind.DELETE, 103, 1));
        assertThat(ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000)
                        .bytes()
                        .toString())
                .doesNotContain("s1")
                .contains("-102\n", "-103\n");
    }

    @Test
    void connectionsAtOnePlaceShareOneCompressedBlock() {
        addStatuses(101, 110);
        assertThat(compressed(100)).isSameAs(compressed(100));
        addStatuses(111, 114);
        GzipBlock next = compressed(110);
        assertThat(compressed(110)).isSameAs(next);

        assertThat(unpacked(next)).isEqualTo(plain(110));
        assertThat(next.bytes().length()).isLessThan(plain(110).length() / 2);
    }

    /** A block for each place would take the processor from everybody. */
    @Test
    void aConnectionBehindTheOthersGetsEventsThatAreCompressedOnceForAllOfThem() {
        addStatuses(101, 105);
        assertThat(unpacked(compressed(100))).isEqualTo(plain(100));
        ring.add(status(106, 106));
        GzipBlock single = compressed(105);

        for (int cursor = 100; cursor < 105; cursor++) {
            GzipBlock behind = compressed(cursor);
            assertThat(unpacked(behind)).isEqualTo(plain(cursor));
            Buffer end = behind.bytes()
                    .slice(
                            behind.bytes().length() - single.bytes().length(),
                            behind.bytes().length());
            assertThat(end).isEqualTo(single.bytes());
        }
        ring.add(status(107, 107));
        assertThat(unpacked(compressed(106))).isEqualTo(plain(106));
    }

    /**
     * Each kind of stream puts an event into one shared block at most. The block of the event alone is the same for all
     * kinds of a dialect.
     */
    @Test
    void noKindOfStreamCompressesAnEventMoreThanTwiceWhereverItsStreamsStand() {
        Random random = seeded();
        EventRing large = new EventRing(200, 1 << 20, new Documents(1));
        large.restart(EPOCH, 0);
        List<StreamFilter> kinds = List.of(FirehoseFilter.WHOLE, new PublicTimeline(), FirehoseFilter.of(Sample.ALL));
        List<Dialect> dialects = List.of(Dialect.NATIVE, Dialect.MASTODON, Dialect.LINES);
        // The cursors of 300 streams of each kind and dialect.
        long[][] cursors = new long[kinds.size() * dialects.size()][300];
        Map<String, Integer> inShared = new HashMap<>();
        Map<String, Integer> compressions = new HashMap<>();
        long tip = 0;
        int shared = 0;
        for (int turn = 0; turn < 600; turn++) {
            for (int burst = random.nextInt(6); burst > 0; burst--) {
                tip++;
                boolean isDelete = random.nextInt(20) == 0 && tip > 20;
                LoggedEvent added =
                        isDelete ? event(Event.Kind.DELETE, tip, random.nextLong(tip - 20, tip)) : status(tip, tip);
                large.add(added.withBody("{\"n\":" + tip + "}"));
            }
            for (int i = 0; i < 40; i++) {
                int at = random.nextInt(cursors.length);
                StreamFilter kind = kinds.get(at / dialects.size());
                Dialect dialect = dialects.get(at % dialects.size());
                int stream = random.nextInt(cursors[at].length);
                // Most are quick; the others come when they can.
                stream = random.nextInt(4) == 0 ? stream : stream % 10;
                long cursor = Math.max(cursors[at][stream], large.first() - 1);
                long last = random.nextInt(10) == 0 ? random.nextLong(cursor, tip + 1) : END;
                CountingDeflater counting = new CountingDeflater();
                cursors[at][stream] = large.after(cursor, last, kind, dialect, counting, random.nextInt(1, 2000))
                        .upTo();
                counting.close();
                for (List<String> block : counting.blocks) {
                    shared += block.size() > 1 ? 1 : 0;
                    for (String event : block) {
                        compressions.merge(dialect + " " + event, 1, Integer::sum);
                        if (block.size() > 1) {
                            inShared.merge(at + " " + event, 1, Integer::sum);
                        }
                    }
                }
            }
        }

        assertThat(shared).isGreaterThan(200);
        assertThat(inShared.values()).allMatch(count -> count == 1);
        assertThat(compressions.values()).allMatch(count -> count <= kinds.size() + 1);
        assertThat(compressions).containsValue(kinds.size() + 1);
    }

    /** Keeps the events of each text that it compresses. */
    private static final class CountingDeflater extends BlockDeflater {
        private static final Pattern EVENT = Pattern.compile("\\{\"n\":\\d+}");

        private final List<List<String>> blocks = new ArrayList<>();

        @Override
        public GzipBlock deflate(Buffer text) {
            blocks.add(EVENT.matcher(text.toString())
                    .results()
                    .map(MatchResult::group)
                    .toList());
            return super.deflate(text);
        }
    }

    @Test
    void connectionsOfEveryDialectShareTheBlocksOfTheirOwn() {
        addStatuses(101, 110);
        Map<Dialect, GzipBlock> blocks = new EnumMap<>(Dialect.class);
        for (Dialect dialect : Dialect.values()) {
            blocks.put(dialect, compressed(100, dialect));
        }

        for (Dialect dialect : Dialect.values()) {
            assertThat(compressed(100, dialect)).isSameAs(blocks.get(dialect));
        }
    }

    @Test
    void anEventMadeForOneConnectionIsNotCompressed() {
        ring.add(status(101, 1));
        StreamFilter own = new StreamFilter() {
            @Override
            public boolean wants(StreamEvent event) {
                return true;
            }

            @Override
            public LoggedEvent replacement(StreamEvent event) {
                return event.logged().withBody("{\"n\":\"" + "secret ".repeat(50) + "\"}");
            }
        };

        Buffer bytes = ring.after(100, END, own, Dialect.NATIVE, deflater, 1000)
                .block()
                .bytes();

        assertThat(bytes.toString()).contains("secret ".repeat(50));
    }

    @Test
    void givesNothingBehindWhereItIsToEndAlsoWhenOthersGetMore() {
        ring.add(status(101, 1));
        ring.add(status(102, 2));
        EventRing.Slice whole = ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000);
        EventRing.Slice part = ring.after(100, 101, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000);
        assertThat(part.upTo()).isEqualTo(101);
        assertThat(part.bytes().toString()).contains("-101\n").doesNotContain("-102\n");
        assertThat(ring.after(100, 102, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000))
                .isSameAs(whole);
        assertThat(ring.after(100, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000))
                .isSameAs(whole);
        assertThat(ring.after(101, 100, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1000)
                        .upTo())
                .isEqualTo(101);
    }

    @Test
    void refusesWhatDoesNotFollow() {
        ring.add(status(101, 1));

        assertThatThrownBy(() -> ring.add(status(101, 2))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ring.add(
                        new LoggedEvent("00000000", 102, 0, status(1, 1).event())))
                .isInstanceOf(IllegalStateException.class);
    }

    @Tag("slow")
    @Test
    void agreesWithAPlainMap() {
        Random random = seeded();
        TreeMap<Long, String> model = new TreeMap<>();
        // What is behind a blank is shown.
        UnaryOperator<String> received = entry -> entry.replaceAll("(s\\d+) ", "$1");
        long tip = 100;
        for (int i = 0; i < 5000; i++) {
            switch (random.nextInt(10)) {
                case 0 -> {
                    tip += random.nextInt(random.nextInt(20) == 0 ? 30 : 3);
                    ring.skipTo(tip);
                }
                case 1, 2 -> {
                    tip += 1 + (random.nextInt(9) == 0 ? 2 : 0);
                    long victim = random.nextLong(Math.max(1, tip - 15), tip);
                    ring.add(event(Event.Kind.DELETE, tip, victim));
                    model.computeIfPresent(victim, (seq, entry) -> entry.contains(" s") ? null : entry);
                    model.replaceAll((seq, entry) -> entry.replaceAll("(s\\d+) " + victim + "$", "$1"));
                    model.values().removeIf(entry -> entry.endsWith("n" + victim));
                    model.put(tip, tip + " d" + victim);
                }
                case 3, 4 -> {
                    tip++;
                    long shown = random.nextLong(Math.max(1, tip - 15), tip);
                    ring.add(quote(tip, tip, shown));
                    model.put(tip, tip + " s" + tip + " " + shown);
                }
                case 5 -> {
                    tip++;
                    long about = random.nextLong(Math.max(1, tip - 15), tip);
                    ring.add(notification(tip, about, about));
                    model.put(tip, tip + " n" + about);
                }
                default -> {
                    tip++;
                    ring.add(status(tip, tip));
                    model.put(tip, tip + " s" + tip);
                }
            }
            long cursor = random.nextLong(ring.first() - 1, tip + 1);
            assertThat(ring.tip()).isEqualTo(tip);
            if (compressed(cursor) != null) {
                assertThat(unpacked(compressed(cursor))).isEqualTo(plain(cursor));
            }
            assertThat(read(cursor))
                    .containsExactlyElementsOf(model.tailMap(cursor, false).values().stream()
                            .map(received)
                            .toList());
        }
    }

    private static Random seeded() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        return new Random(seed);
    }

    /** Seq, letter and subject of what a native stream gets. */
    private List<String> read(long cursor) {
        List<String> received = new ArrayList<>();
        long at = cursor;
        while (at < ring.tip()) {
            EventRing.Slice slice = ring.after(at, END, ALL, Dialect.NATIVE, null, 200);
            if (slice.bytes() != null) {
                for (SseClient.Message message :
                        SseClient.Parser.parse(slice.bytes().toString()).messages) {
                    String n = message.data().replaceAll("\\D", "");
                    received.add(
                            message.id().substring(9) + " " + message.event().charAt(0) + n);
                }
            }
            at = slice.upTo();
        }
        return received;
    }

    private void addStatuses(long first, long last) {
        for (long seq = first; seq <= last; seq++) {
            ring.add(status(seq, seq));
        }
    }

    private GzipBlock compressed(long cursor) {
        return compressed(cursor, Dialect.NATIVE);
    }

    private GzipBlock compressed(long cursor, Dialect dialect) {
        return ring.after(cursor, END, FirehoseFilter.WHOLE, dialect, deflater, 10_000)
                .block();
    }

    private String plain(long cursor) {
        return ring.after(cursor, END, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 10_000)
                .bytes()
                .toString();
    }

    private static String unpacked(GzipBlock block) {
        StringBuilder text = new StringBuilder();
        byte[] bytes = block.asFirst().getBytes();
        new Gunzip()
                .take(bytes, 0, bytes.length, (out, from, to) -> text.append(new String(out, from, to - from, UTF_8)));
        return text.toString();
    }

    private static LoggedEvent status(long seq, long subject) {
        return event(Event.Kind.STATUS, seq, subject);
    }

    /** A quote, which shows words of another author. */
    private static LoggedEvent quote(long seq, long subject, long shown) {
        MatchFields about = new MatchFields(
                Post.Kind.POST, List.of(shown), "", 9, "words of " + shown, 0, 0, List.of(), List.of(), null, null);
        String body = "{\"n\":" + subject + ",\"quote\":{\"state\":\"accepted\",\"quoted_status\":{\"id\":\"" + shown
                + "\"}}}";
        return new LoggedEvent(
                EPOCH, seq, 0, new Event(Event.Kind.STATUS, subject, 8, 0, Visibility.PUBLIC, about.encode(), body));
    }

    private static LoggedEvent notification(long seq, long n, long... shown) {
        String body = "{\"n\":" + n + "}";
        return new LoggedEvent(
                EPOCH,
                seq,
                0,
                new Event(
                        Event.Kind.NOTIFICATION,
                        seq,
                        8,
                        9,
                        Visibility.PRIVATE,
                        Event.match(LongStream.of(shown).boxed().toList()),
                        body));
    }

    private static LoggedEvent event(Event.Kind kind, long seq, long subject) {
        return new LoggedEvent(
                EPOCH, seq, 0, new Event(kind, subject, 8, 0, Visibility.PUBLIC, "{\"n\":" + subject + "}"));
    }
}
