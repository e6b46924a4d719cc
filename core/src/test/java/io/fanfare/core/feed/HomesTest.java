package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.IdRange;
import io.fanfare.core.post.Duplicate;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Each step of the protocol: a home, the step, and the home afterwards, element by element. */
@ParameterizedClass
@KindsOfRedis
class HomesTest {
    private static final long AUTHOR = 99;
    private static final long FULL_LIFE = 30 * 86_400;
    /** The entries of a home of 200 that are certain, whatever chance does to the few looks of a trim. */
    private static final int FULL_ENOUGH = 120;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long reader;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        reader = f.users(1)[0];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void creatingStartsAListWithAMark() {
        assertThat(create("t1")).isEqualTo("t1");
        assertThat(f.list(reader)).containsExactly("b0:t1");
        assertThat(life()).isBetween(FULL_LIFE - 10, FULL_LIFE);
    }

    @Test
    void creatingJoinsARebuildUnderWay() {
        f.arrangeHome(reader, "b7:t1", "8");
        assertThat(create("t2")).isEqualTo("t1");
        assertThat(f.list(reader)).containsExactly("b7:t1", "8");
    }

    @Test
    void creatingLeavesACompleteHomeAlone() {
        f.arrangeHome(reader, "f7", "8");
        assertThat(create("t1")).isEqualTo("complete");
        assertThat(f.list(reader)).containsExactly("f7", "8");
    }

    @Test
    void aCompleteHomeIsMarkedAgainWhileItsFloorIsTheOneThatWasSeen() {
        f.arrangeHome(reader, "f7/1", "8", "9");
        assertThat(recreate("t1", 6)).isEqualTo("another");
        assertThat(f.list(reader)).containsExactly("f7/1", "8", "9");
        assertThat(recreate("t1", 7)).isEqualTo("t1");
        assertThat(recreate("t2", 7)).as("joins").isEqualTo("t1");
        assertThat(f.list(reader)).containsExactly("b0:t1", "8", "9");
        merge("t1", List.of(9L, 6L, 5L), 4);
        assertThat(f.list(reader)).containsExactly("f4/4", "5", "6", "8", "9");
        assertThat(recreate("t3", 7)).isEqualTo("another");
        assertThat(f.number(Keys.homesBuilt(Id.shard(reader)), "GET", Keys.homesBuilt(Id.shard(reader))))
                .isEqualTo(1);
        assertTheLifeIsKept();
    }

    @Test
    void mergingCompletesTheHomeOfTheSameRebuild() {
        f.arrangeHome(reader, "b0:t1", "12", "11");
        merge("t1", List.of(11L, 10L, 9L), 8);
        assertThat(f.list(reader)).containsExactly("f8/4", "9", "10", "11", "12");
        assertTheLifeIsKept();
    }

    @Test
    void mergingKeepsTheNewestAndRaisesTheFloorToTheHighestDropped() {
        f.arrangeHome(reader, "b0:t1", "15");
        merge("t1", List.of(14L, 13L, 12L, 11L, 10L), 3);
        assertThat(f.list(reader)).containsExactly("f11/4", "12", "13", "14", "15");
    }

    @Test
    void mergingIgnoresWhatLiesAtOrBelowTheBound() {
        f.arrangeHome(reader, "b5:t1", "6", "20");
        merge("t1", List.of(11L, 8L), 8);
        assertThat(f.list(reader)).containsExactly("f8/2", "11", "20");
    }

    @Test
    void mergingIntoTheRebuildOfAnotherOnlyAddsIds() {
        f.arrangeHome(reader, "b0:t2", "12");
        merge("t1", List.of(11L, 9L), 8);
        assertThat(f.list(reader)).containsExactly("b0:t2", "9", "11", "12");
    }

    @Test
    void mergingIntoACompleteHomeOnlyAddsIds() {
        f.arrangeHome(reader, "f5", "12");
        merge("t1", List.of(11L, 9L), 8);
        assertThat(f.list(reader)).containsExactly("f5/3", "9", "11", "12");
    }

    @Test
    void mergingMakesNoHome() {
        merge("t1", List.of(11L), 8);
        assertThat(f.list(reader)).isEmpty();
    }

