package io.fanfare.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Uploads;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A scheduled status has one job, and becomes one status. */
@ParameterizedClass
@KindsOfRedis
class ScheduledStatusesTest {
    private static final long DAY = Duration.ofDays(1).toMillis();

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private ScheduledStatuses scheduled;
    private Uploads uploads;
    private long ann;

    /** The first day of which all is far enough ahead. */
    private final long tomorrow = (System.currentTimeMillis() / DAY + 1) * DAY + DAY;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        scheduled = new ScheduledStatuses(f.link);
        uploads = new Uploads(f.link);
        ann = f.users(1)[0];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private static ScheduledStatus words(long due, Attachment... pictures) {
        return ScheduledStatus.of(due, "later é\u0001\"").with(List.of(pictures));
    }

    @CanIgnoreReturnValue
    private ScheduledStatus schedule(ScheduledStatus status) {
        return f.get(() -> scheduled.schedule(ann, status, null));
    }

    private Attachment upload(int n) {
        Attachment picture = new Attachment(
                0, "f" + n + ".png", 1, 2, 3, 4, "blur", Attachment.Focus.CENTRE, "said of it", /* clip= */ null);
        return f.get(() -> uploads.add(ann, picture, 1));
    }

    private List<Long> all() {
        List<Long> ids = new ArrayList<>();
        PageRequest request = PageRequest.newest(7);
        Page<ScheduledStatus> page;
        do {
            PageRequest current = request;
            page = f.get(() -> scheduled.page(ann, current));
            page.items().forEach(each -> ids.add(each.id()));
            request = PageRequest.olderThan(page.next(), 7);
        } while (page.next() > 0);
        return ids;
    }

    @Test
    void everyWordIsKept() {
        Attachment picture = upload(1);
        PostOptions options = new PostOptions(Visibility.PRIVATE, false, "de", QuotePolicy.FOLLOWERS);
        ScheduledStatus whole = new ScheduledStatus(
                0,
                tomorrow,
                new PostWords("text", "warning", new Place(1.5, -2.25, "here"), options),
                9007199254740989L,
                9007199254740991L,
                9007199254740990L,
                List.of(picture),
                null,
                new Application("an app", "https://app.example/"));

        ScheduledStatus kept = schedule(whole);

        assertThat(f.get(() -> scheduled.find(ann, kept.id()))).contains(whole.with(kept.id(), tomorrow));
        ScheduledStatus plain = schedule(words(tomorrow));
        assertThat(f.get(() -> scheduled.find(ann, plain.id())))
                .contains(words(tomorrow).with(plain.id(), tomorrow));
    }

    @Test
    void aTimeThatIsTooNearIsRefusedAndOneMoreThanTheLimits() {
        long soon = System.currentTimeMillis() + ScheduledStatuses.AHEAD.toMillis() - 20_000;
        assertThatThrownBy(() -> schedule(words(soon))).hasMessageContaining("5 minutes in the future");
        long first = 0;
        for (int i = 0; i < ScheduledStatuses.MAX; i++) {
            long id = schedule(words(tomorrow + i / ScheduledStatuses.DAY_MAX * DAY + i))
                    .id();
            first = first == 0 ? id : first;
        }
        long kept = first;
        assertThatThrownBy(() -> schedule(words(tomorrow + 100 * DAY))).hasMessageContaining("at most 300");
        assertThatThrownBy(() -> f.get(() -> scheduled.move(ann, kept, tomorrow + DAY)))
                .hasMessageContaining("at most 25");
        assertThat(f.get(() -> scheduled.move(ann, kept, tomorrow + 1)).dueMillis())
                .as("within its day")
                .isEqualTo(tomorrow + 1);
        assertThat(f.get(() -> scheduled.cancel(ann, kept))).isTrue();
        assertThatThrownBy(() -> schedule(words(tomorrow + DAY))).hasMessageContaining("at most 25");
        schedule(words(tomorrow + DAY - 1));
        assertThat(all()).hasSize(ScheduledStatuses.MAX);
    }

    @Test
    void theSameRequestSchedulesOnce() {
        IdempotentRequest once = IdempotentRequest.of("key", "words");
        ScheduledStatus first = f.get(() -> scheduled.schedule(ann, words(tomorrow), once));

        assertThat(f.get(() -> scheduled.schedule(ann, words(tomorrow), once))).isEqualTo(first);
        assertThat(f.get(() -> scheduled.earlier(ann, once))).contains(first);
        assertThatThrownBy(() -> f.get(
                        () -> scheduled.schedule(ann, words(tomorrow), IdempotentRequest.of("key", "other words"))))
                .hasMessageContaining("Idempotency-Key");
        f.get(() -> scheduled.cancel(ann, first.id()));
        assertThatThrownBy(() -> f.get(() -> scheduled.schedule(ann, words(tomorrow), once)))
                .isInstanceOf(Refusal.class);
        assertThat(all()).isEmpty();
    }

