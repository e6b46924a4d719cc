package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.AccountChange;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Steps;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three users follow, unfollow, block, unblock and mute each other, lock and unlock their accounts, answer requests to
 * follow, and are suspended now and then; processes go on one command at a time in an order drawn from the seed, die
 * anywhere, and jobs are delivered again. A plain model, kept up to date with what the first steps have done, says how
 * both sides must stand at rest.
 */
@ParameterizedClass
@KindsOfRedis
class BlocksModelTest {
    private static final int SEEDS = Integer.getInteger("fanfare.tests.seeds", 25);
    private static final int SEEDS_MAX = 1000;
    private static final int OPERATIONS = 30;
    private static final int STEPS_MAX = 20_000;

    /** More than there are. */
    private static final int LOG_EVENTS = 1000;

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

    @Test
    void atRestBothSidesAgreeAndNobodyFollowsAcrossABlock() {
        long first = Long.getLong("fanfare.tests.seed", System.nanoTime());
        for (long seed = first; seed < first + SEEDS; seed++) {
            assertThat(run(Fault.NONE, seed)).as("seed %d", seed).isEmpty();
            Report report = f.get(() -> Verification.of(f.link, f.settings));
            assertThat(report.left()).as("verified, seed %d", seed).isEmpty();
            Verification.assertClean(report);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void leavingOutAStepIsNoticed(Fault fault) {
        Set<String> noticed = new TreeSet<>();
        for (long seed = 1; noticed.isEmpty() && seed < SEEDS_MAX; seed++) {
            noticed.addAll(run(fault, seed));
        }
        assertThat(noticed).isNotEmpty();
    }

    /** Events that only streams go by. */
    private static final Set<Event.Kind> TURNS = EnumSet.of(Event.Kind.MUTE, Event.Kind.UNMUTE, Event.Kind.TERMS);

    /** A step that is left out. */
    enum Fault {
        NONE,
        /** The follow of who is blocked is not ended. */
        NO_END,
        /** A request is left to the followee though nobody need ask any more. */
        NO_LOOK,
        /** The job of the end of a request does nothing. */
        NO_UNREQUEST
    }

    private Set<String> run(Fault fault, long seed) {
        kind.redis().flush();
        long[] users = f.users(3);
        return f.get(() -> new Life(f.link, f.settings, fault, users, seed).run());
    }

    /** One schedule. */
    private static final class Life {
        private final Redis redis;
        private final Settings settings;
        private final Fault fault;
        private final long[] users;
        private final Random random;
        private final List<Running> processes = new ArrayList<>();
        private final Set<String> broken = new TreeSet<>();
        private final Promise<Set<String>> end = Promise.promise();
        private final Map<Pair, Long> following = new HashMap<>(); // Pair(follower, followee) to edge id.
        private final Map<Pair, Long> blocks = new HashMap<>();
        private final Map<Pair, Long> mutes = new HashMap<>();
        private final Map<Pair, Long> requests = new HashMap<>();
        private final Set<Long> locked = new TreeSet<>();
        private final Set<Long> suspended = new TreeSet<>();

        /** The events of mutes and of changed terms that the log must hold at rest. */
        private final Set<String> unlogged = new TreeSet<>();

        private Future<?> jobsTaken = Future.succeededFuture();
        private int operationsLeft = OPERATIONS;
        private int steps;

        Life(Redis redis, Settings settings, Fault fault, long[] users, long seed) {
            this.redis = redis;
            this.settings = settings;
            this.fault = fault;
            this.users = users;
            this.random = new Random(seed);
        }

        /** An API call or a job. */
        private final class Running {
            final Steps steps;
            final double deathRate;
            final double pace = new double[] {1, 1, 0.3, 0.05}[random.nextInt(4)];
            Runnable afterDeath = () -> {};

            /** The accounts that this process follows at once. */
            List<Long> several = List.of();

            /** Whether this process locks or suspends an account, or the opposite. */
            boolean closes;

            Future<?> work;

            Running(long one, long other, double deathRate) {
                this.deathRate = deathRate;
                this.steps = new Steps(redis, (command, reply) -> seen(this, command, reply, one, other));
            }

            void start(Function<Blocks, Future<?>> program) {
                Graph graph = new Graph(steps, settings) {
                    @Override
                    public Future<Map<Long, Future<Change>>> followSome(
                            long follower, Map<Long, Admission> followees, Lane lane) {
                        several = List.copyOf(followees.keySet());
                        return super.followSome(follower, followees, lane);
                    }
                };
                EventLog events = new EventLog(steps, random, settings.stream());
                Statuses statuses = new Statuses(steps, settings);
                Follows follows = new Stores.QuietFollows(graph, new Homes(steps, settings.feeds()), statuses, events) {
                    @Override
                    protected Future<Void> unfollowBlocker(long follower, long followee, long block) {
                        return fault != Fault.NO_END
                                ? super.unfollowBlocker(follower, followee, block)
                                : Future.succeededFuture();
                    }

                    @Override
                    protected Future<Boolean> mayStand(long follower, long followee, long edge) {
                        return fault == Fault.NO_LOOK
                                ? Future.succeededFuture(true)
                                : super.mayStand(follower, followee, edge);
                    }

                    @Override
                    public Future<Void> finishUnrequest(long follower, long followee, long edge) {
                        return fault == Fault.NO_UNREQUEST
                                ? Future.succeededFuture()
                                : super.finishUnrequest(follower, followee, edge);
                    }

                    @Override
                    public Future<Void> append(Event event) {
                        return TURNS.contains(event.kind())
                                ? events.append(event).mapEmpty()
                                : super.append(event);
                    }
                };
                processes.add(this);
                this.follows = follows;
                work = program.apply(new Blocks(steps, settings, graph, follows));
                work.onFailure(cause -> {
                    if (!(cause instanceof Refusal)) {
                        end.tryFail(cause);
                    }
                });
            }

            Follows follows;
        }

        Future<Set<String>> run() {
            turn();
            return end.future();
        }

        private void turn() {
            processes.removeIf(p -> !p.steps.canStep() && (p.work.isComplete() || p.steps.killed()));
            if (end.future().isComplete()) {
                return;
            }
            if (steps++ > STEPS_MAX) {
                end.fail("no end");
            } else if (operationsLeft == 0 && processes.isEmpty()) {
                atRest().onComplete(done -> end.tryComplete(broken), end::tryFail);
            } else if (operationsLeft > 0 && (processes.isEmpty() || random.nextDouble() < 0.15)) {
                operationsLeft--;
                operation();
                turn();
            } else {
                step(processes.get(random.nextInt(processes.size())));
            }
        }

        private void step(Running process) {
            if (!process.steps.canStep() || random.nextDouble() >= process.pace) {
                turn();
            } else if (random.nextDouble() < process.deathRate) {
                Future<Void> last = random.nextBoolean() ? process.steps.stepAndDie() : Future.succeededFuture();
                process.steps.kill();
                last.onSuccess(done -> process.afterDeath.run())
                        .compose(done -> jobsTaken)
                        .onComplete(done -> turn(), end::tryFail);
            } else {
                process.steps.step().compose(done -> jobsTaken).onComplete(done -> turn(), end::tryFail);
            }
        }

        private void operation() {
            int from = random.nextInt(users.length);
            long one = users[from];
            long other = users[(from + 1 + random.nextInt(users.length - 1)) % users.length];
            Running process = new Running(one, other, 0.05);
            switch (random.nextInt(17)) {
                case 14, 15 -> process.start(b -> process.follows.followAll(one, others(one)));
                case 16 -> process.start(b -> process.follows.unfollowAll(one, others(one)));
                case 7, 8 -> lock(process, one);
                case 9, 10 -> process.start(b -> process.follows.authorize(one, other));
                case 11 -> process.start(b -> process.follows.reject(one, other));
                case 12 -> suspend(process, one);
                case 0, 1, 2 -> process.start(b -> process.follows.follow(one, other, terms()));
                case 3 -> process.start(b -> process.follows.unfollow(one, other));
                case 4, 5 -> process.start(b -> b.block(one, other).onSuccess(change -> answered(one, other, change)));
                case 6 -> process.start(b -> b.unblock(one, other));
                default ->
                    process.start(b ->
                            random.nextBoolean() ? b.mute(one, other, random.nextBoolean()) : b.unmute(one, other));
            }
        }

        private Set<Long> others(long account) {
            return Arrays.stream(users)
                    .filter(user -> user != account)
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private void lock(Running process, long account) {
            process.closes = random.nextBoolean();
            AccountChange change = new AccountChange();
            change.locked(process.closes);
            process.start(b -> new Accounts(process.steps, new Shards(16), random).update(account, change));
        }

        /** Seldom, and soon lifted: meanwhile not much is possible. */
        private void suspend(Running process, long account) {
            process.closes = random.nextInt(3) == 0;
            AccountAccess access = new AccountAccess(process.steps);
            process.start(b -> process.closes ? access.suspend(account) : access.unsuspend(account));
        }

        private Boolean terms() {
            return random.nextBoolean() ? null : (Boolean) random.nextBoolean();
        }

        private void answered(long one, long other, Graph.Change change) {
            boolean stands =
                    change.equals(new Graph.Change(blocks.getOrDefault(new Pair(one, other), 0L), change.changed()));
            if (stands
                    && (following.containsKey(new Pair(one, other)) || following.containsKey(new Pair(other, one)))) {
                broken.add("a follow outlives the answer to the block");
            }
            if (stands && (requests.containsKey(new Pair(one, other)) || requests.containsKey(new Pair(other, one)))) {
                broken.add("a request outlives the answer to the block");
            }
        }

        /** Updates the model by a command, in the instant in which it is executed. */
        private void seen(Running process, Command command, Reply reply, long one, long other) {
            String name = command.toString().split(" ", 2)[0];
            Pair pair = new Pair(one, other);
            switch (name) {
                case "follow" -> followed(pairOf(command, reply, one, other), reply.items());
                case "follow_some" -> {
                    for (int i = 0; i < process.several.size(); i++) {
                        followed(
                                new Pair(one, process.several.get(i)),
                                reply.items().get(i).items());
                    }
                }
                case "unfollow_some" -> {
                    for (Reply ended : reply.items()) {
                        following.values().remove(ended.items().get(0).asLong());
                        requests.values().remove(ended.items().get(1).asLong());
                    }
                    takeJobs();
                }
                case "unfollow" -> {
                    if (!reply.isNil()) {
                        following.values().remove(reply.items().get(0).asLong());
                        requests.values().remove(reply.items().get(1).asLong());
                        takeJobs();
                    }
                }
                case "block" -> {
                    if (List.of("new", "same").contains(reply.items().get(0).asString())) {
                        blocks.put(pair, reply.items().get(1).asLong());
                        following.remove(pair);
                        requests.remove(pair);
                        takeJobs();
                    }
                }
                case "unblock" -> {
                    blocks.remove(pair);
                    takeJobs();
                }
                case "mute" -> {
                    if (List.of("new", "same").contains(reply.items().get(0).asString())) {
                        mutes.put(pair, reply.items().get(1).asLong());
                        takeJobs();
                    }
                }
                case "unmute" -> {
                    if (!reply.isNil()) {
                        mutes.remove(pair);
                        unlogged.add("o" + reply.asLong());
                        takeJobs();
                    }
                }
                case "update_account" -> {
                    if (reply.asLong() == 1) {
                        note(locked, process.closes, one);
                    }
                }
                case "suspend" -> {
                    if (reply.asLong() == 1) {
                        note(suspended, process.closes, one);
                    }
                }
                default -> {}
            }
        }

        private void followed(Pair pair, List<Reply> answer) {
            String outcome = answer.get(0).asString();
            if (List.of("requested", "asked").contains(outcome)) {
                requests.put(pair, answer.get(1).asLong());
                if (blocks.containsKey(pair) || following.containsKey(pair)) {
                    broken.add("somebody asks whom they block or follow");
                }
                takeJobs();
            }
            if (outcome.equals("terms")) {
                unlogged.add("t" + answer.get(2).asLong());
                takeJobs();
            }
            if (List.of("new", "same", "terms").contains(outcome)) {
                following.put(pair, answer.get(1).asLong());
                requests.remove(pair);
                if (blocks.containsKey(pair)) {
                    broken.add("somebody follows whom they block");
                }
                takeJobs();
            }
        }

        private void note(Set<Long> state, boolean is, long account) {
            if (is) {
                state.add(account);
            } else {
                state.remove(account);
            }
            takeJobs();
        }

        /** The two accounts of the request that the command has ended, or else of the running process. */
        private Pair pairOf(Command command, Reply reply, long one, long other) {
            List<Reply> answer = reply.items();
            if (answer.size() > 3) {
                for (Map.Entry<Pair, Long> request : requests.entrySet()) {
                    if (request.getValue() == answer.get(3).asLong()) {
                        return request.getKey();
                    }
                }
            }
            return Keys.user(one).equals(command.key()) ? new Pair(one, other) : new Pair(other, one);
        }

        /**
         * Workers take what waits, sometimes twice, before anything else happens; killed at any step, it is delivered
         * again.
         */
        private void takeJobs() {
            List<Future<?>> takes = new ArrayList<>();
            for (long user : users) {
                for (int i = 0; i < 2; i++) {
                    takes.add(takeJob(Keys.lane(Id.shard(user), "high")));
                    takes.add(takeJob(Keys.lane(Id.shard(user), "normal")));
                }
            }
            jobsTaken = Future.all(takes);
        }

        private Future<Reply> takeJob(String lane) {
            return redis.send(Command.of("RPOP", lane)).onSuccess(line -> {
                if (!line.isNil()) {
                    Job job = JobCodec.decode(line.asString()).job();
                    startJob(job);
                    if (random.nextInt(4) == 0) {
                        startJob(job);
                    }
                }
            });
        }

        private void startJob(Job job) {
            if (job instanceof Job.Repair repair) {
                job(repair, steps(repair.type()));
            } else if (job instanceof Job.Changes changes) {
                Running process = new Running(changes.actor(), changes.actor(), 0.03);
                process.afterDeath = () -> startJob(job);
                process.start(b -> process.follows.finishChanges(changes));
            }
        }

        private static Program steps(JobType type) {
            return switch (type) {
                case LINK -> (p, b, job) -> p.follows.finishFollow(job.actor(), job.object(), job.edge());
                case UNLINK -> (p, b, job) -> p.follows.finishUnfollow(job.actor(), job.object(), job.edge());
                case BLOCK -> (p, b, job) -> b.finishBlock(job.actor(), job.object(), job.edge());
                case UNBLOCK -> (p, b, job) -> b.finishUnblock(job.actor(), job.object(), job.edge());
                case MUTE -> (p, b, job) -> b.finishMute(job.actor(), job.object(), job.edge());
                case UNMUTE -> (p, b, job) -> b.finishUnmute(job.actor(), job.object(), job.edge());
                case TERMS -> (p, b, job) -> p.follows.finishTerms(job.actor(), job.object(), job.edge());
                case REQUEST -> (p, b, job) -> p.follows.finishRequest(job.actor(), job.object(), job.edge());
                case UNREQUEST -> (p, b, job) -> p.follows.finishUnrequest(job.actor(), job.object(), job.edge());
                case REQUESTS ->
                    (p, b, job) ->
                            p.follows.finishRequests(job.actor(), job.edge()).mapEmpty();
                default -> throw new IllegalStateException("no change of this model makes a job " + type);
            };
        }

        private record Pair(long from, long to) {}

        private interface Program {
            Future<Void> run(Running process, Blocks blocks, Job.Repair job);
        }

        private void job(Job.Repair job, Program program) {
            Running process = new Running(job.actor(), job.object(), 0.03);
            process.afterDeath = () -> startJob(job);
            process.start(b -> program.run(process, b, job));
        }

        private Future<Void> atRest() {
            List<Future<?>> checks = new ArrayList<>();
            for (Pair pair : blocks.keySet()) {
                if (following.containsKey(pair) || following.containsKey(new Pair(pair.to(), pair.from()))) {
                    broken.add("a follow across a block");
                }
            }
            requests.keySet().forEach(request -> {
                if (!locked.contains(request.to())) {
                    broken.add("a request to an account that is not locked");
                }
                if (suspended.contains(request.from()) || suspended.contains(request.to())) {
                    broken.add("a request of or to an account that is suspended");
                }
                if (blocks.containsKey(request) || blocks.containsKey(new Pair(request.to(), request.from()))) {
                    broken.add("a request across a block");
                }
            });
            for (long user : users) {
                checks.add(check(Keys.requesting(user), true, user, requests));
                checks.add(check(Keys.requests(user), false, user, requests));
                checks.add(words(user));
                checks.add(check(Keys.following(user), true, user, following));
                checks.add(check(Keys.followers(user), false, user, following));
                checks.add(check(Keys.blocks(user), true, user, blocks));
                checks.add(check(Keys.blockedBy(user), false, user, blocks));
                checks.add(size(user, "following", Keys.following(user)));
                checks.add(size(user, "followers", Keys.followers(user)));
                checks.add(redis.send(Command.of("ZCARD", Keys.mutes(user))).onSuccess(size -> {
                    if (size.asLong()
                            != mutes.keySet().stream()
                                    .filter(m -> m.from() == user)
                                    .count()) {
                        broken.add("mutes");
                    }
                }));
            }
            mutes.values().forEach(edge -> unlogged.add("m" + edge));
            checks.add(new EventLog(redis, random, settings.stream())
                    .read(0, LOG_EVENTS)
                    .onSuccess(page -> page.events()
                            .forEach(logged -> unlogged.remove(logged.event().id())))
                    .onSuccess(read -> {
                        if (!unlogged.isEmpty()) {
                            broken.add("a mute, its end or a change of terms is not told");
                        }
                    }));
            return Future.all(checks).mapEmpty();
        }

        private Future<?> check(String key, boolean outgoing, long user, Map<Pair, Long> model) {
            Map<Long, Long> wanted = new HashMap<>();
            model.forEach((pair, edge) -> {
                if ((outgoing ? pair.from() : pair.to()) == user) {
                    wanted.put(outgoing ? pair.to() : pair.from(), edge);
                }
            });
            return redis.send(Edges.upward(key, 0, Id.MAX, 100)).onSuccess(reply -> {
                Map<Long, Long> there = new HashMap<>();
                Edges.of(reply).forEach(edge -> there.put(edge.accountId(), edge.edgeId()));
                if (!there.equals(wanted)) {
                    broken.add(key.substring(0, key.indexOf(':')));
                }
            });
        }

        /** Every notification of a follow request has its request. */
        private Future<?> words(long user) {
            return redis.send(Command.of("ZRANGE", Keys.notifications(user), 0, -1))
                    .onSuccess(all -> all.items().forEach(outcome -> {
                        String[] parts = outcome.asString().split(" ", -1);
                        if (parts[0].equals("follow_request")
                                && !requests.containsKey(new Pair(Long.parseLong(parts[1]), user))) {
                            broken.add("word of a request that there is not");
                        }
                    }));
        }

        private Future<?> size(long user, String counter, String key) {
            Future<Reply> counted = redis.send(Command.of("HGET", Keys.user(user), counter));
            Future<Reply> there = redis.send(Command.of("ZCARD", key));
            return Future.all(counted, there).onSuccess(both -> {
                String count = counted.result().isNil() ? "0" : counted.result().asString();
                if (!count.equals(there.result().asString())) {
                    broken.add("counter of " + counter);
                }
            });
        }
    }
}