    @Test
    void pushingReachesOnlyHomesThatExist() {
        long[] readers = f.users(3);
        f.arrangeHome(readers[0], "f0");
        f.arrangeHome(readers[1], "b0:t1", "5");
        push(
                new Homes.Delivery(readers[0], List.of(7L, 8L)),
                new Homes.Delivery(readers[1], List.of(7L)),
                new Homes.Delivery(readers[2], List.of(7L)));
        assertThat(f.list(readers[0])).containsExactly("f0", "7", "8");
        assertThat(f.list(readers[1])).containsExactly("b0:t1", "5", "7");
        assertThat(f.list(readers[2])).isEmpty();
    }

    @Test
    void pushingTwiceShowsOnce() {
        f.arrangeHome(reader, "f0");
        push(new Homes.Delivery(reader, List.of(7L)));
        push(new Homes.Delivery(reader, List.of(7L)));
        assertThat(raw()).containsExactly(7L);
    }

    @Test
    void pushingTrimsAHomeThatHasGrownOverItsLimit() {
        f.arrangeHome(reader, "f0", "3", "1", "2", "4");
        push(new Homes.Delivery(reader, List.of(5L)));
        assertThat(f.list(reader)).as("at home-max + home-slack").hasSize(6);
        push(new Homes.Delivery(reader, List.of(6L)));
        assertThat(f.list(reader))
                .as("the lowest are dropped, not those that came first")
                .containsExactly("f2/4", "3", "4", "5", "6");
        assertTheLifeIsKept();
    }

    /** Its worker has died between the push and the trim. */
    @Test
    void aHomeWhoseTrimWasLostIsTrimmedWithinAFewDeliveries() {
        f.arrangeHome(reader, "f0", "1", "2", "3", "4", "5", "6", "7");
        push(new Homes.Delivery(reader, List.of(8L)));
        assertThat(f.list(reader)).as("not each delivery asks").hasSize(9);
        for (long id = 9; id < 8 + 32; id++) {
            push(new Homes.Delivery(reader, List.of(id)));
        }
        assertThat(f.list(reader)).hasSizeLessThanOrEqualTo(6);
        assertThat(raw()).startsWith(39L, 38L, 37L);
    }

    @Test
    void trimmingDropsRepeatsFirst() {
        f.arrangeHome(reader, "f0", "1", "2", "3", "4", "4");
        push(new Homes.Delivery(reader, List.of(4L)));
        assertThat(f.list(reader)).as("sent again").containsExactly("f0/4", "1", "2", "3", "4");
        push(new Homes.Delivery(reader, List.of(4L, 4L, 2L, 2L, 4L, 5L)));
        assertThat(f.list(reader)).as("far too long").containsExactly("f1/4", "2", "3", "4", "5");
        assertTheLifeIsKept();
    }

    @Test
    void postsInOrderAreTrimmedWithoutARewrite() {
        f.arrangeHome(reader, "f0/3", "1", "2", "3", "4");
        f.redis.askAt(Keys.home(reader), "CONFIG", "RESETSTAT");
        push(new Homes.Delivery(reader, List.of(5L, 6L)));
        assertThat(f.list(reader)).containsExactly("f2/1", "3", "4", "5", "6");
        assertThat(f.redis.askAt(Keys.home(reader), "INFO", "commandstats").asString())
                .contains("cmdstat_ltrim:calls=1,")
                .doesNotContain("cmdstat_rpush:")
                .doesNotContain("cmdstat_sort:");
        assertTheLifeIsKept();
    }

    @Test
    void latePostsReplaceOlderPostsAndNotNewerOnes() {
        f.arrangeHome(reader, "f0/2", "1", "2", "100", "101");
        push(new Homes.Delivery(reader, List.of(6L, 5L)));
        assertThat(f.list(reader)).as("one's own are ahead").containsExactly("f2/4", "5", "6", "100", "101");
        push(new Homes.Delivery(reader, List.of(7L, 8L)));
        assertThat(f.list(reader)).containsExactly("f6/2", "100", "101", "7", "8");
        assertTheLifeIsKept();
    }