    /** The naive model: what is scheduled by its id, and what is uploaded. */
    @Test
    void randomChangesPublishNoScheduledStatusTwiceAndLoseNone() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<Long, ScheduledStatus> model = new TreeMap<>(Comparator.reverseOrder());
        Map<Long, Attachment> uploaded = new TreeMap<>();
        List<ScheduledStatus> ended = new ArrayList<>();
        int published = 0;
        Set<String> counted = new TreeSet<>();
        for (int step = 0; step < 300; step++) {
            long due = tomorrow + random.nextInt(20) * DAY + random.nextInt(1000);
            List<Long> ids = new ArrayList<>(model.keySet());
            ScheduledStatus one = ids.isEmpty() ? null : model.get(ids.get(random.nextInt(ids.size())));
            switch (random.nextInt(7)) {
                case 0 -> {
                    Attachment picture = upload(step);
                    uploaded.put(picture.id(), picture);
                    counted.add(Long.toString(picture.id()));
                }
                case 1, 2 -> {
                    List<Attachment> pictures =
                            uploaded.values().stream().limit(random.nextInt(3)).toList();
                    ScheduledStatus kept = schedule(words(due, pictures.toArray(Attachment[]::new)));
                    pictures.forEach(picture -> uploaded.remove(picture.id()));
                    model.put(kept.id(), kept);
                }
                case 3 -> {
                    if (one != null) {
                        f.get(() -> scheduled.move(ann, one.id(), due));
                        model.put(one.id(), one.with(one.id(), due));
                        assertThat(publish(one)).as("a job of another time").isEqualTo(one.dueMillis() == due);
                        if (one.dueMillis() == due) {
                            model.remove(one.id());
                            published++;
                        }
                    }
                }
                case 4 -> {
                    if (one != null) {
                        assertThat(f.get(() -> random.nextBoolean()
                                        ? scheduled.cancel(ann, one.id())
                                        : scheduled.drop(ann, one)))
                                .as("cancelled")
                                .isTrue();
                        one.attachments().forEach(picture -> uploaded.put(picture.id(), picture));
                        model.remove(one.id());
                        ended.add(one);
                    }
                }
                case 5 -> {
                    if (one != null) {
                        assertThat(publish(one)).as("published").isTrue();
                        assertThat(publish(one)).as("again, within the hour").isTrue();
                        published++;
                        model.remove(one.id());
                    }
                }
                default -> {
                    for (ScheduledStatus gone : ended) {
                        assertThat(publish(gone))
                                .as("a cancelled one is published")
                                .isFalse();
                        assertThat(f.get(() -> scheduled.cancel(ann, gone.id())))
                                .as("a cancelled one is cancelled")
                                .isFalse();
                    }
                }
            }
            assertThat(all()).as("scheduled").isEqualTo(List.copyOf(model.keySet()));
            assertThat(f.hash(Keys.uploads(ann)).keySet())
                    .as("uploads")
                    .containsExactlyInAnyOrderElementsOf(
                            uploaded.keySet().stream().map(String::valueOf).toList());
            assertThat(f.number(Keys.mediaDue(Id.shard(ann)), "ZCARD", Keys.mediaDue(Id.shard(ann))))
                    .as("uploads that end")
                    .isEqualTo(uploaded.size());
            assertThat(f.account(ann).statusesCount()).as("published").isEqualTo(published);
            // Of each picture one byte, wherever it is.
            Map<String, String> bytes = f.hash(Keys.mediaBytes(ann));
            assertThat(bytes.remove("all"))
                    .as("bytes in all")
                    .isEqualTo(counted.isEmpty() ? null : Integer.toString(counted.size()));
            assertThat(bytes.keySet()).as("pictures whose bytes count").isEqualTo(counted);
        }
        for (ScheduledStatus each : model.values()) {
            assertThat(f.get(() -> scheduled.find(ann, each.id()))).isEqualTo(Optional.of(each));
        }
        List<String> jobs = model.values().stream()
                .map(each -> JobCodec.encode(new Job.Publish(ann, each.id(), each.dueMillis())))
                .toList();
        // That of what is published here was not started: the timers still have it.
        assertThat(f.members(Keys.timers(Id.shard(ann)))).containsAll(jobs).hasSize(jobs.size() + published);
    }

    /** Whether it is published now, or was. */
    private boolean publish(ScheduledStatus status) {
        Post post = Post.of(ann, status.words().text());
        return f.get(() -> f.stores
                        .statuses()
                        .postScheduled(
                                new Post(
                                        ann,
                                        Visibility.PUBLIC,
                                        Post.Kind.POST,
                                        post.content().with(status.attachments()),
                                        null,
                                        null,
                                        null,
                                        null),
                                status,
                                0))
                .isPresent();
    }
}
