package io.fanfare.stream.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.FirehoseFilter;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Pages of the log are read once for all, a few at a time, and tell nothing that has been deleted. The subject of each
 * event is its seq.
 */
class ReplayPagesTest {
    private static final String EPOCH = "5f3a9c01";

    private final List<Promise<Reply>> reads = new ArrayList<>();
    private boolean away;
    private final StreamCounters counters = new StreamCounters();
    private final ReplayPages replay = new ReplayPages(
            new EventLog(new Answers(), new Random(1), SettingsLoader.defaultsWith().stream()),
            new Documents(1),
            counters,
            () -> {});

    private final class Answers implements Redis {
        @Override
        public Future<Reply> send(Command command) {
            if (away) {
                return Future.failedFuture("away");
            }
            reads.add(Promise.promise());
            return reads.get(reads.size() - 1).future();
        }

        @Override
        public Future<List<Reply>> pipeline(List<Command> commands) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Reader implements ReplayPages.Reader {
        private final long cursor;
        String received;
        boolean unread;
        boolean broken;

        Reader(long cursor) {
            this.cursor = cursor;
        }

        @Override
        public void take(ReplayPages.Page page) {
            Buffer bytes = page.events()
                    .after(cursor, Long.MAX_VALUE, FirehoseFilter.WHOLE, Dialect.NATIVE, null, 1 << 20)
                    .bytes();
            received = bytes == null ? "" : bytes.toString();
        }

        @Override
        public void broken() {
            broken = true;
        }

        @Override
        public void unread() {
            unread = true;
        }

        List<Long> seqs() {
            return received.lines()
                    .filter(line -> line.startsWith("id: "))
                    .map(line -> Long.parseLong(line.substring(line.indexOf('-') + 1)))
                    .toList();
        }
    }

    @Test
    void streamsThatWantTheSameEventsShareOneReading() {
        Reader one = reader(100);
        Reader two = reader(120);
        assertThat(reads).hasSize(1);

        answer(0, 1000, 1, 101, 150);
        assertThat(one.received).as("before its turn").isNull();
        replay.handOut(1, () -> false);
        assertThat(two.received).as("before its turn").isNull();
        replay.handOut(1, () -> false);
        assertThat(one.seqs()).containsExactlyElementsOf(range(101, 150));
        assertThat(two.seqs()).containsExactlyElementsOf(range(121, 150));

        Reader late = reader(100);
        replay.handOut(1, () -> false);
        assertThat(late.received).isEqualTo(one.received);
        assertThat(reads).hasSize(1);
        assertThat(counters.replays).isEqualTo(1);
    }

    /** As it would be if the log gave numbers out of order. */
    @Test
    void aFailedPageReachesItsReadersAndHoldsUpNoOther() {
        Reader one = reader(100);
        Reader two = reader(120);
        Reader other = reader(200);
        answer(
                0,
                items(text(EPOCH), text("1000"), text("1"), items(batchOfOne(110), batchOfOne(105)), new Reply.Int(0)));
        assertThat(one.broken && two.broken).isTrue();
        assertThat(other.broken).isFalse();
        answer(1, 1000, 1, 201, 250);
        replay.handOut(1, () -> false);
        assertThat(other.seqs()).hasSize(50);

        Reader again = reader(100);
        answer(2, 1000, 1, 101, 150);
        replay.handOut(1, () -> false);
        assertThat(again.seqs()).hasSize(50);
    }

    @Test
    void aDeletedStatusIsNotSentWhetherItsPageIsRequestedArrivedOrKept() {
        Reader one = reader(100);
        receive(Event.Kind.DELETE, 110);
        answer(0, 1000, 1, 101, 150);
        receive(Event.Kind.DELETE, 111);
        replay.handOut(1, () -> false);
        assertThat(one.seqs()).contains(109L, 112L).doesNotContain(110L, 111L);

        receive(Event.Kind.DELETE, 112);
        receive(Event.Kind.FOLLOW, 113);
        Reader two = reader(100);
        replay.handOut(1, () -> false);
        assertThat(two.seqs()).contains(109L, 113L).doesNotContain(110L, 111L, 112L);
        assertThat(reads).hasSize(1);
    }

