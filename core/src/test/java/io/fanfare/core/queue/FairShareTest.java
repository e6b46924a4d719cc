package io.fanfare.core.queue;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Shards;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** How a claim chooses between the authors of a lane. */
@ParameterizedClass
@KindsOfRedis
class FairShareTest {
    private static final int SHARD = 2;
    private static final int MAX = 16;

    /** Jobs that a claim looks through. */
    private static final int LOOKED_AT = 16 * MAX;

    private static final String FLOODER = "7";
    private static final Vertx VERTX = Vertx.vertx();
    private static final Settings.Queue SETTINGS = SettingsLoader.defaultsWith().queue();

    private final TestRedis redis;
    private final QueueState state;
    private RedisLink link;
    private JobQueue queue;
    private int batches;

    FairShareTest(TestRedis.Kind kind) {
        redis = kind.redis();
        state = new QueueState(redis, SHARD);
    }

    @BeforeEach
    void open() {
        redis.flush();
        link = redis.link(VERTX);
        queue = new JobQueue(link, new Shards(4), SETTINGS, () -> 1000);
    }

    @AfterEach
    void close() {
        await(link.close());
    }

    @AfterAll
    static void end() {
        await(VERTX.close());
    }

    @Test
    void jobsBehindAFloodAreClaimedOnceTheFloodHasBeenScanned() {
        int flood = 5000;
        state.give("high", of(FLOODER, flood));
        state.give("high", of("8", 3));
        state.give("high", of("9", 1));

        assertThat(claimsUntil(this::high, "8")).isLessThanOrEqualTo(flood / LOOKED_AT + 1);
        assertThat(state.list("high"))
                .as("all that was there has been looked at")
                .isEmpty();
        assertThat(state.list("normal"))
                .as("the flood waits behind, in its order")
                .isSortedAccordingTo((a, b) -> Integer.compare(number(a), number(b)))
                .allMatch(line -> author(line).equals(FLOODER));
    }

    @Test
    void theSameHoldsForEachLaneByItself() {
        for (String lane : List.of("normal", "low")) {
            state.give(lane, of(FLOODER, 600));
            state.give(lane, of("8", 1));
            // A batch has a quarter of 16, and a sixteenth of 64.
            Function<String, Batch> claim = lane.equals("low") ? name -> any(name, 64) : name -> any(name, MAX);
            int claims = claimsUntil(claim, "8");
            assertThat(claims).as(lane).isLessThan(600 / 64 + 2);
            redis.flush();
        }
    }

    @Test
    void aBatchHasAShareOfEachAuthorAndIsFull() {
        state.give("high", of(FLOODER, 30));
        state.give("high", of("8", 6));
        state.give("high", of("9", 20));

        List<String> authors = authors(high("w.1"));
        assertThat(authors)
                .filteredOn(FLOODER::equals)
                .as("the rest is filled up")
                .hasSize(8);
        assertThat(authors).filteredOn("8"::equals).hasSize(4);
        assertThat(authors).filteredOn("9"::equals).hasSize(4);
    }

    @Test
    void aFloodWithNobodyBesideItHasWholeBatches() {
        state.give("high", of(FLOODER, 400));

        assertThat(high("w.1").jobs()).hasSize(MAX);
        assertThat(high("w.2").jobs()).hasSize(MAX);
    }

    @Test
    void jobsOfManyAuthorsAreTakenInTheirOrder() {
        String[] jobs = IntStream.range(0, 64)
                .mapToObj(i -> "0 0 1 fan_out.1 " + (100 + i % 8) + " " + i + " 0")
                .toArray(String[]::new);
        state.give("high", jobs);

        for (int i = 0; i < 4; i++) {
            assertThat(high("w." + i).jobs())
                    .extracting(ClaimedJob::line)
                    .containsExactly(List.of(jobs).subList(16 * i, 16 * i + 16).toArray(String[]::new));
        }
        assertThat(state.list("normal")).isEmpty();
    }

    @Test
    void aPausedNormalLaneIsGivenNothing() {
        await(queue.lanePause().set(Lane.NORMAL, true));
        state.give("high", of(FLOODER, 600));
        state.give("high", of("8", 1));

        assertThat(claimsUntil(this::high, "8")).isLessThanOrEqualTo(600 / LOOKED_AT + 1);
        assertThat(state.list("normal")).isEmpty();
    }