    @Test
    void aFewThatAreNotAboveTheFloorStayInTheListWithoutAMeaning() {
        f.arrangeHome(reader, "f10/4", "20", "21", "22", "23");
        push(new Homes.Delivery(reader, List.of(15L, 24L)));
        assertThat(f.list(reader)).containsExactly("f21/2", "22", "23", "15", "24");
        assertThat(raw()).containsExactly(24L, 23L, 22L);
    }

    @Test
    void whereMuchIsNotAboveTheFloorItGoes() {
        f.arrangeHome(reader, "f10/3", "11", "12", "13");
        push(new Homes.Delivery(reader, List.of(9L, 14L, 10L)));
        assertThat(f.list(reader)).containsExactly("f10/4", "11", "12", "13", "14");
        push(new Homes.Delivery(reader, List.of(9L, 10L)));
        assertThat(f.list(reader)).as("nothing but these").containsExactly("f10/4", "11", "12", "13", "14");
    }

    @Test
    void postsThatTheHomeHoldsAreNotAddedAgain() {
        f.arrangeHome(reader, "f0/3", "1", "2", "4");
        push(new Homes.Delivery(reader, List.of(4L, 2L, 1L)));
        assertThat(f.list(reader)).containsExactly("f0/3", "1", "2", "4");
        push(new Homes.Delivery(reader, List.of(5L, 5L, 1L)));
        assertThat(f.list(reader)).containsExactly("f0/4", "1", "2", "4", "5");
    }

