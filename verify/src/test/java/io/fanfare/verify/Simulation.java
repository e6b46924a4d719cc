package io.fanfare.verify;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Steps;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.NaiveFold;
import io.fanfare.core.feed.Rules;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.feed.SwitchedArchive;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A random life of four users on a real Redis: posts, deletes, follows, unfollows, homes that expire at any moment,
 * several devices reading at once; with an archive, statuses that move there and thaw while it goes away and comes
 * back. Jobs come late, twice, or are killed half-way and delivered again. Processes run one command at a time in an
 * order drawn from the seed (see {@link Steps}), and a naive model, kept up to date with what Redis has executed, says
 * what each page may and must show (docs/invariants.md, 2 to 5). Runs on one event loop.
 */
final class Simulation {
    /**
     * How often each kind of operation comes, relative to the others; drawn around these for each seed. Those of the
     * archive come beside them when there is one.
     *
     * @param people whether users also block and mute each other, and follow and unfollow all others at once
     */
    record Mix(int post, int delete, int follow, int unfollow, int expire, int walk, boolean people) {
        private static final List<Integer> ARCHIVE = List.of(6, 2, 2);
        private static final List<Integer> PEOPLE_ALONE = List.of(2, 2, 3, 3, 5, 3);

        static final Mix EVEN = new Mix(8, 2, 4, 3, 3, 8, false);
        static final Mix REBUILDS = new Mix(8, 0, 1, 1, 8, 8, false);
        static final Mix DELETES = new Mix(9, 9, 1, 1, 0, 5, false);
        static final Mix EDGES = new Mix(3, 0, 9, 9, 3, 5, false);
        static final Mix PEOPLE = new Mix(8, 1, 3, 1, 3, 8, true);
    }

    private static final int OPERATIONS = 22;
    private static final int STEPS_MAX = 100_000;

    /** How often an archive that is away comes back at a step after the last operation: most steps come after it. */
    private static final double RETURNS = 0.005;

    /** Pages that each reader reads, from any cursor, at rest. */
    private static final int PAGES = 4;

    private static final int WALK_MAX = 100; // More than there are posts: something goes in circles.

    /** The operations of a schedule, in the order of {@link Mix}. */
    enum Kind {
        POST,
        DELETE,
        FOLLOW,
        UNFOLLOW,
        EXPIRE,
        WALK,
        /** A pass of the archive, with the lease of another one ended. */
        ARCHIVE,
        /** Somebody is going to write to an archived status. */
        THAW,
        /** The archive goes away, or comes back. */
        AWAY,
        BLOCK,
        UNBLOCK,
        MUTE,
        UNMUTE,
        /** One user follows all others at once. */
        FOLLOW_ALL,
        UNFOLLOW_ALL
    }

    /** One thing done, by users by their number. */
    record Operation(Kind kind, int one, int other) {
        @Override
        public String toString() {
            return switch (kind) {
                case AWAY -> "away";
                case FOLLOW, UNFOLLOW, BLOCK, UNBLOCK, MUTE, UNMUTE ->
                    kind.name().toLowerCase(Locale.ROOT) + " " + one + " " + other;
                default -> kind.name().toLowerCase(Locale.ROOT) + " " + one;
            };
        }
    }

    private final Redis redis;
    private final Settings settings;
    private final List<Settings> dials;
    private final SwitchedArchive archiveOrNull;
    private final List<Operation> script;
    private final List<Operation> done = new ArrayList<>();
    private final Rules rules;
    private final long seed;
    private final long salt;
    private Random random;
    private final double[] weights;
    private final List<Kind> kinds;
    private final boolean people;
    private final Rules.Remembered remembered;
    private final List<Running> processes = new ArrayList<>();
    private final TreeSet<String> broken = new TreeSet<>();
    private final Promise<Set<String>> end = Promise.promise();

    private long[] users;
    private int operationsLeft;
    private long clock;
    private long originals;

    // The naive model.
    private final Map<Long, Long> authorOf = new TreeMap<>();
    private final Map<Long, Long> reposts = new HashMap<>(); // The original of each.
    private final Map<Long, Long> diedAt = new HashMap<>();
    private final Map<Edge, Long> following = new HashMap<>(); // Edge(follower, followee) to edge id.
    private final Map<Edge, Long> unfollowedAt = new HashMap<>();
    private final Set<Edge> withoutReposts = new HashSet<>();
    private final Map<Edge, Long> termsAt = new HashMap<>(); // When that was last changed.
    private final Map<Edge, Long> settled = new HashMap<>(); // The edge whose steps are known to be done.
    private final Set<Edge> blocks = new HashSet<>(); // Edge(blocker, blocked).
    private final Set<Edge> mutes = new HashSet<>();
    private final Map<Edge, Long> hiddenAt = new HashMap<>(); // When Edge(reader, author) last changed in these.
    private final Set<Long> delivered = new HashSet<>();
    private final Map<Long, Set<Long>> shown = new HashMap<>();

