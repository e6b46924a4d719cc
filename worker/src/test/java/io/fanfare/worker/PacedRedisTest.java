package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacedRedisTest {
    private final List<List<Command>> sent = new ArrayList<>();
    private final List<Promise<List<Reply>>> open = new ArrayList<>();
    private final Deque<Runnable> timers = new ArrayDeque<>();
    private boolean urgent;
    private final PacedRedis paced = new PacedRedis(
            new Redis() {
                @Override
                public Future<Reply> send(Command command) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Future<List<Reply>> pipeline(List<Command> commands) {
                    Promise<List<Reply>> promise = Promise.promise();
                    sent.add(commands);
                    open.add(promise);
                    return promise.future();
                }
            },
            () -> urgent,
            millis -> {
                Promise<Void> end = Promise.promise();
                timers.add(end::complete);
                return end.future();
            });

    @Test
    void aShortPipelineIsSentAtOnceBesideALongOne() {
        Future<List<Reply>> pages = paced.pipeline(commands(10 * PacedRedis.PART));
        Future<List<Reply>> few = paced.pipeline(commands(3));

        assertThat(sent).extracting(List::size).containsExactly(PacedRedis.PART, 3);
        answer(1);
        assertThat(few.result()).hasSize(3);
        assertThat(pages.isComplete()).isFalse();
    }

    @Test
    void aLongPipelineGoesInPartsOneAfterTheOtherAndItsRepliesKeepTheirOrder() {
        List<Command> commands = commands(4 * PacedRedis.PART + 1);
        Future<List<Reply>> all = paced.pipeline(commands);
        for (int part = 0; part < 5; part++) {
            assertThat(sent).hasSize(part + 1);
            answer(part);
        }

        assertThat(sent.stream().flatMap(List::stream)).containsExactlyElementsOf(commands);
        assertThat(all.result()).extracting(Reply::asLong).isSorted().hasSize(commands.size());
    }

    @Test
    void commandsThatNameManyKeysFillAPartSooner() {
        String[] others = IntStream.range(1, PacedRedis.PART / 2)
                .mapToObj(Integer::toString)
                .toArray(String[]::new);
        List<Command> commands = IntStream.range(0, 5)
                .mapToObj(i -> Command.of("DEL", Integer.toString(i), (Object[]) others))
                .toList();
        Future<List<Reply>> all = paced.pipeline(commands);
        for (int part = 0; part < 3; part++) {
            assertThat(sent).hasSize(part + 1);
            answer(part);
        }

        assertThat(sent).extracting(List::size).containsExactly(2, 2, 1);
        assertThat(all.result()).hasSize(5);
    }

    @Test
    void callsOfScriptsFillAPartSoonerThanPushes() {
        Script takeOut = Script.load("home_take_out");
        List<Command> commands = IntStream.range(0, PacedRedis.PART)
                .mapToObj(i -> takeOut.call(List.of(Integer.toString(i)), i))
                .toList();
        Future<List<Reply>> all = paced.pipeline(commands);
        for (int part = 0; !all.isComplete(); part++) {
            // Each call has a fence besides its key.
            assertThat(sent.get(part)).hasSizeLessThanOrEqualTo(PacedRedis.PART / (2 * PacedRedis.SCRIPT_WEIGHT));
            answer(part);
        }

        assertThat(all.result()).hasSize(PacedRedis.PART);
    }

    @Test
    void aPartThatFailsHoldsUpNoOther() {
        Future<List<Reply>> failing = paced.pipeline(commands(PacedRedis.PART + 1));
        Future<List<Reply>> other = paced.pipeline(commands(2 * PacedRedis.PART));
        open.get(0).fail("gone");
        for (int i = 1; i < 4; i++) {
            answer(i);
        }

        assertThat(failing.failed()).isTrue();
        assertThat(other.result()).hasSize(2 * PacedRedis.PART);
    }

    @Test
    void whileUrgentWorkRunsEachPartWaitsOnceAndWhatIsShortDoesNot() {
        urgent = true;
        Future<List<Reply>> page = paced.pipeline(commands(3 * PacedRedis.PART));
        Future<List<Reply>> few = paced.pipeline(commands(3));
        assertThat(sent).extracting(List::size).containsExactly(3);

        timers.remove().run();
        assertThat(sent).as("one part for one wait").hasSize(2);
        answer(1);
        assertThat(sent).hasSize(2);
        timers.remove().run();
        assertThat(sent).hasSize(3);

        urgent = false;
        answer(2);
        assertThat(sent).hasSize(4);
        assertThat(timers).isEmpty();
        answer(3);
        answer(0);
        assertThat(page.result()).hasSize(3 * PacedRedis.PART);
        assertThat(few.result()).hasSize(3);
    }

    /** Each command is answered by its own number. */
    private void answer(int part) {
        open.get(part)
                .complete(sent.get(part).stream()
                        .map(command -> (Reply) new Reply.Int(Long.parseLong(command.key())))
                        .toList());
    }

    private static List<Command> commands(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Command.of("GET", Integer.toString(i)))
                .toList();
    }
}