    @Test
    void inWhateverOrderDeliveriesComeTheNewestStay() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
            f.arrangeHome(reader, "f0");
            List<Long> ids =
                    new ArrayList<>(LongStream.rangeClosed(1, 30).boxed().toList());
            Collections.shuffle(ids, random);
            for (int from = 0; from < ids.size(); ) {
                int to = Math.min(ids.size(), from + 1 + random.nextInt(3));
                push(new Homes.Delivery(reader, ids.subList(from, to)));
                from = to;
            }
            assertThat(raw()).as("round %d", round).startsWith(30L, 29L, 28L);
        }
    }

    @Test
    void deliveriesThatAreSlightlyOutOfOrderLeaveAFullHome() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Homes homes = homes(200, 100);
        f.arrangeHome(reader, "f0");
        List<Long> ids = new ArrayList<>(
                LongStream.rangeClosed(1, 2000).map(id -> id << 12).boxed().toList());
        Map<Long, Double> places = new HashMap<>();
        ids.forEach(id -> places.put(id, id + 20 * 4096 * random.nextDouble()));
        ids.sort(Comparator.comparing(places::get));
        for (int at = 0; at < ids.size(); at += 5) {
            List<Long> chunk = ids.subList(at, at + 5);
            f.get(() -> homes.push(List.of(new Homes.Delivery(reader, chunk))));
            List<Long> raw = f.get(() -> homes.raw(reader));
            List<Long> newest = ids.subList(0, at + 5).stream()
                    .sorted(Comparator.reverseOrder())
                    .limit(200)
                    .toList();
            assertThat(raw).startsWith(newest.toArray(Long[]::new)).hasSizeLessThanOrEqualTo(300);
        }
        assertTheLifeIsKept();
    }

    @Test
    void aFewThatCameMuchTooEarlyStayAndDoNotRaiseTheFloor() {
        Homes homes = homes(12, 10);
        f.arrangeHome(reader, "f0/3 1 2 3 90 4 5 6 91 7 8 9 10 11 12 13 14 15 16 17 18 19 20".split(" ", -1));
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, List.of(21L)))));
        assertThat(f.list(reader))
                .containsExactly("f11/12", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "90", "91");
        assertTheLifeIsKept();
    }

    /** As while posts come faster than they are delivered: those of large authors come much later than others. */
    @Test
    void howeverManyAreLateAndByHowMuchAHomeStaysFullAndCompleteAboveItsFloor() {
        // A trim looks at about twelve entries: it may miss much, once in hundreds of homes.
        Random random = new Random(1);
        Homes homes = homes(200, 100);
        for (int round = 0; round < 8; round++) {
            f.redis.askAt(Keys.home(reader), "DEL", Keys.home(reader));
            f.arrangeHome(reader, "f0");
            double share = random.nextDouble();
            int latest = 1 + random.nextInt(400);
            List<Long> ids = new ArrayList<>(
                    LongStream.rangeClosed(1, 1500).map(id -> id << 12).boxed().toList());
            Map<Long, Double> places = new HashMap<>();
            ids.forEach(
                    id -> places.put(id, id + (random.nextDouble() < share ? latest * 4096 * random.nextDouble() : 0)));
            ids.sort(Comparator.comparing(places::get));
            for (int at = 0; at < ids.size(); at += 5) {
                List<Long> chunk = ids.subList(at, at + 5);
                f.get(() -> homes.push(List.of(new Homes.Delivery(reader, chunk))));
                List<Long> raw = f.get(() -> homes.raw(reader));
                assertThat(raw)
                        .as("%.2f late by up to %d, at %d", share, latest, at)
                        .isEqualTo(ids.subList(0, at + 5).stream()
                                .sorted(Comparator.reverseOrder())
                                .limit(raw.size())
                                .toList())
                        .hasSizeBetween(Math.min(at + 5, FULL_ENOUGH), 300);
            }
        }
    }

    /** One's own posts are in the home at once; what others have posted before comes after them, by and by. */
    @Test
    void aBacklogBehindNewerPostsLeavesAFullHome() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Homes homes = homes(200, 100);
        f.arrangeHome(reader, "f0");
        int own = 1 + random.nextInt(300);
        for (long id = 10_000; id < 10_000 + own; id++) {
            List<Long> one = List.of(id);
            f.get(() -> homes.push(List.of(new Homes.Delivery(reader, one))));
        }
        for (long id = 1; id <= 2000; id += 4) {
            List<Long> chunk = List.of(id, id + 1, id + 2, id + 3);
            f.get(() -> homes.push(List.of(new Homes.Delivery(reader, chunk))));
        }
        assertThat(f.get(() -> homes.raw(reader)))
                .as("%d own", own)
                .startsWith(LongStream.iterate(9_999L + own, id -> id - 1)
                        .limit(Math.min(own, 200))
                        .boxed()
                        .toArray(Long[]::new))
                .hasSizeGreaterThanOrEqualTo(200);
    }

    private Homes homes(int max, int slack) {
        return new Homes(
                f.link,
                SettingsLoader.defaultsWith("feeds.home-max=" + max, "feeds.home-slack=" + slack)
                        .feeds());
    }

    @Test
    void pushingAgainAndAgainDropsNothing() {
        f.arrangeHome(reader, "f0", "1", "2");
        for (int i = 0; i < 20; i++) {
            push(new Homes.Delivery(reader, List.of(3L, 4L)));
        }
        assertThat(raw()).containsExactly(4L, 3L, 2L, 1L);
        assertThat(f.list(reader)).hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void pushingDropsAHomeThatIsNoListAndServesAndTrimsTheOthers() {
        long[] readers = manyReaders();
        List<Homes.Delivery> deliveries = new ArrayList<>();
        for (long one : readers) {
            deliveries.add(new Homes.Delivery(one, List.of(6L)));
        }
        f.redis.askAt(Keys.home(readers[0]), "SET", Keys.home(readers[0]), "no list");
        f.arrangeHome(readers[1], "f0", "1", "2", "3", "4", "5");
        f.arrangeHome(readers[3999], "f0", "1", "2", "3", "4", "5");
        assertThat(f.get(() -> f.stores.homes().push(deliveries))).isEmpty();
        assertThat(List.of(f.list(readers[1]), f.list(readers[3999])))
                .containsOnly(List.of("f2/4", "3", "4", "5", "6"));
        assertThat(f.redis.keys()).doesNotContain(Keys.home(readers[0]));
    }

    @Test
    void trimmingKeepsTheMarkAndAFloorThatIsHigher() {
        f.arrangeHome(reader, "b9:t1", "1", "2", "10", "11", "12");
        push(new Homes.Delivery(reader, List.of(13L)));
        assertThat(f.list(reader)).containsExactly("b9:t1", "10", "11", "12", "13");
    }

    @Test
    void aTrimKeepsTheGenerationAndHowFarPulledPostsAreHeld() {
        f.arrangeHome(reader, "f0/4@2~9", "1", "2", "3", "4");
        push(new Homes.Delivery(reader, List.of(5L, 6L)));
        assertThat(f.list(reader)).as("cut").containsExactly("f2/2@2~9", "3", "4", "5", "6");
        push(new Homes.Delivery(reader, List.of(7L, 8L)));
        assertThat(f.list(reader)).as("sorted").containsExactly("f4/4@2~9", "5", "6", "7", "8");
        assertTheLifeIsKept();
    }

    @Test
    void aHomeThatCannotBeSortedKeepsItsHead() {
        f.arrangeHome(reader, "f0", "1", "x", "3", "4", "5");
        push(new Homes.Delivery(reader, List.of(6L)));
        assertThat(f.list(reader)).containsExactly("f0", "1", "x", "3", "4", "5", "6");
        assertTheLifeIsKept();
    }

    /** Two devices at once, say. */
    @Test
    void muchThatIsPushedTwiceTakesTheRoomOfNothing() {
        Homes homes = homes(400, 200);
        f.arrangeHome(reader, "f0");
        List<Long> old = LongStream.rangeClosed(1, 400).boxed().toList();
        // The last id lets the trim look for one whose repeat is 400 entries before the end.
        List<Long> news = LongStream.rangeClosed(1151, 1400).boxed().toList();
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, old))));
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, news))));
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, news))));
        assertThat(f.get(() -> homes.raw(reader))).hasSizeGreaterThanOrEqualTo(400);
    }

    @Test
    void pushingServesMoreReadersThanOnePipelineHolds() {
        long[] readers = manyReaders();
        List<Homes.Delivery> deliveries = new ArrayList<>();
        for (long one : readers) {
            deliveries.add(new Homes.Delivery(one, List.of(7L)));
        }
        f.arrangeHome(readers[0], "f0");
        f.arrangeHome(readers[1500], "f0");
        f.arrangeHome(readers[3999], "f0");
        f.get(() -> f.stores.homes().push(deliveries));
        assertThat(List.of(f.list(readers[0]), f.list(readers[1500]), f.list(readers[3999])))
                .containsOnly(List.of("f0", "7"));
        f.get(() -> f.stores
                .homes()
                .takeOut(List.of(new Homes.Removal(readers[1500], 7), new Homes.Removal(readers[3], 7))));
        assertThat(f.list(readers[1500])).containsExactly("f0");
        assertThat(f.list(readers[3999])).containsExactly("f0", "7");
    }

    @Test
    void takingOutRemovesEveryRepeatAndNeverTheHead() {
        f.arrangeHome(reader, "f7", "7", "8", "7");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 7))));
        assertThat(f.list(reader)).containsExactly("f7", "8");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 8))));
        assertThat(f.list(reader)).as("an empty home still exists").containsExactly("f7");
    }

    @Test
    void takingOutLowersTheCountOnlyWhereTheIdWasSorted() {
        f.arrangeHome(reader, "f0/2", "7", "8", "9");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 9))));
        assertThat(f.list(reader)).containsExactly("f0/2", "7", "8");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 8))));
        assertThat(f.list(reader)).containsExactly("f0/1", "7");
    }

    @Test
    void takingOutGoesOnBehindAHomeThatFails() {
        long[] readers = manyReaders();
        List<Homes.Removal> removals = new ArrayList<>();
        for (long one : readers) {
            removals.add(new Homes.Removal(one, 7));
            removals.add(new Homes.Removal(one, 8));
        }
        f.redis.askAt(Keys.home(readers[0]), "SET", Keys.home(readers[0]), "no list");
        f.arrangeHome(readers[1], "f0", "7", "8", "9");
        f.arrangeHome(readers[3999], "f0", "7", "8", "9");
        f.get(() -> f.stores.homes().takeOut(removals));
        assertThat(f.redis.keys()).doesNotContain(Keys.home(readers[0]));
        assertThat(List.of(f.list(readers[1]), f.list(readers[3999]))).containsOnly(List.of("f0", "9"));
    }

    /** More than all chunks that are on the way at once. */
    private static long[] manyReaders() {
        long[] readers = new long[4000];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = Id.of(Id.EPOCH_MILLIS + i, i % 16, 0);
        }
        return readers;
    }

    @Test
    void trimmingAndTakingOutLeaveNoMoreCountedThanAreSorted() {
        f.arrangeHome(reader, "f0/4", "1", "2", "3", "4");
        f.get(() -> f.stores.homes().push(List.of(new Homes.Delivery(reader, List.of(6L, 5L)))));
        assertThat(f.list(reader)).containsExactly("f2/2", "3", "4", "6", "5");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 4), new Homes.Removal(reader, 9))));
        assertThat(f.list(reader)).containsExactly("f2/1", "3", "6", "5");
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(reader, 6), new Homes.Removal(reader, 5))));
        assertThat(f.list(reader)).as("these were not sorted").containsExactly("f2/1", "3");
    }

    @Test
    void pushedPostsAreSortedInOnceThereAreEnough() {
        f.arrangeHome(reader, "f2/1", "4", "3");
        f.get(() -> f.stores.homes().sort(reader, 1));
        assertThat(f.list(reader)).as("not worth it").containsExactly("f2/1", "4", "3");
        f.get(() -> f.stores.homes().push(List.of(new Homes.Delivery(reader, List.of(5L)))));
        f.get(() -> f.stores.homes().sort(reader, 2));
        assertThat(f.list(reader)).containsExactly("f2/3", "3", "4", "5");
        assertThat(f.number(Keys.home(reader), "TTL", Keys.home(reader))).isBetween(900L, 1000L);
    }

    @Test
    void aTrimCountsTheRepeatedPostsThatItDrops() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Homes homes = new Homes(f.link, f.settings.feeds(), Duplicate.DELIVERY.counter(metrics));
        f.arrangeHome(reader, "f0/4", "1", "2", "3", "4");
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, List.of(5L, 6L)))));
        assertThat(duplicates(metrics)).as("older ones went").isZero();
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, List.of(5L, 6L)))));
        assertThat(f.list(reader)).containsExactly("f2/4", "3", "4", "5", "6");
        assertThat(duplicates(metrics)).as("sent again").isEqualTo(2);
        f.get(() -> homes.push(List.of(new Homes.Delivery(reader, List.of(4L, 3L)))));
        assertThat(f.list(reader)).as("late ones go to their places").containsExactly("f2/4", "3", "4", "5", "6");
        assertThat(duplicates(metrics)).isEqualTo(4);
    }

    @Test
    void aSortCountsTheRepeatedPostsThatItDrops() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Homes homes = new Homes(f.link, f.settings.feeds(), Duplicate.DELIVERY.counter(metrics));
        f.arrangeHome(reader, "f2/2", "3", "4", "3", "5", "5");
        f.get(() -> homes.sort(reader, 3));
        assertThat(f.list(reader)).containsExactly("f2/3", "3", "4", "5");
        assertThat(duplicates(metrics)).isEqualTo(2);
        f.get(() -> homes.sort(reader, 3));
        assertThat(duplicates(metrics)).as("each once").isEqualTo(2);
    }

    private static double duplicates(SimpleMeterRegistry metrics) {
        return metrics.get("fanfare.duplicates").tag("of", "delivery").counter().count();
    }

    @Test
    void aHomeThatIsBeingBuiltIsNotSorted() {
        f.arrangeHome(reader, "b2:t1", "4", "3", "5");
        f.get(() -> f.stores.homes().sort(reader, 3));
        assertThat(f.list(reader)).containsExactly("b2:t1", "4", "3", "5");
    }

    @Test
    void backfillingMergesAndRaisesTheFloor() {
        followedBy(5);
        f.arrangeHome(reader, "f3", "12", "4");
        backfill(5, List.of(11L, 10L), 9);
        assertThat(f.list(reader)).containsExactly("f9/3", "10", "11", "12");
        assertTheLifeIsKept();
    }

    @Test
    void backfillingKeepsTheMark() {
        followedBy(5);
        f.arrangeHome(reader, "b3:t1", "12");
        backfill(5, List.of(11L), 2);
        assertThat(f.list(reader)).containsExactly("b3:t1", "11", "12");
    }

    @Test
    void backfillingNeedsTheHomeAndTheSameFollow() {
        followedBy(5);
        backfill(5, List.of(11L), 0);
        assertThat(f.list(reader)).isEmpty();
        f.arrangeHome(reader, "f3");
        backfill(4, List.of(11L), 9);
        assertThat(f.list(reader)).containsExactly("f3");
    }

    @Test
    void cleaningTakesTheAuthorsIdsOutAndLeavesTheFloor() {
        f.arrangeHome(reader, "f3", "13", "12", "11", "13");
        clean(List.of(13L, 11L, 2L));
        assertThat(f.list(reader)).containsExactly("f3/1", "12");
        assertTheLifeIsKept();
    }

    @Test
    void cleaningSparesAnAuthorWhoIsFollowedAgain() {
        followedBy(6);
        f.arrangeHome(reader, "f3", "13");
        clean(List.of(13L));
        assertThat(f.list(reader)).containsExactly("f3", "13");
    }

    @Test
    void idsOf53BitsSurviveEveryRewrite() {
        long big = (1L << 53) - 1;
        followedBy(5);
        f.arrangeHome(reader, "b0:t1", "" + big);
        merge("t1", List.of(big - 2), big - 3);
        backfill(5, List.of(big - 1), big - 3);
        f.redis.askAt(Keys.following(reader), "DEL", Keys.following(reader));
        clean(List.of(big - 2));
        assertThat(f.list(reader)).containsExactly("f" + (big - 3) + "/2", "" + (big - 1), "" + big);
    }

    @Test
    void aHomeBeingBuiltIsNotShownAsItIs() {
        assertThat(raw()).isNull();
        f.arrangeHome(reader, "b0:t1", "7");
        assertThat(raw()).isNull();
    }

    @Test
    void oneEighthOfAHomesLifeIsSpentBeforeReadsRenewIt() {
        f.arrangeHome(reader, "f0");
        f.redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "" + (FULL_LIFE * 7 / 8 + 1000));
        readAndLetRenew();
        assertThat(life()).isLessThan(FULL_LIFE - 1000);
        f.redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "" + (FULL_LIFE * 7 / 8 - 1000));
        readAndLetRenew();
        assertThat(life()).isBetween(FULL_LIFE - 10, FULL_LIFE);
    }

    /**
     * The page does not wait for the renewal, but what is asked on the same connection afterwards is answered after it.
     */
    private void readAndLetRenew() {
        f.home(reader, 1);
        assertThat(raw()).isEmpty();
    }

    private String create(String token) {
        return f.get(() -> f.stores.homes().create(reader, token, false)).orElse("complete");
    }

    private String recreate(String token, long floor) {
        return f.get(() -> f.stores.homes().recreate(reader, token, floor, false))
                .orElse("another");
    }

    private void merge(String token, List<Long> ids, long bound) {
        f.get(() -> f.stores.homes().merge(reader, token, new IdRange(ids, bound)));
    }

    private void push(Homes.Delivery... deliveries) {
        f.get(() -> f.stores.homes().push(List.of(deliveries)));
    }

    private void followedBy(long edge) {
        f.redis.askAt(Keys.following(reader), "ZADD", Keys.following(reader), "" + edge, "" + AUTHOR);
    }

    private void backfill(long edge, List<Long> ids, long bound) {
        f.get(() -> f.stores.homes().backfill(reader, AUTHOR, edge, ids, bound));
    }

    private void clean(List<Long> ids) {
        f.get(() -> f.stores.homes().clean(reader, AUTHOR, ids));
    }

    private List<Long> raw() {
        return f.get(() -> f.stores.homes().raw(reader));
    }

    private long life() {
        return f.number(Keys.home(reader), "TTL", Keys.home(reader));
    }

    /** As {@link StoreFixture#arrangeHome} has set it. */
    private void assertTheLifeIsKept() {
        assertThat(life()).isBetween(990L, 1000L);
    }
}
