package io.fanfare.worker.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Deliveries that come long after the posts, while their readers' own posts are in the homes at once. */
@ParameterizedClass
@KindsOfRedis
class BacklogTest {
    private static final int USERS = 8;
    private static final int POSTS_EACH = 30;
    private static final int HOME_MAX = 40;
    private static final int JOBS_PER_BATCH = 4; // Less than the slack, as batches are in a large home.

    private final TestRedis.Kind kind;
    private final Deque<Job.FanOut> backlog = new ArrayDeque<>();
    private final List<Long> posts = new ArrayList<>();
    private Feeds feeds;
    private long[] users;

    BacklogTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis(), "feeds.home-max=" + HOME_MAX, "feeds.home-slack=10", "feeds.outbox-max=5");
        users = feeds.users(USERS);
        for (long reader : users) {
            for (long author : users) {
                if (reader != author) {
                    feeds.follow(reader, author);
                }
            }
        }
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    @Test
    void aBacklogThatIsWorkedOffLeavesTheNewestInEveryHome() {
        for (int i = 0; i < POSTS_EACH; i++) {
            postOfEach();
        }
        drain();
        assertEveryHomeHoldsTheNewest();
    }

    @Test
    void aQueueThatStaysBehindLeavesTheNewestInEveryHome() {
        for (int i = 0; i < POSTS_EACH; i++) {
            postOfEach();
            if (i > POSTS_EACH / 3) {
                deliver();
            }
        }
        drain();
        assertEveryHomeHoldsTheNewest();
    }

    private void postOfEach() {
        for (long author : users) {
            long status = feeds.post(author);
            posts.add(status);
            backlog.add(new Job.FanOut(author, status, 0));
        }
    }

    private void drain() {
        while (!backlog.isEmpty()) {
            deliver();
        }
    }

    /** One batch; what goes on waits behind the others, as in the queue. */
    private void deliver() {
        List<Job.FanOut> batch = new ArrayList<>();
        while (batch.size() < JOBS_PER_BATCH && !backlog.isEmpty()) {
            batch.add(backlog.poll());
        }
        for (Outcome outcome : feeds.run(feeds.fanOut, batch.toArray(Job.FanOut[]::new))) {
            if (outcome instanceof Outcome.Continued further) {
                further.rest().forEach(rest -> backlog.add((Job.FanOut) rest.job()));
            }
        }
    }

    private void assertEveryHomeHoldsTheNewest() {
        posts.sort(Comparator.reverseOrder());
        for (long reader : users) {
            assertThat(feeds.get(() -> feeds.homes.raw(reader))).startsWith(newest(HOME_MAX * 3 / 4));
        }
        feeds.profilesRead.clear();
        for (long reader : users) {
            assertThat(feeds.get(() -> feeds.timelines.home(reader, PageRequest.newest(20)))
                            .items())
                    .extracting(Status::id)
                    .containsExactly(newest(20));
        }
        assertThat(feeds.profilesRead).isEmpty();
    }

    private Long[] newest(int count) {
        return posts.subList(0, count).toArray(Long[]::new);
    }
}