    /**
     * @param dials one of which each post goes by: they differ in whom they push
     * @param archiveOrNull where statuses beyond {@code archive.profile-max} go
     * @param script what is done, after the beginning that the seed has; none = it is drawn
     * @param salt of what is drawn beside a script
     */
    Simulation(
            Redis redis,
            List<Settings> dials,
            SwitchedArchive archiveOrNull,
            Rules rules,
            Mix mix,
            long seed,
            List<Operation> script,
            long salt) {
        this.redis = redis;
        this.settings = dials.get(0);
        this.dials = dials;
        this.archiveOrNull = archiveOrNull;
        this.rules = rules;
        this.remembered = rules.remembered();
        this.seed = seed;
        this.script = script;
        this.salt = salt;
        this.operationsLeft = script.isEmpty() ? OPERATIONS : script.size();
        this.random = new Random(seed);
        List<Integer> all = new ArrayList<>(
                List.of(mix.post(), mix.delete(), mix.follow(), mix.unfollow(), mix.expire(), mix.walk()));
        this.kinds = new ArrayList<>(List.of(Kind.values()).subList(0, all.size()));
        this.people = mix.people();
        if (archiveOrNull != null) {
            all.addAll(Mix.ARCHIVE);
            kinds.addAll(List.of(Kind.ARCHIVE, Kind.THAW, Kind.AWAY));
        }
        if (people) {
            all.addAll(Mix.PEOPLE_ALONE);
            kinds.addAll(List.of(Kind.BLOCK, Kind.UNBLOCK, Kind.MUTE, Kind.UNMUTE, Kind.FOLLOW_ALL, Kind.UNFOLLOW_ALL));
        }
        this.weights = new double[all.size()];
        double[] moods = {0.3, 1, 1, 3};
        for (int i = 0; i < weights.length; i++) {
            weights[i] = all.get(i) * moods[random.nextInt(moods.length)];
        }
    }

    /** The operations so far, for a run that repeats them. */
    List<Operation> operations() {
        return List.copyOf(done);
    }

    /** One process: an API call or a job. Slow ones are seldom chosen. */
    private final class Running {
        final Steps steps;
        final Stores stores;
        final double pace;
        final double deathRate;
        Runnable afterDeath = () -> {};
        Future<?> work;

        Running(BiConsumer<Command, Reply> observer, double deathRate) {
            this(observer, deathRate, settings);
        }

        Running(BiConsumer<Command, Reply> observer, double deathRate, Settings settings) {
            double[] paces = {1, 1, 0.3, 0.05};
            this.pace = paces[random.nextInt(paces.length)];
            this.deathRate = deathRate;
            this.steps = new Steps(redis, observer);
            this.stores = Stores.on(steps, settings, random.nextLong(), rules, remembered, archive());
        }

        void start(Function<Running, Future<?>> program) {
            processes.add(this);
            work = program.apply(this);
            // What needs an archive that is away is refused, and a job is put off; so is a follow across a block.
            work.recover(cause -> {
                        if (people && cause instanceof Refusal) {
                            return Future.succeededFuture();
                        }
                        if (cause != Archive.AWAY) {
                            return Future.failedFuture(cause);
                        }
                        afterDeath.run();
                        return Future.succeededFuture();
                    })
                    .onFailure(end::tryFail);
        }
    }

    private Archive archive() {
        return archiveOrNull == null ? Archive.none() : rules.archive(archiveOrNull);
    }

    private boolean isAway() {
        return archiveOrNull != null && archiveOrNull.isAway;
    }

    /** Runs it all; what was broken, in words, or nothing. */
    Future<Set<String>> run() {
        Stores direct = Stores.on(redis, settings, seed);
        direct.accounts()
                .signUpAll(List.of("ann", "bob", "cleo", "dora"))
                .compose(ids -> skewShards(ids))
                .compose(ids -> past(direct, ids))
                .onComplete(
                        past -> {
                            random = script.isEmpty() ? random : new Random(salt);
                            turn();
                        },
                        end::tryFail);
        return end.future();
    }

    /** The data before a schedule: some posts, of which some are archived, some follows, some homes, and no jobs. */
    private Future<Void> past(Stores direct, List<Long> ids) {
        users = ids.stream().mapToLong(id -> id).toArray();
        List<Supplier<Future<?>>> events = new ArrayList<>();
        for (long user : users) {
            for (int posts = random.nextInt(8); posts > 0; posts--) {
                events.add(() -> direct.statuses()
                        .post(Post.of(user, "hello"), null)
                        .onSuccess(posted -> {
                            authorOf.put(posted.status().id(), user);
                            delivered.add(posted.status().id());
                        }));
            }
        }
        for (long user : users) {
            if (archiveOrNull != null && random.nextBoolean()) {
                events.add(() -> redis.send(Command.of("ZADD", Keys.archiveDue(Id.shard(user)), 0, user)));
                events.add(() -> passes(Id.shard(user)));
            }
        }
        List<long[]> pairs = new ArrayList<>();
        for (long follower : users) {
            for (long followee : users) {
                if (follower != followee && random.nextBoolean()) {
                    pairs.add(new long[] {follower, followee});
                }
            }
        }
        events.add(() -> direct.graph().followAll(pairs));
        for (long user : users) {
            events.add(() -> direct.graph()
                    .following(user, PageRequest.newest(100))
                    .onSuccess(page -> {
                        for (Edge edge : page.items()) {
                            following.put(new Edge(user, edge.accountId()), edge.edgeId());
                            settled.put(new Edge(user, edge.accountId()), edge.edgeId());
                        }
                    }));
            if (random.nextDouble() < 0.6) {
                events.add(() -> direct.timelines().home(user, PageRequest.newest(2)));
            }
            events.add(() -> redis.send(
                    Command.of("DEL", Keys.lane(Id.shard(user), "high"), Keys.lane(Id.shard(user), "normal"))));
        }
        return inOrder(events);
    }

