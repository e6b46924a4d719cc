package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Steps;
import io.fanfare.core.LoopStores;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.moderation.Selection.Found;
import io.fanfare.core.moderation.Selection.Phase;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Two acts on overlapping selections and their undos run as jobs, one command at a time in an order drawn from the
 * seed, while moderators limit single accounts and lift that. Workers die anywhere, and their jobs run again. A plain
 * model, kept up to date with the answers of the script that changes an account, says which accounts are limited in the
 * end.
 */
@ParameterizedClass
@KindsOfRedis
class SelectionsModelTest {
    private static final int SEEDS = Integer.getInteger("fanfare.tests.seeds", 15);
    private static final int STEPS_MAX = 5000;
    private static final int ACCOUNTS = 7;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    /** The stores of one process. */
    private record Parts(Selections selections, Restrictions restrictions, SelectionRun run) {
        static Parts on(Redis redis, StoreFixture f) {
            LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(
                    redis, f.settings, new Shards(f.settings.redis().shards()), InstantSource.system(), new Random(1)));
            Selections selections = new Selections(redis, new ModerationLog(redis, 10_000));
            Restrictions restrictions =
                    new Restrictions(redis, stores.statuses(), stores.publicTimelines(), stores.follows());
            SelectionRun run = new SelectionRun(
                    selections,
                    restrictions,
                    new AccountAccess(redis),
                    stores.notifications().warnings(),
                    stores.notificationPublisher(),
                    Mails.of(redis, f.settings),
                    /* batchMax= */ 3);
            return new Parts(selections, restrictions, run);
        }
    }

    /** The account's restriction by the rules of docs/operate/moderation.md: the newest decision about it wins. */
    private static final class Model {
        private final Set<Long> limited = new TreeSet<>();
        /** The act that has limited an account, while nobody has decided since. */
        private final Map<Long, Long> limitedBy = new HashMap<>();
        /** The newest act on a selection that has reached an account. */
        private final Map<Long, Long> reached = new HashMap<>();

        private final Map<Long, Set<Long>> changed = new TreeMap<>();
        private final Map<Long, Set<Long>> restored = new TreeMap<>();

        void byHand(long account, boolean on) {
            limitedBy.remove(account);
            set(account, on);
        }

        void act(long number, long account) {
            if (reached.getOrDefault(account, 0L) < number) {
                reached.put(account, number);
                limitedBy.remove(account);
                if (limited.add(account)) {
                    limitedBy.put(account, number);
                    changed.computeIfAbsent(number, one -> new TreeSet<>()).add(account);
                }
            }
        }

        void undo(long number, long account) {
            if (limitedBy.getOrDefault(account, 0L) == number) {
                limitedBy.remove(account);
                limited.remove(account);
                restored.computeIfAbsent(number, one -> new TreeSet<>()).add(account);
            }
            if (reached.getOrDefault(account, 0L) < number) {
                reached.put(account, number);
                limitedBy.remove(account);
            }
        }

        private void set(long account, boolean on) {
            if (on) {
                limited.add(account);
            } else {
                limited.remove(account);
            }
        }
    }

    @Test
    void atRestTheNewestDecisionAboutEachAccountHoldsAndEachChangeIsLoggedOnce() {
        long first = Long.getLong("fanfare.tests.seed", System.nanoTime());
        for (long seed = first; seed < first + SEEDS; seed++) {
            f.redis.flush();
            run(seed);
        }
    }

    private void run(long seed) {
        Random random = new Random(seed);
        long[] u = f.users(ACCOUNTS + 1);
        Actor moderator = Actor.account(u[ACCOUNTS]);
        Parts plain = Parts.on(f.link, f);
        ModerationLog log = new ModerationLog(f.link, 10_000);
        Roles roles = new Roles(f.link, log);
        f.get(() -> roles.set(Act.on(Actor.command("root"), "role.set", u[ACCOUNTS], ""), Role.MODERATOR));
        JobQueue queue = new JobQueue(f.link, new Shards(f.settings.redis().shards()), f.settings.queue());
        Map<String, Long> byKey = new HashMap<>();
        for (long account : u) {
            byKey.put(Keys.user(account), account);
        }
        Model model = new Model();
        long one = select(plain, u, 0, 5);
        long two = select(plain, u, 3, ACCOUNTS);
        f.get(() -> plain.selections.act(one, Action.SILENCE, moderator, "", "", queue));
        f.get(() -> plain.selections.act(two, Action.SILENCE, moderator, "", "", queue));

        List<Worker> workers = new ArrayList<>(List.of(new Worker(one, byKey, model), new Worker(two, byKey, model)));
        boolean undone = false;
        for (int step = 0; step < STEPS_MAX && !(undone && workers.stream().allMatch(Worker::isDone)); step++) {
            Worker worker = workers.get(random.nextInt(workers.size()));
            worker.step(random, /* mayDie= */ step < STEPS_MAX / 2);
            if (random.nextInt(25) == 0) {
                long account = u[random.nextInt(ACCOUNTS)];
                boolean on = random.nextBoolean();
                f.get(() -> plain.restrictions.set(account, Kind.LIMITED, on));
                model.byHand(account, on);
            }
            if (!undone && (random.nextInt(60) == 0 || workers.stream().allMatch(Worker::isDone))) {
                f.get(() -> plain.selections.undo(one, moderator, "", queue));
                workers.add(new Worker(one, byKey, model));
                undone = true;
            }
        }
        assertThat(workers).as("ended, seed %d", seed).allMatch(Worker::isDone);

        assertThat(limited(u)).as("seed %d", seed).isEqualTo(model.limited);
        assertThat(listed()).as("the list, seed %d", seed).isEqualTo(model.limited);
        assertThat(f.get(() -> plain.selections.require(one)).act().phase()).isEqualTo(Phase.DONE);
        assertThat(f.get(() -> plain.selections.require(two)).act().phase()).isEqualTo(Phase.DONE);
        Map<Long, Set<Long>> logged = logged(log, "accounts.limit");
        assertThat(logged.getOrDefault(two, Set.of()))
                .as("logged, seed %d", seed)
                .isEqualTo(model.changed.getOrDefault(two, Set.of()));
        // What the act left unsettled when its undo began, or a later act came between a change and its entry, has
        // none.
        assertThat(model.changed.getOrDefault(one, Set.of()))
                .as("logged of the first, seed %d", seed)
                .containsAll(logged.getOrDefault(one, Set.of()));
        assertThat(model.restored.getOrDefault(one, Set.of()))
                .as("undo logged, seed %d", seed)
                .containsAll(logged(log, "accounts.unlimit").getOrDefault(one, Set.of()));
    }

    private long select(Parts process, long[] u, int from, int to) {
        List<Long> accounts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            accounts.add(u[i]);
        }
        return f.get(() -> process.selections.add(u[ACCOUNTS], "those", accounts, new Found(false, true, 0)));
    }

    /** A worker with the job of a selection; when it dies, another one has the job from its beginning. */
    private final class Worker {
        private final long number;
        private final Map<String, Long> byKey;
        private final Model model;
        private Steps steps;
        private final AtomicReference<Future<OptionalLong>> running = new AtomicReference<>();
        /** The place of the batch of the job. */
        private long place;

        private boolean done;
        /** Whether it has read that the undo has begun. */
        private boolean undo;

        Worker(long number, Map<String, Long> byKey, Model model) {
            this.number = number;
            this.byKey = byKey;
            this.model = model;
            start();
        }

        private void start() {
            steps = new Steps(f.link, (command, reply) -> {
                if (command.name().equals("HGETALL") && command.key().equals(Keys.selection(number))) {
                    undo = reply.items().stream()
                            .anyMatch(item -> item.asString().equals("undo"));
                }
                if (command.toString().startsWith("restrict ")) {
                    long account = byKey.get(command.key());
                    if (undo) {
                        model.undo(number, account);
                    } else {
                        model.act(number, account);
                    }
                }
            });
            Parts process = Parts.on(steps, f);
            f.get(() -> {
                running.set(process.run.step(number, place));
                return Future.succeededFuture();
            });
        }

        boolean isDone() {
            return done;
        }

        void step(Random random, boolean mayDie) {
            if (done) {
                return;
            }
            if (running.get().isComplete()) {
                OptionalLong next = running.get().succeeded() ? running.get().result() : OptionalLong.of(place);
                done = next.isEmpty();
                place = next.orElse(place);
                if (!done) {
                    start();
                }
            } else if (mayDie && random.nextInt(20) == 0) {
                if (random.nextBoolean()) {
                    f.get(() -> steps.stepAndDie());
                } else {
                    steps.kill();
                }
                start();
            } else {
                f.get(() -> steps.step());
            }
        }
    }

    private Set<Long> limited(long[] u) {
        Set<Long> limited = new TreeSet<>();
        for (long account : u) {
            if (f.redis
                            .askAt(Keys.user(account), "HEXISTS", Keys.user(account), "limited")
                            .asLong()
                    == 1) {
                limited.add(account);
            }
        }
        return limited;
    }

    private Set<Long> listed() {
        return f.redis.askAt(Keys.LIMITED_ACCOUNTS, "ZRANGE", Keys.LIMITED_ACCOUNTS, "0", "-1").items().stream()
                .map(reply -> reply.asLong())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Accounts by the number of the selection; fails for one that is logged twice. */
    private Map<Long, Set<Long>> logged(ModerationLog log, String action) {
        Map<Long, Set<Long>> logged = new TreeMap<>();
        f.get(() -> log.page(new Filter(0, 0, action), "", 1000)).entries().forEach(entry -> {
            long number = Long.parseLong(entry.act().detail().replace("selection ", ""));
            assertThat(logged.computeIfAbsent(number, one -> new TreeSet<>())
                            .add(entry.act().account()))
                    .as("one entry")
                    .isTrue();
        });
        return logged;
    }
}
