package io.fanfare.core.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Warning;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.LoopStores;
import io.fanfare.core.posting.ScheduledPublisher;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A post that waits for a moderator has a job, becomes one status when it is approved, and none otherwise. */
@ParameterizedClass
@KindsOfRedis
class HeldStatusesTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private LoopStores stores;
    private HeldStatuses held;
    private ScheduledStatuses scheduled;
    private ScheduledPublisher publisher;
    private Uploads uploads;
    private long ann;
    private long bob;
    private long[] honest;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        stores = stores(InstantSource.system());
        held = new HeldStatuses(stores);
        scheduled = new ScheduledStatuses(f.link);
        publisher = new ScheduledPublisher(stores);
        uploads = new Uploads(f.link);
        long[] users = f.users(7);
        ann = users[0];
        bob = users[1];
        honest = Arrays.copyOfRange(users, 2, users.length);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private LoopStores stores(InstantSource clock) {
        return stores(clock, f.settings);
    }

    private LoopStores stores(InstantSource clock, Settings settings) {
        Shards shards = new Shards(settings.redis().shards());
        return LoopStores.of(LoopStores.Parts.uncached(f.link, settings, shards, clock, new Random(1)));
    }

    private static ScheduledStatus words(String text, Attachment... pictures) {
        return ScheduledStatus.of(0, text).with(List.of(pictures));
    }

    private static String digest(String text) {
        return Statuses.digest(List.of(text));
    }

    /** Its id. */
    @CanIgnoreReturnValue
    private long hold(long author, ScheduledStatus status) {
        f.get(() ->
                held.hold(author, status, Signal.LINKS, digest(status.words().text())));
        return f.get(() -> held.all(author)).get(0).id();
    }

    private Attachment upload(int n) {
        Attachment picture = new Attachment(
                0, "f" + n + ".png", 1, 2, 3, 4, "blur", Attachment.Focus.CENTRE, "said of it", /* clip= */ null);
        return f.get(() -> uploads.add(ann, picture, 1));
    }

    private List<Long> listed() {
        return f.get(() -> held.page(PageRequest.newest(40))).items().stream()
                .map(HeldStatus::id)
                .toList();
    }

    private List<String> warnings(long account) {
        return f.get(() -> stores.notifications().warnings().all(account)).stream()
                .map(Warning::text)
                .toList();
    }

    private static String job(long author, long id) {
        return JobCodec.encode(new Job.Repair(JobType.HELD, author, author, id));
    }

    private List<String> timers() {
        return f.members(Keys.timers(Id.shard(ann)));
    }

    /** Runs the job of each scheduled post, twice, as after a crash. */
    private void publishAll() {
        PageRequest all = PageRequest.newest(ScheduledStatuses.MAX);
        for (ScheduledStatus each : f.get(() -> scheduled.page(ann, all)).items()) {
            f.get(() -> publisher.publish(ann, each.id(), each.dueMillis()));
            f.get(() -> publisher.publish(ann, each.id(), each.dueMillis()));
        }
    }

    @Test
    void anApprovedPostBecomesOneStatusHoweverOftenItIsApproved() {
        long id = hold(ann, words("look at https://example.org/"));
        assertThat(f.account(ann).statusesCount()).isZero();
        assertThat(timers()).containsExactly(job(ann, id));

        Future<Void> first = f.get(() -> Future.succeededFuture(held.approve(ann, id, false)));
        Future<Void> second = f.get(() -> Future.succeededFuture(held.approve(ann, id, false)));
        List<Throwable> failures = new ArrayList<>();
        f.get(() -> first.onFailure(failures::add).otherwiseEmpty());
        f.get(() -> second.onFailure(failures::add).otherwiseEmpty());

        assertThat(failures).singleElement().matches(cause -> Refusal.isFor(Refusal.Reason.NOT_FOUND, cause));
        assertThat(f.get(() -> held.all(ann))).isEmpty();
        assertThat(listed()).isEmpty();
        publishAll();
        assertThat(f.account(ann).statusesCount()).isEqualTo(1);
        assertThat(f.get(() -> held.withdraw(ann, id))).isFalse();
        assertThatThrownBy(() -> f.get(() -> held.reject(ann, id, ""))).isInstanceOf(Refusal.class);
    }

    @Test
    void aWithdrawnPostIsNeitherApprovedNorRejected() {
        long id = hold(ann, words("look"));
        assertThat(f.get(() -> held.withdraw(ann, id))).isTrue();
        assertThatThrownBy(() -> f.get(() -> held.approve(ann, id, false))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> f.get(() -> held.reject(ann, id, "no"))).isInstanceOf(Refusal.class);
        assertThat(listed()).isEmpty();
        assertThat(warnings(ann)).isEmpty();
        assertThat(timers()).isEmpty();
        assertThat(f.hash(Keys.heldWords(ann))).isEmpty();
    }

    @Test
    void theSameRequestWaitsOnceAndNobodyElseFindsIt() {
        long id = hold(ann, words("look"));
        assertThat(hold(ann, words("look"))).isEqualTo(id);
        assertThat(f.get(() -> held.all(ann))).hasSize(1);
        assertThat(f.get(() -> held.waiting(ann, digest("look")))).contains(Signal.LINKS);
        assertThat(f.get(() -> held.waiting(bob, digest("look")))).isEmpty();
        assertThat(f.get(() -> held.find(bob, id))).isEmpty();
        assertThatThrownBy(() -> f.get(() -> held.approve(bob, id, false))).isInstanceOf(Refusal.class);
    }

    @Test
    void aTimeThatItsAuthorHasChosenStaysAndOneThatHasPassedIsNow() {
        long later = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        long id = hold(ann, ScheduledStatus.of(later, "later"));
        long late = hold(ann, ScheduledStatus.of(5, "late"));
        f.get(() -> held.approve(ann, id, false));
        f.get(() -> held.approve(ann, late, false));
        assertThat(f.get(() -> scheduled.find(ann, id)).orElseThrow().dueMillis())
                .isEqualTo(later);
        assertThat(f.get(() -> scheduled.find(ann, late)).orElseThrow().dueMillis())
                .isBetween(Id.epochMillis(late), later);
    }

    @Test
    void atTheLimitsNothingMoreWaits() {
        for (int i = 0; i < HeldStatuses.MAX; i++) {
            hold(ann, words("look " + i));
        }
        assertThatThrownBy(() -> hold(ann, words("more")))
                .hasMessageContaining(HeldStatuses.MAX + " posts of yours wait");
        assertThat(f.get(() -> HeldStatuses.count(f.link))).isEqualTo(HeldStatuses.MAX);
        HeldStatuses small = new HeldStatuses(stores, HeldStatuses.MAX);
        assertThatThrownBy(() -> f.get(() -> small.hold(bob, words("look"), Signal.LINKS, digest("look"))))
                .hasMessageContaining("as many posts wait as this server keeps");
        f.get(() -> small.hold(ann, words("look 0"), Signal.LINKS, digest("look 0")));
        long one = f.get(() -> held.all(ann)).get(0).id();
        f.get(() -> held.withdraw(ann, one));
        f.get(() -> small.hold(bob, words("look"), Signal.LINKS, digest("look")));
    }

    @Test
    void aPostThatFindsTheListFullGetsTheRoomOfSuspendedAccountsWithoutAModerator() {
        hold(ann, words("look"));
        hold(ann, words("look again"));
        HeldStatuses small = new HeldStatuses(stores, 2);
        assertThatThrownBy(() -> f.get(() -> holdIn(small, bob))).hasMessageContaining("as many posts wait");
        f.get(() -> new AccountAccess(f.link).suspend(ann));
        f.get(() -> holdIn(small, bob));
        assertThat(f.get(() -> HeldStatuses.count(f.link))).isEqualTo(1);
    }

    @Test
    void postsThatFindTheListFullSearchItPartByPart() {
        hold(ann, words("look"));
        for (long one : honest) {
            for (int i = 0; i < HeldStatuses.MAX; i++) {
                hold(one, words("look " + i));
            }
        }
        f.get(() -> new AccountAccess(f.link).suspend(ann));
        HeldStatuses small = new HeldStatuses(stores, 51);
        assertThatThrownBy(() -> f.get(() -> holdIn(small, bob)))
                .as("the first part has the newest posts")
                .hasMessageContaining("as many posts wait");
        f.get(() -> holdIn(small, bob));
        assertThat(f.get(() -> HeldStatuses.count(f.link))).isEqualTo(51);
    }

    private Future<Void> holdIn(HeldStatuses store, long author) {
        return store.hold(author, words("look"), Signal.LINKS, digest("look"));
    }

    @Test
    void aWarningWhoseMailIsEnqueuedTwiceOrNotAtAllIsMadeOnce() {
        LoopStores mailing = stores(
                InstantSource.system(),
                StoreFixture.settings(
                        "http.public-url=https://example.org",
                        "mail.host=mail.example.org",
                        "mail.from=fanfare@example.org"));
        HeldStatuses mailed = new HeldStatuses(mailing);
        f.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "email", "ann@example.org");
        long first = hold(ann, words("look"));
        f.get(() -> mailed.reject(ann, first, "No advertising."));
        // The process died after the mail.
        f.redis.askAt(
                Keys.heldWords(ann),
                "HSET",
                Keys.heldWords(ann),
                "-" + first,
                warnings(ann).get(0));
        f.get(() -> mailed.look(ann, first));
        String lane = Keys.lane(Id.shard(ann), Lane.LOW.key());
        List<String> mails = f.redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .map(line -> line.asString().replaceFirst("^.*( mail\\S* \\d+ \\S+ \\d+) .*$", "$1"))
                .toList();
        assertThat(mails).hasSize(2);
        assertThat(mails.get(0)).as("the Message-ID is made of these").isEqualTo(mails.get(1));

        long second = hold(ann, words("look again"));
        f.redis.askAt(lane, "DEL", lane);
        f.redis.askAt(lane, "SET", lane, "of another type");
        f.get(() -> mailed.reject(ann, second, "No advertising."));
        assertThat(warnings(ann)).hasSize(2);
        assertThat(f.hash(Keys.heldWords(ann)))
                .as("no message is left to be sent")
                .isEmpty();
        f.redis.askAt(lane, "DEL", lane);
    }

    @Test
    void aRejectedPostLeavesOneWarningAlsoWhenTheProcessDiesBeforeIt() {
        long id = hold(ann, words("look at this"));
        f.get(() -> held.reject(ann, id, "No advertising."));
        assertThat(warnings(ann)).containsExactly("Your post \"look at this\" was not published: No advertising.");
        // The process died after the script held_end.
        f.redis.askAt(
                Keys.heldWords(ann),
                "HSET",
                Keys.heldWords(ann),
                "-" + id,
                warnings(ann).get(0));
        f.redis.askAt(Keys.HELD_LIST, "ZADD", Keys.HELD_LIST, "" + id, ann + " " + id);
        f.get(() -> held.look(ann, id));
        f.get(() -> held.look(ann, id));
        assertThat(warnings(ann)).hasSize(1);
        assertThat(f.hash(Keys.heldWords(ann))).isEmpty();
        assertThat(f.members(Keys.HELD_LIST)).isEmpty();
    }

    @Test
    void itsJobShowsAPostToModeratorsWhenTheProcessDiedBeforeThat() {
        long id = hold(ann, words("look"));
        f.redis.askAt(Keys.HELD_LIST, "DEL", Keys.HELD_LIST);
        assertThat(listed()).isEmpty();
        f.get(() -> held.look(ann, id));
        assertThat(listed()).containsExactly(id);
        assertThat(f.number(Keys.timers(Id.shard(ann)), "ZSCORE", Keys.timers(Id.shard(ann)), job(ann, id)))
                .as("the next look is the end of its life")
                .isEqualTo(Id.epochMillis(id) + HeldStatuses.LIFE.toMillis());
    }

    @Test
    void aPostAboutWhichNobodyDecidesEndsWithAMessage() {
        Attachment picture = upload(1);
        long id = hold(ann, words("look", picture));
        InstantSource later = () -> Instant.now().plus(HeldStatuses.LIFE).plusSeconds(1);
        f.get(() -> new HeldStatuses(stores(later)).look(ann, id));
        assertThat(warnings(ann)).singleElement().asString().contains("no moderator has decided", "14 days");
        assertThat(f.get(() -> held.all(ann))).isEmpty();
        assertThat(listed()).isEmpty();
        assertThat(f.hash(Keys.uploads(ann))).containsOnlyKeys("" + picture.id());
    }

    @Test
    void aPostOfASuspendedAccountIsNeitherApprovedNorTakesTheRoomOfOthersUntilTheSuspensionIsLifted() {
        long id = hold(ann, words("look"));
        long other = hold(bob, words("look"));
        f.get(() -> new AccountAccess(f.link).suspend(ann));
        assertThatThrownBy(() -> f.get(() -> held.approve(ann, id, false))).hasMessageContaining("is suspended");
        assertThatThrownBy(() -> hold(ann, words("more"))).hasMessageContaining("cannot post");
        assertThat(listed()).containsExactly(other);
        assertThat(f.get(() -> HeldStatuses.count(f.link))).isEqualTo(1);
        f.get(() -> held.look(ann, id));
        assertThat(f.get(() -> HeldStatuses.count(f.link))).isEqualTo(1);
        String timers = Keys.timers(Id.shard(ann));
        long again = kind.redis().askAt(timers, "ZSCORE", timers, job(ann, id)).asLong();
        assertThat(again).isLessThanOrEqualTo(System.currentTimeMillis() + HeldStatuses.SUSPENDED_LOOK.toMillis());
        f.get(() -> new AccountAccess(f.link).unsuspend(ann));
        f.get(() -> held.look(ann, id));
        assertThat(listed()).containsExactlyInAnyOrder(id, other);
        assertThat(kind.redis().askAt(timers, "ZSCORE", timers, job(ann, id)).asLong())
                .isEqualTo(f.get(() -> held.find(ann, id)).orElseThrow().endsMillis());
        assertThat(warnings(ann)).isEmpty();
    }

    @Test
    void eachRejectedPostWarnsItsAuthorOnce() {
        for (int i = 0; i < 2; i++) {
            long id = hold(ann, words("look " + i));
            f.get(() -> held.reject(ann, id, "no advertising"));
            f.get(() -> held.look(ann, id));
        }
        long first = hold(ann, words("the same beginning"));
        f.get(() -> held.reject(ann, first, "no advertising"));
        long second = hold(ann, words("the same beginning"));
        f.get(() -> held.reject(ann, second, "no advertising"));
        assertThat(warnings(ann)).hasSize(4);
    }

    /** The naive model: which posts wait, by their ids, and which pictures are uploads. */
    @Test
    void randomDecisionsPublishNoPostTwiceLoseNoneAndKeepEachPictureInOnePlace() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<Long, List<Attachment>> waiting = new TreeMap<>();
        Map<Long, Attachment> uploaded = new TreeMap<>();
        int published = 0;
        int rejected = 0;
        for (int step = 0; step < 200; step++) {
            List<Long> ids = new ArrayList<>(waiting.keySet());
            long one = ids.isEmpty() ? 0 : ids.get(random.nextInt(ids.size()));
            switch (random.nextInt(6)) {
                case 0 -> {
                    Attachment picture = upload(step);
                    uploaded.put(picture.id(), picture);
                }
                case 1, 2 -> {
                    if (ids.size() < HeldStatuses.MAX) {
                        List<Attachment> pictures = uploaded.values().stream()
                                .limit(random.nextInt(3))
                                .toList();
                        pictures.forEach(picture -> uploaded.remove(picture.id()));
                        waiting.put(hold(ann, words("look " + step, pictures.toArray(Attachment[]::new))), pictures);
                    }
                }
                case 3 -> {
                    if (one != 0) {
                        f.get(() -> held.approve(ann, one, random.nextBoolean()));
                        publishAll();
                        waiting.remove(one);
                        published++;
                    }
                }
                case 4 -> {
                    if (one != 0) {
                        String reason = "reason " + step;
                        f.get(() -> held.reject(ann, one, reason));
                        waiting.remove(one).forEach(picture -> uploaded.put(picture.id(), picture));
                        rejected++;
                    }
                }
                default -> {
                    if (one != 0) {
                        assertThat(f.get(() -> held.withdraw(ann, one))).isTrue();
                        waiting.remove(one).forEach(picture -> uploaded.put(picture.id(), picture));
                    }
                }
            }
            assertThat(f.get(() -> held.all(ann)))
                    .extracting(HeldStatus::id)
                    .containsExactlyInAnyOrderElementsOf(waiting.keySet());
            assertThat(new TreeSet<>(listed())).isEqualTo(waiting.keySet());
            assertThat(f.hash(Keys.uploads(ann)).keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            uploaded.keySet().stream().map(String::valueOf).toList());
            assertThat(f.number(Keys.mediaDue(Id.shard(ann)), "ZCARD", Keys.mediaDue(Id.shard(ann))))
                    .isEqualTo(uploaded.size());
            assertThat(f.account(ann).statusesCount()).isEqualTo(published);
            assertThat(warnings(ann)).hasSize(Math.min(rejected, 200));
        }
    }
}