    private static Future<Void> inOrder(List<Supplier<Future<?>>> events) {
        Future<Void> all = Future.succeededFuture();
        for (Supplier<Future<?>> event : events) {
            all = all.compose(done -> event.get()).mapEmpty();
        }
        return all;
    }

    /** Shards whose clocks run ahead by some ids, as those of different machines do. */
    private Future<List<Long>> skewShards(List<Long> ids) {
        List<Future<?>> skews = new ArrayList<>();
        for (long id : new TreeSet<>(ids)) {
            long ahead = Id.of(Id.epochMillis(id) + random.nextInt(60_000), Id.shard(id), 0);
            skews.add(redis.send(Command.of("SET", Keys.ids(Id.shard(id)), ahead)));
        }
        return Future.all(skews).map(ids);
    }

    private void turn() {
        clock++;
        processes.removeIf(
                process -> !process.steps.canStep() && (process.work.isComplete() || process.steps.killed()));
        if (end.future().isComplete()) {
            return;
        }
        if (clock > STEPS_MAX) {
            end.fail("no end after " + STEPS_MAX + " steps, seed " + seed);
        } else if (operationsLeft == 0 && isAway() && (processes.isEmpty() || random.nextDouble() < RETURNS)) {
            archiveOrNull.isAway = false;
            turn();
        } else if (operationsLeft == 0 && processes.isEmpty()) {
            atRest().onComplete(done -> end.tryComplete(broken), end::tryFail);
        } else if (operationsLeft > 0 && (processes.isEmpty() || random.nextDouble() < 0.1)) {
            operationsLeft--;
            operation();
            turn();
        } else {
            step(processes.get(random.nextInt(processes.size())));
        }
    }

    private void step(Running process) {
        if (!process.steps.canStep()) {
            end.tryFail("a process waits for nothing");
        } else if (random.nextDouble() >= process.pace) {
            turn();
        } else if (random.nextDouble() < process.deathRate) {
            Future<Void> last = random.nextBoolean() ? process.steps.stepAndDie() : Future.succeededFuture();
            process.steps.kill();
            last.onSuccess(done -> process.afterDeath.run()).onComplete(done -> turn(), end::tryFail);
        } else {
            process.steps.step().onComplete(done -> turn(), end::tryFail);
        }
    }

    private void operation() {
        Operation operation = script.isEmpty() ? draw() : script.get(script.size() - 1 - operationsLeft);
        done.add(operation);
        long one = users[operation.one()];
        long other = users[operation.other()];
        switch (operation.kind()) {
            case POST -> post(one);
            case DELETE -> delete(one);
            case FOLLOW -> follow(one, other);
            case UNFOLLOW -> unfollow(one, other);
            case EXPIRE -> expire(one);
            case WALK -> walks(one);
            case ARCHIVE -> archivePass(one);
            case THAW -> thaw(one);
            case AWAY -> archiveOrNull.isAway = !archiveOrNull.isAway;
            case BLOCK -> block(one, other);
            case UNBLOCK -> unblock(one, other);
            case MUTE -> mute(one, other, true);
            case UNMUTE -> mute(one, other, false);
            case FOLLOW_ALL -> followAll(one);
            case UNFOLLOW_ALL -> unfollowAll(one);
        }
    }

    private Operation draw() {
        double point = random.nextDouble() * java.util.Arrays.stream(weights).sum();
        int kind = 0;
        while (point >= weights[kind] && kind < weights.length - 1) {
            point -= weights[kind++];
        }
        return new Operation(kinds.get(kind), random.nextInt(users.length), random.nextInt(users.length));
    }

    // Operations: each is a process whose script calls are seen by the model in the instant they are executed.

    private void post(long author) {
        Post post = drawPost(author);
        new Running(
                        (command, reply) -> {
                            if (is(command, "post")) {
                                authorOf.put(reply.items().get(1).asLong(), author);
                                if (post.kind() == Post.Kind.REPOST) {
                                    reposts.put(
                                            reply.items().get(1).asLong(),
                                            post.original().statusId());
                                }
                                takeJobs(author);
                            }
                        },
                        0.02,
                        dials.get(random.nextInt(dials.size())))
                .start(p -> p.stores.statuses().post(post, null));
    }