    @Test
    void aQuoteOfADeletedStatusIsSentWithoutItWhetherItsPageIsRequestedArrivedOrKept() {
        Reader one = reader(100);
        receive(Event.Kind.DELETE, 1110);
        answer(0, 1000, 1, 101, 150, ReplayPagesTest::quote);
        // The log does not know of the delete yet.
        answer(1, items(text(EPOCH), new Reply.Items(Collections.nCopies(50, new Reply.Int(1)))));
        receive(Event.Kind.DELETE, 1111);
        replay.handOut(1, () -> false);
        assertThat(one.seqs()).hasSize(50);
        assertThat(one.received).contains("words of 1109").doesNotContain("words of 1110", "words of 1111");

        receive(Event.Kind.DELETE, 1112);
        Reader two = reader(100);
        replay.handOut(1, () -> false);
        assertThat(two.seqs()).hasSize(50);
        assertThat(two.received)
                .contains("words of 1109", "words of 1113")
                .doesNotContain("words of 1110", "words of 1111", "words of 1112");
        assertThat(reads).hasSize(2);
    }

    /** A quote of the status whose number is a thousand more. */
    private static String quote(long seq) {
        long shown = seq + 1000;
        return "s|" + seq + "|1|0|public|{\"o\":[" + shown + "],\"t\":\"\",\"ou\":2,\"ot\":\"words of " + shown
                + "\"}\t{\"quote\":{\"state\":\"accepted\",\"quoted_status\":{\"id\":\"" + shown
                + "\",\"content\":\"words of " + shown + "\"}}}";
    }

    @Test
    void onlyWhatIsWholeIsKept() {
        Reader atTheTip = reader(100);
        answer(0, 120, 1, 101, 120);
        Reader atTheFloor = reader(200);
        answer(1, 1000, 205, 205, 254);
        replay.handOut(2, () -> false);
        assertThat(atTheTip.seqs()).containsExactlyElementsOf(range(101, 120));
        assertThat(atTheFloor.seqs()).containsExactlyElementsOf(range(205, 250));

        for (long cursor : new long[] {100, 200}) {
            int before = reads.size();
            Reader next = reader(cursor);
            assertThat(reads).as("asked again after %d", cursor).hasSize(before + 1);
            assertThat(next.received).isNull();
        }
    }

    @Test
    void pagesReadBeforeALossOfEventsAreReadAgain() {
        Reader first = reader(100);
        answer(0, 1000, 1, 101, 150);
        replay.handOut(1, () -> false);
        Reader kept = reader(100);
        Reader arrived = reader(200);
        answer(1, 1000, 1, 201, 250);
        Reader onTheWay = reader(300);
        Reader away = reader(400);

        replay.forget();
        assertThat(replay.hasArrived()).isFalse();
        answer(2, 1000, 1, 301, 350);
        reads.get(3).fail("away");
        replay.handOut(4, () -> false);
        assertThat(first.seqs()).hasSize(50);
        assertThat(List.of(kept, arrived, onTheWay, away)).allMatch(reader -> reader.received == null);
        assertThat(away.unread).isTrue();

        assertThat(reads).hasSize(7);
        for (long deleted : new long[] {149, 249, 349}) {
            receive(Event.Kind.DELETE, deleted);
        }
        answer(4, 1000, 1, 101, 150);
        answer(5, 1000, 1, 201, 250);
        answer(6, 1000, 1, 301, 350);
        replay.handOut(3, () -> false);
        assertThat(List.of(kept, arrived, onTheWay))
                .allMatch(reader -> reader.seqs().size() == 49);
    }

