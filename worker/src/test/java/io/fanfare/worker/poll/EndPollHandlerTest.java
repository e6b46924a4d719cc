package io.fanfare.worker.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Notifications;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Feeds;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The notifications at the end of a poll. */
@ParameterizedClass
@KindsOfRedis
class EndPollHandlerTest {
    private static final int VOTERS = 60;

    private final TestRedis.Kind kind;
    private Feeds feeds;
    private Polls polls;
    private EndPollHandler handler;
    private long[] users;

    EndPollHandlerTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis());
        polls = new Polls(feeds.stores.redis(), InstantSource.system());
        handler = new EndPollHandler(new PollEnd(feeds.stores));
        users = feeds.users(VOTERS + 2);
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    private List<Notification> notificationsOf(long account) {
        return feeds.get(() -> feeds.notifications.page(account, PageRequest.newest(10), any -> true)).items().stream()
                .map(Notifications.Shown::notification)
                .filter(notification -> notification.type() == Notification.Type.POLL)
                .toList();
    }

    @Test
    void theAuthorAndAllVotersAreNotifiedOncePageByPage() {
        long ends = System.currentTimeMillis() + 600_000;
        Poll poll = new Poll(List.of("a", "b"), ends, false, false);
        Post post = Post.of(users[0], Visibility.PUBLIC, Content.of("which").with(poll));
        Status asking = feeds.get(() -> feeds.statuses.post(post, null)).status();
        for (int i = 1; i <= VOTERS; i++) {
            long voter = users[i];
            feeds.get(() -> polls.vote(asking, voter, List.of(1)));
        }
        Job.EndPoll first = new Job.EndPoll(users[0], asking.id(), 0);
        assertThat(feeds.members(Keys.timers(Id.shard(users[0])))).containsExactly(JobCodec.encode(first));

        for (int round = 0; round < 2; round++) {
            List<Job.EndPoll> jobs = new ArrayList<>(List.of(first));
            for (int i = 0; i < jobs.size(); i++) {
                if (feeds.run(handler, jobs.get(i)).get(0) instanceof Outcome.Continued more) {
                    jobs.add((Job.EndPoll) more.rest().get(0).job());
                }
            }
            assertThat(jobs).hasSize(2);
        }
        for (int i = 0; i <= VOTERS; i++) {
            assertThat(notificationsOf(users[i])).as("user %d", i).hasSize(1);
        }
        assertThat(notificationsOf(users[VOTERS + 1])).isEmpty();
    }

    @Test
    void deletedAccountsAreNotNotified() {
        Poll poll = new Poll(List.of("a", "b"), System.currentTimeMillis() + 600_000, false, false);
        Post post = Post.of(users[0], Visibility.PUBLIC, Content.of("which").with(poll));
        Status asking = feeds.get(() -> feeds.statuses.post(post, null)).status();
        feeds.get(() -> polls.vote(asking, users[1], List.of(1)));
        feeds.get(() -> polls.vote(asking, users[2], List.of(1)));
        feeds.get(() -> new AccountAccess(feeds.stores.redis()).delete(users[1]));

        assertThat(feeds.run(handler, new Job.EndPoll(users[0], asking.id(), 0)))
                .containsExactly(Outcome.DONE);
        assertThat(feeds.redis
                        .askAt(Keys.notifications(users[1]), "EXISTS", Keys.notifications(users[1]))
                        .asLong())
                .isZero();
        assertThat(notificationsOf(users[2])).hasSize(1);
    }

    @Test
    void aDeletedPollNotifiesNobody() {
        Poll poll = new Poll(List.of("a", "b"), System.currentTimeMillis() + 600_000, false, false);
        Post post = Post.of(users[0], Visibility.PUBLIC, Content.of("which").with(poll));
        long id = feeds.get(() -> feeds.statuses.post(post, null)).status().id();
        feeds.get(() -> feeds.statuses.delete(users[0], id));

        assertThat(feeds.run(handler, new Job.EndPoll(users[0], id, 0))).containsExactly(Outcome.DONE);
        assertThat(notificationsOf(users[0])).isEmpty();
    }
}