    /** A post, or a repost of one of few things that are nobody's here. */
    private Post drawPost(long author) {
        if (random.nextInt(3) > 0) {
            return Post.of(author, "hello");
        }
        Reference original = new Reference(1 + ++originals % 3, author);
        return new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, original, null);
    }

    private void delete(long author) {
        List<Long> mine = authorOf.keySet().stream()
                .filter(id -> authorOf.get(id) == author)
                .toList();
        if (mine.isEmpty()) {
            return;
        }
        long id = mine.get(random.nextInt(mine.size()));
        new Running(
                        (command, reply) -> {
                            if (is(command, "delete") && !reply.isNil()) {
                                diedAt.put(id, clock);
                                takeJobs(author);
                            }
                        },
                        0.02)
                .start(p -> p.stores.statuses().delete(author, id));
    }

    private void follow(long follower, long followee) {
        if (follower == followee) {
            return;
        }
        Edge pair = new Edge(follower, followee);
        Boolean wanted = List.of(Optional.of(true), Optional.of(false), Optional.<Boolean>empty())
                .get(random.nextInt(3))
                .orElse(null);
        new Running(
                        (command, reply) -> {
                            if (is(command, "follow") && reply.items().size() > 1) {
                                following.put(pair, reply.items().get(1).asLong());
                                agree(pair, wanted);
                                takeJobs(follower);
                            }
                        },
                        0.05)
                .start(p -> p.stores
                        .follows()
                        .follow(follower, followee, wanted)
                        .onSuccess(change -> settled.put(pair, change.edge())));
    }

    private void agree(Edge pair, Boolean wanted) {
        boolean changed = wanted != null && (wanted ? withoutReposts.remove(pair) : withoutReposts.add(pair));
        if (changed) {
            termsAt.put(pair, clock);
        }
    }

    private void unfollow(long follower, long followee) {
        Edge pair = new Edge(follower, followee);
        new Running(
                        (command, reply) -> {
                            if (is(command, "unfollow") && !reply.isNil()) {
                                ended(pair);
                                takeJobs(follower);
                            }
                        },
                        0.05)
                .start(p -> p.stores.follows().unfollow(follower, followee));
    }

    private void ended(Edge pair) {
        following.remove(pair);
        agree(pair, true);
        unfollowedAt.put(pair, clock);
    }

    private Set<Long> others(long user) {
        Set<Long> others = new LinkedHashSet<>();
        for (long other : users) {
            if (other != user) {
                others.add(other);
            }
        }
        return others;
    }

    private void followAll(long follower) {
        Set<Long> others = others(follower);
        Map<Edge, Long> edges = new HashMap<>();
        new Running(
                        (command, reply) -> {
                            if (is(command, "follow_some")) {
                                int i = 0;
                                for (long followee : others) {
                                    List<Reply> answer = reply.items().get(i++).items();
                                    if (answer.size() > 1) {
                                        edges.put(
                                                new Edge(follower, followee),
                                                answer.get(1).asLong());
                                    }
                                }
                                following.putAll(edges);
                                takeJobs(follower);
                            }
                        },
                        0.05)
                .start(p -> p.stores.follows().followAll(follower, others).onSuccess(done -> settled.putAll(edges)));
    }

    private void unfollowAll(long follower) {
        Set<Long> others = others(follower);
        new Running(
                        (command, reply) -> {
                            if (is(command, "unfollow_some")) {
                                int i = 0;
                                for (long followee : others) {
                                    if (reply.items().get(i++).items().get(0).asLong() != 0) {
                                        ended(new Edge(follower, followee));
                                    }
                                }
                                takeJobs(follower);
                            }
                        },
                        0.05)
                .start(p -> p.stores.follows().unfollowAll(follower, others));
    }

    /** Updates the model by a step of a block, in whatever process. */
    private void seenOfBlock(Command command, Reply reply, long blocker, long blocked) {
        Edge pair = new Edge(blocker, blocked);
        if (is(command, "block") && reply.items().size() > 1) {
            blocks.add(pair);
            hiddenAt.put(pair, clock);
            hiddenAt.put(new Edge(blocked, blocker), clock);
            if (!reply.items().get(2).asString().equals("0")) {
                ended(pair);
            }
            takeJobs(blocker);
            takeJobs(blocker);
        } else if (is(command, "unfollow") && !reply.isNil()) {
            ended(new Edge(blocked, blocker));
            takeJobs(blocked);
        } else if (is(command, "unblock") && !reply.isNil()) {
            blocks.remove(pair);
            hiddenAt.put(pair, clock);
            hiddenAt.put(new Edge(blocked, blocker), clock);
            takeJobs(blocker);
        }
    }

    private Blocks blocks(Running p) {
        return new Blocks(p.steps, settings, p.stores.graph(), p.stores.follows());
    }

    private void block(long blocker, long blocked) {
        new Running((command, reply) -> seenOfBlock(command, reply, blocker, blocked), 0.05)
                .start(p -> blocks(p).block(blocker, blocked));
    }

    private void unblock(long blocker, long blocked) {
        new Running((command, reply) -> seenOfBlock(command, reply, blocker, blocked), 0.05)
                .start(p -> blocks(p).unblock(blocker, blocked));
    }

    private void mute(long muter, long muted, boolean mutes) {
        Edge pair = new Edge(muter, muted);
        new Running(
                        (command, reply) -> {
                            if (is(command, "mute") && reply.items().size() > 1) {
                                this.mutes.add(pair);
                                hiddenAt.put(pair, clock);
                                takeJobs(muter);
                            } else if (is(command, "unmute") && !reply.isNil()) {
                                this.mutes.remove(pair);
                                hiddenAt.put(pair, clock);
                                takeJobs(muter);
                            }
                        },
                        0.05)
                .start(p -> mutes
                        ? blocks(p).mute(muter, muted, true)
                        : blocks(p).unmute(muter, muted).mapEmpty());
    }

    private void expire(long reader) {
        new Running((command, reply) -> {}, 0).start(p -> p.steps.send(Command.of("DEL", Keys.home(reader))));
    }

    /** A pass of the archive over the shard of the author, with the author due. */
    private void archivePass(long author) {
        new Running((command, reply) -> {}, 0.03).start(p -> p.steps
                .send(Command.of("ZADD", Keys.archiveDue(Id.shard(author)), 0, author))
                .compose(due -> rules.pass(p.steps, settings, archive()).run(Id.shard(author))));
    }

    private void thaw(long author) {
        List<Long> mine = authorOf.keySet().stream()
                .filter(id -> authorOf.get(id) == author)
                .toList();
        if (!mine.isEmpty()) {
            long id = mine.get(random.nextInt(mine.size()));
            new Running((command, reply) -> {}, 0.03)
                    .start(p -> p.stores.statuses().archived().thaw(id));
        }
    }

    private static boolean is(Command command, String script) {
        return command.toString().startsWith(script + " ");
    }

    // Jobs.

    /** Takes the jobs that a script has just enqueued, as a worker does; the first process gets them. */
    private void takeJobs(long owner) {
        Running worker = new Running(
                (command, reply) -> {
                    if (!reply.isNil()) {
                        Job job = JobCodec.decode(reply.asString()).job();
                        int deliveries = random.nextInt(4) == 0 ? 2 : 1;
                        for (int i = 0; i < deliveries; i++) {
                            startJob(job);
                        }
                    }
                },
                0);
        worker.start(p -> {
            List<Future<?>> pops = new ArrayList<>();
            for (String lane : List.of("high", "normal", "low")) {
                pops.add(p.steps.send(Command.of("RPOP", Keys.lane(Id.shard(owner), lane))));
            }
            return Future.all(pops);
        });
    }

    /** At least once: killed at any step, it is delivered again. */
    private void startJob(Job job) {
        Running process = new Running(
                (command, reply) -> {
                    if (job instanceof Job.Repair repair && repair.type() == JobType.BLOCK) {
                        seenOfBlock(command, reply, repair.actor(), repair.object());
                    }
                },
                0.03);
        process.afterDeath = () -> startJob(job);
        process.start(p -> switch (job.type()) {
            case FAN_OUT -> fanOut(p.stores, (Job.FanOut) job);
            case ANNOUNCE -> {
                delivered.add(((Job.Announce) job).status());
                yield Future.succeededFuture();
            }
            case CATCH_UP -> catchUp(p.stores, (Job.CatchUp) job);
            case RETRACT -> retract(p.stores, (Job.Retract) job);
            case LINK -> link(p.stores, (Job.Repair) job);
            case UNLINK -> unlink(p.stores, (Job.Repair) job);
            case TERMS -> terms(p.stores, (Job.Repair) job);
            case BLOCK -> {
                Job.Repair block = (Job.Repair) job;
                yield blocks(p).finishBlock(block.actor(), block.object(), block.edge());
            }
            case UNBLOCK -> {
                Job.Repair block = (Job.Repair) job;
                yield blocks(p).finishUnblock(block.actor(), block.object(), block.edge());
            }
            case MUTE, UNMUTE -> Future.succeededFuture();
            case CHANGES -> changes(p.stores, (Job.Changes) job);
            default -> throw new IllegalStateException("no change of this model makes a job " + job.type());
        });
    }

    /** docs/feeds.md, section 3: one page; the rest is a further job. */
    private Future<Void> fanOut(Stores stores, Job.FanOut job) {
        return stores.graph().followersAfter(job.author(), job.cursor(), 2).compose(page -> {
            if (page.isEmpty()) {
                delivered.add(job.status());
                return Future.succeededFuture();
            }
            List<Homes.Delivery> deliveries = page.stream()
                    .map(edge -> new Homes.Delivery(edge.accountId(), List.of(job.status())))
                    .toList();
            return stores.statuses()
                    .find(job.status())
                    .compose(found -> found.isEmpty()
                            ? Future.succeededFuture()
                            : stores.homes()
                                    .push(deliveries)
                                    .compose(done -> stores.statuses().find(job.status()))
                                    .compose(again -> again.isEmpty()
                                            ? stores.homes().takeOut(removals(page, job.status()))
                                            : Future.succeededFuture())
                                    .onSuccess(
                                            done -> startJob(new Job.FanOut(job.author(), job.status(), last(page)))));
        });
    }

    /** docs/feeds.md, section 4. */
    private Future<Void> catchUp(Stores stores, Job.CatchUp job) {
        return stores.graph()
                .followersAfter(job.author(), job.cursor(), 2)
                .compose(page -> page.isEmpty()
                        ? stores.statuses()
                                .endPull(job.author(), job.from(), job.to())
                                .mapEmpty()
                        : stores.statuses()
                                .pulled(job.author(), job.from(), job.to())
                                .compose(pulled -> stores.homes()
                                        .catchUp(
                                                page.stream()
                                                        .map(Edge::accountId)
                                                        .toList(),
                                                pulled))
                                .onSuccess(done ->
                                        startJob(new Job.CatchUp(job.author(), job.from(), job.to(), last(page))))
                                .mapEmpty());
    }

    private Future<Void> retract(Stores stores, Job.Retract job) {
        return stores.graph().followersAfter(job.author(), job.cursor(), 2).compose(page -> {
            if (page.isEmpty()) {
                return Future.succeededFuture();
            }
            return stores.homes()
                    .takeOut(removals(page, job.status()))
                    .onSuccess(done -> startJob(new Job.Retract(job.author(), job.status(), last(page))));
        });
    }

    private static List<Homes.Removal> removals(List<Edge> page, long status) {
        return page.stream()
                .map(edge -> new Homes.Removal(edge.accountId(), status))
                .toList();
    }

    private static long last(List<Edge> page) {
        return page.get(page.size() - 1).edgeId();
    }

    private Future<Void> link(Stores stores, Job.Repair job) {
        return stores.follows()
                .finishFollow(job.actor(), job.object(), job.edge())
                .onSuccess(done -> settled.put(new Edge(job.actor(), job.object()), job.edge()));
    }

    private Future<Void> changes(Stores stores, Job.Changes job) {
        return stores.follows().finishChanges(job).onSuccess(done -> {
            for (Job.Repair change : job.changes()) {
                if (change.type() == JobType.LINK) {
                    settled.put(new Edge(change.actor(), change.object()), change.edge());
                }
            }
        });
    }

    private Future<Void> terms(Stores stores, Job.Repair job) {
        return stores.follows().finishTerms(job.actor(), job.object(), job.edge());
    }

    private Future<Void> unlink(Stores stores, Job.Repair job) {
        return stores.follows().finishUnfollow(job.actor(), job.object(), job.edge());
    }

    // Reading.

    /** One or two devices of one reader. */
    private void walks(long reader) {
        int devices = random.nextInt(3) == 0 ? 2 : 1;
        for (int i = 0; i < devices; i++) {
            Running device = new Running((command, reply) -> {}, 0.01);
            int limit = 1 + random.nextInt(3);
            PageRequest first =
                    random.nextInt(3) == 0 ? PageRequest.olderThan(cursor(), limit) : PageRequest.newest(limit);
            device.start(p -> walkOn(p.stores, reader, first));
        }
    }

    /** An id that somebody has, or one beside it. */
    private long cursor() {
        List<Long> ids = List.copyOf(authorOf.keySet());
        return ids.isEmpty() ? Id.MAX : ids.get(random.nextInt(ids.size())) + random.nextInt(3) - 1;
    }

    private Future<Void> walkOn(Stores stores, long reader, PageRequest page) {
        Expectation expectation = new Expectation(reader, page);
        return stores.timelines()
                .home(reader, page)
                .map(expectation::check)
                .compose(answer -> answer.next() == 0
                        ? Future.succeededFuture()
                        : walkOn(stores, reader, PageRequest.olderThan(answer.next(), page.limit())));
    }

    /** The page that must be shown, as things stood when it was requested. */
    private final class Expectation {
        final long reader;
        final PageRequest page;
        final long start = clock;
        final Map<Edge, Long> followingAtStart = Map.copyOf(following);
        final Set<Long> deliveredAtStart = Set.copyOf(delivered);
        final Set<Long> due = new HashSet<>();

        Expectation(long reader, PageRequest page) {
            this.reader = reader;
            this.page = page;
            authorOf.forEach((id, author) -> {
                if (id < page.maxId() && !diedAt.containsKey(id) && (author == reader || isDue(id, author))) {
                    due.add(id);
                }
            });
        }

        private boolean isDue(long id, long author) {
            Edge pair = new Edge(reader, author);
            return follows(pair, id)
                    && following.get(pair).equals(settled.get(pair))
                    && (delivered.contains(id) || shown(reader).contains(id));
        }

        Page<Status> check(Page<Status> answer) {
            List<Long> ids = StoreFixture.ids(answer);
            long above = page.maxId();
            for (long id : ids) {
                if (id >= above) {
                    broken.add("order"); // Invariant 4.
                }
                above = id;
                long author = authorOf.get(id);
                if (diedAt.getOrDefault(id, Long.MAX_VALUE) < start) {
                    broken.add("deleted shown"); // Invariant 3.
                }
                Edge pair = new Edge(reader, author);
                if (author != reader && !following.containsKey(pair) && unfollowedAt.getOrDefault(pair, -1L) < start) {
                    broken.add("unfollowed shown"); // Invariant 3.
                }
                if ((mutes.contains(pair) || blocks.contains(pair)) && hiddenAt.get(pair) < start) {
                    broken.add("muted or blocked shown");
                }
                boolean unwanted = reposts.containsKey(id) && withoutReposts.contains(pair);
                if (author != reader && unwanted && termsAt.get(pair) < start) {
                    broken.add("unwanted repost shown");
                }
            }
            for (long id : due) {
                if (!ids.contains(id)
                        && !diedAt.containsKey(id)
                        && !mayBeFolded(id)
                        && id >= answer.next()
                        && stillFollowed(id, authorOf.get(id))) {
                    // A post that another page has shown while it is still on its way may hide again, for instance when
                    // the home that it had reached is lost.
                    broken.add(
                            authorOf.get(id) == reader || deliveredAtStart.contains(id) ? "missing" : "flicker"); // I6
                }
            }
            shown(reader).addAll(ids);
            return answer;
        }

        /** At rest it is known; until then there may have been another repost below it. */
        private boolean mayBeFolded(long id) {
            return reposts.containsKey(id)
                    && reposts.entrySet().stream()
                            .anyMatch(other ->
                                    other.getKey() < id && other.getValue().equals(reposts.get(id)));
        }

        private boolean stillFollowed(long id, long author) {
            Edge pair = new Edge(reader, author);
            return author == reader
                    || (follows(pair, id)
                            && following.get(pair).equals(followingAtStart.get(pair))
                            && termsAt.getOrDefault(pair, -1L) < start
                            && hiddenAt.getOrDefault(pair, -1L) < start);
        }
    }

    /** Whether the follower is to see this status of the followee. */
    private boolean follows(Edge pair, long id) {
        return following.containsKey(pair)
                && !(reposts.containsKey(id) && withoutReposts.contains(pair))
                && !mutes.contains(pair)
                && !blocks.contains(pair)
                && !blocks.contains(new Edge(/* accountId= */ pair.edgeId(), /* edgeId= */ pair.accountId()));
    }

    private Set<Long> shown(long reader) {
        return shown.computeIfAbsent(reader, r -> new HashSet<>());
    }

    // At rest.

    private Future<Void> atRest() {
        Stores stores = Stores.on(redis, settings, seed, rules, rules.remembered(), archive());
        List<Supplier<Future<?>>> checks = new ArrayList<>();
        if (archiveOrNull != null) {
            for (long user : users) {
                checks.add(() -> redis.send(Command.of("ZADD", Keys.archiveDue(Id.shard(user)), 0, user)));
                checks.add(() -> passes(Id.shard(user)));
            }
            Shards shards = new Shards(settings.redis().shards());
            checks.add(() -> new ArchiveCheck(redis, shards, archiveOrNull, millis -> Future.succeededFuture())
                    .run()
                    .onSuccess(result -> {
                        if (!result.differences().isEmpty()) {
                            broken.add("archive and Redis differ");
                        }
                    }));
        }
        for (long user : users) {
            checks.add(() -> checkRaw(user));
            for (int limit = 1; limit <= 3; limit++) {
                int n = limit;
                // First upward: a newest page puts what readers pull into the home.
                checks.add(() -> checkUp(stores, user, n, 1, new ArrayList<>()));
                checks.add(() -> checkDown(stores, user, n, PageRequest.newest(n), new ArrayList<>()));
            }
            for (int page = 0; page < PAGES; page++) {
                checks.add(() -> checkAnywhere(stores, user));
            }
            checks.add(() -> checkEdges(stores, user));
            checks.add(() -> checkCounters(stores, user));
        }
        return inOrder(checks);
    }

    private Future<Void> passes(int shard) {
        return rules.pass(redis, settings, archive())
                .run(shard)
                .compose(more -> more ? passes(shard) : Future.succeededFuture());
    }

    /** The statuses that its pages show. */
    private List<Long> shownAtRest(long reader) {
        return NaiveFold.shown(
                wanted(reader).stream()
                        .map(id -> new NaiveFold.Entry(id, reposts.getOrDefault(id, id)))
                        .toList(),
                40);
    }

    private List<Long> wanted(long reader) {
        return authorOf.keySet().stream()
                .filter(id -> !diedAt.containsKey(id))
                .filter(id -> authorOf.get(id) == reader || follows(new Edge(reader, authorOf.get(id)), id))
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private Future<Void> checkRaw(long reader) {
        return dialed().compose(dialed -> redis.send(Homes.read(reader))
                        .onSuccess(reply -> Homes.complete(reply).ifPresent(home -> {
                            String head = reply.items().get(0).asString();
                            long pulled = head.contains("~") ? Long.parseLong(head.replaceAll(".*~", "")) : 0;
                            for (long id : wanted(reader)) {
                                boolean left = dialed.contains(authorOf.get(id)) && id > pulled;
                                if (id > home.bound() && !left && !home.ids().contains(id)) {
                                    broken.add("home incomplete above its floor");
                                }
                            }
                        })))
                .mapEmpty();
    }

    /** The authors whom readers pull. */
    private Future<Set<Long>> dialed() {
        Set<Long> dialed = new HashSet<>();
        List<Supplier<Future<?>>> reads = new ArrayList<>();
        for (long user : users) {
            reads.add(() -> redis.send(Command.of("HGET", Keys.user(user), "dial"))
                    .onSuccess(dial -> dialed.addAll(dial.isNil() ? Set.of() : Set.of(user))));
        }
        return inOrder(reads).map(dialed);
    }

    private Future<Void> checkDown(Stores stores, long reader, int limit, PageRequest page, List<Long> walk) {
        return stores.timelines().home(reader, page).compose(answer -> {
            walk.addAll(StoreFixture.ids(answer));
            if (answer.next() > 0 && walk.size() < WALK_MAX) {
                return checkDown(stores, reader, limit, PageRequest.olderThan(answer.next(), limit), walk);
            }
            if (!walk.equals(shownAtRest(reader))) {
                broken.add("at rest"); // Invariant 2.
            }
            return Future.succeededFuture();
        });
    }

    private Future<Void> checkUp(Stores stores, long reader, int limit, long minId, List<Long> walk) {
        return stores.timelines()
                .home(reader, PageRequest.justAbove(minId, limit))
                .compose(answer -> {
                    walk.addAll(0, StoreFixture.ids(answer));
                    if (!answer.items().isEmpty() && walk.size() < WALK_MAX) {
                        return checkUp(stores, reader, limit, answer.prev(), walk);
                    }
                    if (!walk.equals(shownAtRest(reader))) {
                        broken.add("at rest, upward"); // Invariant 2.
                    }
                    return Future.succeededFuture();
                });
    }

    /** Checks that a page beside a cursor shows the statuses next to the cursor's end, and as many as fit. */
    private Future<Void> checkAnywhere(Stores stores, long reader) {
        long at = cursor();
        int limit = 1 + random.nextInt(5);
        int kind = random.nextInt(3);
        PageRequest page = kind == 0
                ? PageRequest.olderThan(at, limit)
                : kind == 1 ? new PageRequest(Id.MAX, at, 0, limit) : PageRequest.justAbove(at, limit);
        List<Long> due = shownAtRest(reader).stream()
                .filter(id -> kind == 0 ? id < at : id > at)
                .toList();
        return stores.timelines().home(reader, page).map(answer -> {
            List<Long> ids = StoreFixture.ids(answer);
            int from = kind == 2 ? Math.max(0, due.size() - ids.size()) : 0;
            boolean begins =
                    ids.size() <= limit && ids.equals(due.subList(from, Math.min(due.size(), from + ids.size())));
            // A page that is short because of its limits says where to go on.
            boolean goesOn = kind == 2 ? !ids.isEmpty() : answer.next() > 0;
            if (!begins || (ids.size() < Math.min(limit, due.size()) && !goesOn)) {
                broken.add("at rest, from a cursor of kind " + kind);
            }
            return null;
        });
    }

    /** Invariant 5: what one side says, the other says too, and both say what was done last. */
    private Future<Void> checkEdges(Stores stores, long user) {
        PageRequest all = PageRequest.newest(100);
        return stores.graph()
                .following(user, all)
                .compose(followees -> stores.graph().followers(user, all).map(followers -> {
                    if (!Set.copyOf(followees.items()).equals(edges(user, true))
                            || !Set.copyOf(followers.items()).equals(edges(user, false))) {
                        broken.add("edges");
                    }
                    return null;
                }));
    }

    private Set<Edge> edges(long user, boolean outgoing) {
        Set<Edge> edges = new HashSet<>();
        following.forEach((pair, edge) -> {
            long here = outgoing ? pair.accountId() : pair.edgeId();
            long there = outgoing ? pair.edgeId() : pair.accountId();
            if (here == user) {
                edges.add(new Edge(there, edge));
            }
        });
        return edges;
    }

    /** Invariants 2 and 5: counters are sizes, and each living post is in its author's profile. */
    private Future<Void> checkCounters(Stores stores, long user) {
        long posts = authorOf.keySet().stream()
                .filter(id -> authorOf.get(id) == user && !diedAt.containsKey(id))
                .count();
        return stores.accounts()
                .find(user)
                .onSuccess(found -> {
                    boolean right = found.orElseThrow().statusesCount() == posts
                            && found.get().followingCount() == edges(user, true).size()
                            && found.get().followersCount()
                                    == edges(user, false).size();
                    if (!right) {
                        broken.add("counters");
                    }
                })
                .compose(account -> stores.timelines().profile(user, user, PageRequest.newest(100)))
                .onSuccess(profile -> {
                    if (profile.items().size() != posts) {
                        broken.add("profile");
                    }
                })
                .mapEmpty();
    }
}