    @Test
    void keptPagesAreBounded() {
        int pages = 2000;
        for (long page = 1; page <= pages; page++) {
            Reader reader = reader(page * 50);
            answer((int) page - 1, 1_000_000, 1, page * 50 + 1, page * 50 + 50);
            replay.handOut(1, () -> false);
            assertThat(reader.seqs()).hasSize(50);
        }
        Reader newest = reader(pages * 50L);
        Reader oldest = reader(50);
        replay.handOut(1, () -> false);
        assertThat(newest.seqs()).hasSize(50);
        assertThat(oldest.received).isNull();
        assertThat(reads).hasSize(pages + 1);
    }

    /**
     * Found by the stream oracle: the first failure went down into the second and so on, and the streams that waited
     * never heard anything again.
     */
    @Test
    void anyNumberOfReadersFailWhenRedisGoes() {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            readers.add(reader(i * 50L));
        }
        assertThat(reads).hasSizeLessThan(100);

        away = true;
        List.copyOf(reads).forEach(question -> question.fail("away"));
        assertThat(readers).allMatch(reader -> reader.unread);

        away = false;
        int before = reads.size();
        Reader next = reader(1);
        assertThat(next.unread).isFalse();
        assertThat(reads).hasSize(before + 1);
    }

    @Test
    void howeverManySearchThereIsRoomForStreamsThatGoOn() {
        List<Reader> searches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            searches.add(new Reader(i * 50L));
            replay.search(i * 50L, searches.get(i));
        }
        assertThat(reads).hasSize(4);
        Reader goesOn = reader(50_000);
        assertThat(reads).hasSize(5);
        answer(4, 100_000, 1, 50_001, 50_050);
        replay.handOut(1, () -> false);
        assertThat(goesOn.seqs()).hasSize(50);

        for (int i = 0; i < 100; i++) {
            int question = i < 4 ? i : i + 1;
            assertThat(reads).hasSize(Math.min(101, i + 5));
            answer(question, 100_000, 1, i * 50L + 1, i * 50L + 50);
            replay.handOut(1, () -> false);
        }
        assertThat(searches).allMatch(search -> search.seqs().size() == 50);
    }

    @Test
    void anyNumberOfSearchesFailWhenRedisGoes() {
        List<Reader> searches = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            searches.add(new Reader(i * 50L));
            replay.search(i * 50L, searches.get(i));
        }
        away = true;
        List.copyOf(reads).forEach(question -> question.fail("away"));
        assertThat(searches).allMatch(search -> search.unread);
    }

    private Reader reader(long cursor) {
        Reader reader = new Reader(cursor);
        replay.ask(cursor, reader);
        return reader;
    }

    private void receive(Event.Kind kind, long subject) {
        replay.receive(new Event(kind, subject, 1, 2, Visibility.PUBLIC, "{}"));
    }

    private void answer(int question, long tip, long floor, long first, long last) {
        answer(question, tip, floor, first, last, seq -> "s|" + seq + "|1|0|public|{}");
    }

    private void answer(int question, long tip, long floor, long first, long last, LongFunction<String> line) {
        // Batches of ten, so that pages begin and end within some.
        List<Reply> batches = new ArrayList<>();
        for (long from = first; from <= last; from += 10) {
            long to = Math.min(from + 9, last);
            String lines = LongStream.rangeClosed(from, to).mapToObj(line).collect(Collectors.joining("\n"));
            batches.add(items(
                    text(Long.toString(to)), text("1795251986123"), text(Long.toString(to - from + 1)), text(lines)));
        }
        answer(
                question,
                items(
                        text(EPOCH),
                        text(Long.toString(tip)),
                        text(Long.toString(floor)),
                        new Reply.Items(batches),
                        new Reply.Int(0)));
    }

    private void answer(int question, Reply reply) {
        // Without its reply, which takes more memory than all that is kept.
        reads.set(question, Promise.promise()).complete(reply);
    }

    private static Reply batchOfOne(long seq) {
        String line = "s|" + seq + "|1|0|public|{}";
        return items(text(Long.toString(seq)), text("1795251986123"), text("1"), text(line));
    }

    private static Reply items(Reply... items) {
        return new Reply.Items(List.of(items));
    }

    private static Reply text(String text) {
        return new Reply.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
