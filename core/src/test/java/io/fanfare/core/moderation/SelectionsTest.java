package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.moderation.Selection.Found;
import io.fanfare.core.moderation.Selection.Phase;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Acts on many accounts: which of them change, by whose role, and what the undo restores. */
@ParameterizedClass
@KindsOfRedis
class SelectionsTest {
    private static final Found ALL = new Found(false, true, 0);
    private static final int STEPS_MAX = 100;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private ModerationLog log;
    private Roles roles;
    private Selections selections;
    private Restrictions restrictions;
    private AccountAccess access;
    private JobQueue queue;
    private SelectionRun run;
    private long[] u;
    private Actor moderator;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(
                f.link, f.settings, new Shards(f.settings.redis().shards()), InstantSource.system(), new Random(1)));
        log = new ModerationLog(f.link, 1000);
        roles = new Roles(f.link, log);
        selections = new Selections(f.link, log);
        access = new AccountAccess(f.link);
        queue = new JobQueue(f.link, stores.parts().shards(), f.settings.queue());
        restrictions = new Restrictions(f.link, stores.statuses(), stores.publicTimelines(), stores.follows());
        run = new SelectionRun(
                selections,
                restrictions,
                access,
                stores.notifications().warnings(),
                stores.notificationPublisher(),
                new Mails(f.link),
                /* batchMax= */ 3);
        u = f.users(10);
        moderator = Actor.account(u[0]);
        promote(u[0], Role.MODERATOR);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private void promote(long account, Role role) {
        Role unused = f.get(() -> roles.set(Act.on(Actor.command("root"), "role.set", account, ""), role));
    }

    @CanIgnoreReturnValue
    private long select(long... accounts) {
        List<Long> sorted = LongStream.of(accounts).sorted().boxed().toList();
        return f.get(() -> selections.add(u[0], "those", sorted, ALL));
    }

    @CanIgnoreReturnValue
    private Selection act(long number, Action action) {
        return f.get(() -> selections.act(number, action, moderator, "no spam", "wave", queue));
    }

    @CanIgnoreReturnValue
    private Selection undo(long number) {
        return f.get(() -> selections.undo(number, moderator, "by mistake", queue));
    }

    @CanIgnoreReturnValue
    private Selection work(long number) {
        Selection selection = f.get(() -> selections.require(number));
        OptionalLong place = OptionalLong.of(selection.act().settled());
        for (int i = 0; i < STEPS_MAX && place.isPresent(); i++) {
            long next = place.getAsLong();
            place = f.get(() -> run.step(number, next));
        }
        return f.get(() -> selections.require(number));
    }

    private List<Long> listed() {
        return f.redis.askAt(Keys.LIMITED_ACCOUNTS, "ZRANGE", Keys.LIMITED_ACCOUNTS, "0", "-1").items().stream()
                .map(Reply::asLong)
                .toList();
    }

    private boolean isLimited(long account) {
        return f.redis
                        .askAt(Keys.user(account), "HEXISTS", Keys.user(account), "limited")
                        .asLong()
                == 1;
    }

    private boolean isSuspended(long account) {
        return f.redis
                .askAt(Keys.user(account), "HGET", Keys.user(account), "state")
                .asString()
                .equals("suspended");
    }

    private List<Long> logged(String action) {
        return f.get(() -> log.page(new Filter(0, 0, action), "", 1000)).entries().stream()
                .map(entry -> entry.act().account())
                .sorted()
                .toList();
    }

    private static List<Long> sorted(long... accounts) {
        return Arrays.stream(accounts).sorted().boxed().toList();
    }

    @Test
    void theAccountsThatAnActChangesGetAMailAndItsUndoSendsNone() {
        for (long account : List.of(u[1], u[2])) {
            f.redis.askAt(Keys.user(account), "HSET", Keys.user(account), "email", account + "@example.org");
        }
        f.get(() -> access.suspend(u[2]));
        long number = select(u[1], u[2], u[3]);
        act(number, Action.SUSPEND);
        work(number);
        undo(number);
        work(number);

        assertThat(mails(u[1])).as("suspended by the act").hasSize(1);
        assertThat(mails(u[2])).as("suspended before").isEmpty();
        assertThat(mails(u[3])).as("without an address").isEmpty();
    }

    private List<String> mails(long account) {
        String lane = Keys.lane(Id.shard(account), "low");
        return f.redis.askAt(lane, "LRANGE", lane, "0", "-1").items().stream()
                .map(Reply::asString)
                .filter(line -> line.contains(" mail.1 " + account + " selection_warning "))
                .toList();
    }

    @Test
    void theUndoRestoresExactlyTheAccountsThatTheActHasChanged() {
        f.get(() -> restrictions.set(u[2], Kind.LIMITED, true));
        f.get(() -> access.delete(u[3]));
        long number = select(u[1], u[2], u[3], u[4], u[5], u[6]);
        assertThat(act(number, Action.SILENCE).act().phase()).isEqualTo(Phase.RUNNING);
        Selection acted = work(number);
        assertThat(acted.act().phase()).isEqualTo(Phase.DONE);
        assertThat(List.of(
                        acted.act().settled(),
                        acted.act().changed(),
                        acted.act().gone(),
                        acted.act().skipped()))
                .containsExactly(6, 4, 1, 0);
        assertThat(LongStream.of(u[1], u[2], u[4], u[5], u[6])).allMatch(this::isLimited);
        assertThat(logged("accounts.limit")).isEqualTo(sorted(u[1], u[4], u[5], u[6]));
        assertThat(logged("selections.limit")).containsExactly(0L);
        assertThat(f.redis
                        .askAt(Keys.warnings(u[1]), "HLEN", Keys.warnings(u[1]))
                        .asLong())
                .as("a warning and its digest")
                .isEqualTo(2);
        assertThat(f.redis
                        .askAt(Keys.warnings(u[2]), "EXISTS", Keys.warnings(u[2]))
                        .asLong())
                .isZero();

        undo(number);
        Selection undone = work(number);
        assertThat(undone.act().undo()).isTrue();
        assertThat(undone.act().phase()).isEqualTo(Phase.DONE);
        assertThat(undone.act().restored()).isEqualTo(4);
        assertThat(LongStream.of(u[1], u[4], u[5], u[6])).noneMatch(this::isLimited);
        assertThat(isLimited(u[2])).as("limited before").isTrue();
        assertThat(logged("accounts.unlimit")).isEqualTo(sorted(u[1], u[4], u[5], u[6]));
        assertThat(f.redis
                        .askAt(Keys.LIMITED_ACCOUNTS, "ZCARD", Keys.LIMITED_ACCOUNTS)
                        .asLong())
                .isEqualTo(1);
        assertThatThrownBy(() -> act(number, Action.SILENCE)).isInstanceOf(Refusal.class);
    }

    @Test
    void aLaterActDecides() {
        long first = select(u[1], u[2], u[3], u[4], u[5]);
        act(first, Action.SUSPEND);
        work(first);
        // Confirmed by hand, lifted and given again, lifted, and selected once more.
        f.get(() -> access.suspend(u[2]));
        f.get(() -> access.unsuspend(u[3]));
        f.get(() -> access.suspend(u[3]));
        f.get(() -> access.unsuspend(u[4]));
        long second = select(u[4], u[5], u[6]);
        act(second, Action.SUSPEND);
        assertThat(work(second).act().changed()).isEqualTo(2);

        undo(first);
        assertThat(work(first).act().restored()).isEqualTo(1);
        assertThat(isSuspended(u[1])).isFalse();
        assertThat(LongStream.of(u[2], u[3], u[4], u[5], u[6])).allMatch(this::isSuspended);
        undo(second);
        work(second);
        assertThat(LongStream.of(u[4], u[6])).noneMatch(this::isSuspended);
        assertThat(LongStream.of(u[2], u[3], u[5])).allMatch(this::isSuspended);
    }

    @Test
    void theUndoOfARunningActStopsIt() {
        long number = select(u[1], u[2], u[3], u[4], u[5]);
        act(number, Action.SENSITIVE);
        f.get(() -> run.step(number, /* place= */ 0));
        undo(number);
        work(number);
        assertThat(logged("accounts.sensitive")).hasSize(3);
        assertThat(logged("accounts.unsensitive")).hasSize(3);
        assertThat(f.redis
                        .askAt(Keys.SENSITIZED_ACCOUNTS, "ZCARD", Keys.SENSITIZED_ACCOUNTS)
                        .asLong())
                .isZero();
        // A worker that was slow comes with what it had taken.
        assertThat(f.get(() -> restrictions.set(u[5], Kind.SENSITIZED, true, number)))
                .isFalse();
        assertThat(f.redis
                        .askAt(Keys.user(u[5]), "HEXISTS", Keys.user(u[5]), "sensitized")
                        .asLong())
                .isZero();
    }

    @Test
    void nobodyIsTouchedWhomTheRoleDoesNotReach() {
        promote(u[1], Role.MODERATOR);
        promote(u[2], Role.ADMIN);
        promote(u[3], Role.OWNER);
        long number = select(u[0], u[1], u[2], u[3], u[4]);
        act(number, Action.SUSPEND);
        Selection done = work(number);
        assertThat(List.of(done.act().changed(), done.act().skipped())).containsExactly(1, 4);
        assertThat(LongStream.of(u[0], u[1], u[2], u[3])).noneMatch(this::isSuspended);
        assertThat(isSuspended(u[4])).isTrue();

        long byOperator = select(u[1], u[2], u[3]);
        f.get(() -> selections.act(byOperator, Action.SUSPEND, Actor.command("root"), "", "", queue));
        work(byOperator);
        assertThat(LongStream.of(u[1], u[2])).allMatch(this::isSuspended);
        assertThat(isSuspended(u[3])).as("an owner").isFalse();
    }

    @Test
    void anActorWithoutTheRoleIsRefusedAndStopped() {
        long number = select(u[1], u[2], u[3], u[4], u[5]);
        Actor user = Actor.account(u[9]);
        assertThatThrownBy(() -> f.get(() -> selections.act(number, Action.SILENCE, user, "", "", queue)))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.FORBIDDEN));
        act(number, Action.SILENCE);
        f.get(() -> run.step(number, /* place= */ 0));
        promote(u[0], Role.USER);
        Selection stopped = work(number);
        assertThat(stopped.act().phase()).isEqualTo(Phase.STOPPED);
        assertThat(logged("accounts.limit")).hasSize(3);

        promote(u[9], Role.ADMIN);
        f.get(() -> selections.act(number, Action.SILENCE, user, "", "", queue));
        Selection done = work(number);
        assertThat(done.act().phase()).isEqualTo(Phase.DONE);
        assertThat(done.act().changed()).isEqualTo(5);
        assertThat(done.act().actor()).isEqualTo(user);
    }

    @Test
    void aJobThatRunsAgainBehindTheUndoWritesTheListsOfItsBatchAgain() {
        long number = select(u[1], u[2], u[3], u[4], u[5]);
        act(number, Action.SILENCE);
        f.get(() -> run.step(number, /* place= */ 0));
        long last = listed().get(2);
        undo(number);
        work(number);
        // The worker of the act wrote this entry late, and died.
        f.redis.askAt(Keys.LIMITED_ACCOUNTS, "ZADD", Keys.LIMITED_ACCOUNTS, "1", Long.toString(last));

        assertThat(f.get(() -> run.step(number, /* place= */ 0))).isEmpty();
        assertThat(listed()).isEmpty();
    }

    @Test
    void aLaterActWritesTheListsThatAnEarlierOneHasLeftOut() {
        long first = select(u[1]);
        act(first, Action.SILENCE);
        work(first);
        f.redis.askAt(Keys.LIMITED_ACCOUNTS, "ZREM", Keys.LIMITED_ACCOUNTS, Long.toString(u[1]));

        long second = select(u[1]);
        act(second, Action.SILENCE);
        assertThat(work(second).act().changed()).isZero();
        assertThat(listed()).containsExactly(u[1]);
    }

    @Test
    void theSameRequestEnqueuesItsJobAgainAndAnotherOneIsRefused() {
        long number = select(u[1], u[2]);
        act(number, Action.SILENCE);
        act(number, Action.SILENCE);
        String job = JobCodec.encode(new Job.Repair(JobType.SELECTION, u[0], number, /* edge= */ 0));
        assertThat(f.jobs(Id.shard(u[0]), "normal")).filteredOn(job::equals).hasSize(2);
        assertThat(logged("selections.limit")).hasSize(1);
        assertThatThrownBy(() -> act(number, Action.SUSPEND)).isInstanceOf(Refusal.class);
        work(number);
        act(number, Action.SILENCE);
        assertThat(logged("selections.limit")).hasSize(1);
        assertThatThrownBy(() -> undo(select(u[3]))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> act(select(), Action.SILENCE)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> act(4711, Action.SILENCE)).isInstanceOf(Refusal.class);
    }

    @Test
    void anActCannotBeUndoneADayAfterItsBegin() {
        long number = select(u[1]);
        act(number, Action.SILENCE);
        work(number);
        long early = System.currentTimeMillis() - Selection.UNDO_LIFE.toMillis() - 1000;
        f.redis.askAt(Keys.selection(number), "HSET", Keys.selection(number), "started", Long.toString(early));
        assertThatThrownBy(() -> undo(number)).isInstanceOf(Refusal.class).hasMessageContaining("24 hours");
        assertThat(isLimited(u[1])).isTrue();
    }

    @Test
    void selectionsAreBoundedAndEnd() {
        for (int i = 0; i < Selections.MAX; i++) {
            select(u[1]);
        }
        assertThatThrownBy(() -> select(u[1])).isInstanceOf(Refusal.class);
        assertThat(f.get(() -> selections.list())).hasSize(Selections.MAX);
        long newest = f.get(() -> selections.list()).get(0).number();
        for (String key : List.of(Keys.selection(newest), Keys.selectedAccounts(newest))) {
            assertThat(f.redis.askAt(key, "PTTL", key).asLong()).isBetween(1L, Selections.LIFE.toMillis());
        }
        f.redis.askAt(Keys.SELECTIONS, "ZADD", Keys.SELECTIONS, "1", Long.toString(newest));
        select(u[1]);
        act(newest, Action.SILENCE);
        for (String key : List.of(Keys.selection(newest), Keys.selectedAccounts(newest))) {
            assertThat(f.redis.askAt(key, "PTTL", key).asLong()).isGreaterThan(Selection.UNDO_LIFE.toMillis());
        }
    }
}