    @Test
    void notMoreThanACertainNumberGoesAside() {
        state.give("normal", of("5", 10_000));
        state.give("high", of(FLOODER, 600));

        high("w.1");

        assertThat(state.list("normal")).hasSize(10_000);
        assertThat(state.list("high")).hasSize(600 - MAX);
    }

    @Test
    void theLowLaneWaitsWhileTheHighOneIsFarBehind() {
        for (boolean old : List.of(true, false)) {
            // The clock says 20 s.
            String enqueued = old ? "10000" : "19000";
            int depth = old ? 200 : 10_000 + 8 * MAX;
            state.give(
                    "high",
                    IntStream.range(0, depth)
                            .mapToObj(i -> "0 0 " + enqueued + " fan_out.1 " + i + " 1 0")
                            .toArray(String[]::new));
            state.give("low", "0 0 19999 deliver.1 5 1 0");
            JobQueue later = new JobQueue(link, new Shards(4), SETTINGS, () -> 20_000);
            // Every eighth claim begins with the low lane.
            for (int i = 0; i < 8; i++) {
                assertThat(await(later.fetch(SHARD, "o." + batches++, MAX, false))
                                .lane())
                        .isEqualTo(Lane.HIGH);
            }
            await(queue.lanePause().set(Lane.HIGH, true));
            assertThat(await(later.fetch(SHARD, "o." + batches++, MAX, false)).lane())
                    .as("what is paused keeps nothing waiting")
                    .isEqualTo(Lane.LOW);
            redis.flush();
        }
    }

    @Test
    void aReleasedBatchIsWhereItWasAndTheFloodStaysBehind() {
        state.give("high", of(FLOODER, 100));
        state.give("high", of("8", 20));
        Batch batch = high("w.1");
        int normal = state.list("normal").size();

        await(queue.release(batch));

        assertThat(state.list("high"))
                .startsWith(batch.jobs().stream().map(ClaimedJob::line).toArray(String[]::new));
        assertThat(state.list("normal")).hasSize(normal);
    }

    @Test
    void eachJobIsClaimedOnceWhateverTheAuthorsAndLanesAre() {
        for (long seed = 1; seed <= 3; seed++) {
            Random random = new Random(seed);
            List<String> jobs = new ArrayList<>();
            for (String lane : List.of("high", "normal", "low")) {
                int before = jobs.size();
                for (int i = 0; i < 400; i++) {
                    // One author has half of all, the others little.
                    String author = random.nextBoolean() ? FLOODER : Integer.toString(10 + random.nextInt(40));
                    jobs.add("0 0 1 fan_out.1 " + author + " " + jobs.size() + " 0");
                }
                state.give(lane, jobs.subList(before, jobs.size()).toArray(String[]::new));
            }
            List<String> claimed = new ArrayList<>();
            Batch batch = any("s." + batches++, MAX);
            while (!batch.isEmpty()) {
                batch.jobs().stream().map(ClaimedJob::line).forEach(claimed::add);
                batch = random.nextInt(4) == 0 ? high("s." + batches++) : any("s." + batches++, MAX);
                batch = batch.isEmpty() ? any("s." + batches++, MAX) : batch;
            }
            assertThat(claimed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(jobs);
            redis.flush();
        }
    }

    @CanIgnoreReturnValue
    private Batch high(String name) {
        return await(queue.fetchHigh(SHARD, name, MAX));
    }

    private Batch any(String name, int max) {
        return await(queue.fetch(SHARD, name, max, false));
    }

    /** How many claims it takes until this author's job is among them. */
    private int claimsUntil(Function<String, Batch> claim, String author) {
        for (int claims = 1; claims < 1000; claims++) {
            Batch batch = claim.apply("c." + batches++);
            assertThat(batch.jobs()).isNotEmpty();
            if (authors(batch).contains(author)) {
                return claims;
            }
        }
        throw new AssertionError("never claimed");
    }

    private static List<String> authors(Batch batch) {
        return batch.jobs().stream().map(job -> author(job.line())).toList();
    }

    private static String author(String line) {
        return line.split(" ", -1)[4];
    }

    private static int number(String line) {
        return Integer.parseInt(line.split(" ", -1)[5]);
    }

    private static String[] of(String author, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "0 0 1 fan_out.1 " + author + " " + i + " 0")
                .toArray(String[]::new);
    }
}
