package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Key;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Upload;
import io.fanfare.common.model.UserList;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.model.Warning;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph.Terms;
import io.fanfare.common.store.Steps;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signal;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.queue.QueueStats;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.core.site.Dismissals;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import io.fanfare.worker.account.AccountErasure;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The keys that are left of a deleted account, and of its changes to others. */
@ParameterizedClass
@KindsOfRedis
class ErasureTest {
    private static final Shards SHARDS = new Shards(16);

    /** Accounts that follow the one that goes: more than a page. */
    private static final int FANS = 60;

    private static final String LARGE = "00112233445566778899aabbccddeeff.source";

    private final TestRedis redis;
    private final Vertx vertx = Vertx.vertx();
    private Settings settings;
    private Context loop;
    private RedisLink link;
    private LoopStores stores;
    private long ann;
    private long bob;
    private long cat;
    private long gone;

    ErasureTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        settings = WorkerSettings.of(redis, "feeds.fan-out-page=20", "queue.poll=100ms");
        link = redis.link(vertx);
        loop = vertx.getOrCreateContext();
        stores = on(link);
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private LoopStores on(Redis one) {
        return LoopStores.of(LoopStores.Parts.uncached(one, settings, SHARDS, InstantSource.system(), new Random(1)));
    }

    @CanIgnoreReturnValue
    private <T> T get(Supplier<Future<T>> call) {
        Promise<T> done = Promise.promise();
        loop.runOnContext(v -> call.get().onComplete(done));
        return await(done.future());
    }

    private long signUp(String name) {
        long id = get(() -> stores.accounts().signUp(name, name + "@example.org", "$pw$"))
                .id();
        openHome(id);
        return id;
    }

    private void openHome(long reader) {
        redis.askAt(Keys.home(reader), "RPUSH", Keys.home(reader), "f0");
        redis.askAt(Keys.home(reader), "EXPIRE", Keys.home(reader), "86400");
    }

    @CanIgnoreReturnValue
    private Status post(Post post) {
        return get(() -> stores.statuses().post(post, null)).status();
    }

    private static Content naming(String text, long account, String name) {
        return new Content(
                text, "", false, null, List.of(new Content.Mention(account, name)), List.of("leaving"), null);
    }

    private static Post of(
            long author, Visibility visibility, Post.Kind kind, Content content, Status to, Status original) {
        return new Post(
                author,
                visibility,
                kind,
                content,
                to == null ? null : Reference.to(to),
                null,
                original == null ? null : Reference.to(original),
                null);
    }

    private static Attachment picture() {
        return new Attachment(
                0,
                "0123456789abcdef0123456789abcdef.png",
                4,
                3,
                4,
                3,
                "LEHV6n",
                Attachment.Focus.CENTRE,
                "",
                /* clip= */ null);
    }

    /** An account that has done all that accounts do, among others. */
    private void life() {
        ann = signUp("ann");
        bob = signUp("bob");
        cat = signUp("cat");
        gone = signUp("gone");
        List<Long> fans = get(() -> stores.accounts()
                .signUpAll(IntStream.range(0, FANS).mapToObj(i -> "fan" + i).toList()));
        for (long fan : fans) {
            openHome(fan);
            get(() -> stores.follows().follow(fan, gone));
        }
        get(() -> stores.follows().follow(ann, gone, new Terms(false, true, null)));
        get(() -> stores.follows().follow(gone, ann, new Terms(null, true, null)));
        UserLists lists = new UserLists(link, settings);
        UserList list = get(() -> lists.create(ann, "friends", UserList.Replies.LIST, false));
        get(() -> lists.add(ann, list.id(), List.of(gone)));
        redis.askAt(Keys.user(cat), "HSET", Keys.user(cat), "locked", "1");
        get(() -> stores.follows().follow(gone, cat));
        get(() -> stores.blocks().block(bob, gone));
        long dan = signUp("dan");
        get(() -> stores.blocks().block(gone, dan));

        Status hers = post(Post.of(ann, "hello"));
        Status first = post(Post.of(gone, Visibility.PUBLIC, naming("hello @ann #leaving", ann, "ann")));
        for (int i = 0; i < 60; i++) {
            post(Post.of(gone, "post " + i));
        }
        post(of(gone, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, hers));
        post(Post.of(gone, Visibility.PUBLIC, Content.of("look"), null, hers, null));
        post(Post.of(gone, Visibility.PUBLIC, Content.of("an answer"), hers, null, null));
        post(of(gone, Visibility.PUBLIC, Post.Kind.COMMENT, Content.of("well said"), hers, null));
        Status message = post(of(gone, Visibility.DIRECT, Post.Kind.DIRECT, naming("psst", ann, "ann"), null, null)
                .to(List.of(ann)));
        post(of(ann, Visibility.DIRECT, Post.Kind.DIRECT, naming("what?", gone, "gone"), message, null)
                .to(List.of(gone)));
        Article article = new Article("News", null, List.of("java"));
        post(Post.of(gone, Visibility.PUBLIC, Content.of(article.text("")).with(article)));
        long ends = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Status poll = post(Post.of(
                gone, Visibility.PUBLIC, Content.of("?").with(new Poll(List.of("a", "b"), ends, false, false))));
        get(() -> new Polls(link, InstantSource.system()).vote(poll, ann, List.of(0)));
        Uploads uploads = new Uploads(link);
        Attachment posted = get(() -> uploads.add(gone, picture(), 1000));
        post(Post.of(gone, Visibility.PUBLIC, Content.of("picture").with(List.of(posted))));
        get(() -> uploads.add(gone, picture(), 1000));
        ScheduledStatus later = ScheduledStatus.of(ends, "later");
        get(() -> new ScheduledStatuses(link).schedule(gone, later, null));
        get(() -> new HeldStatuses(stores).hold(gone, ScheduledStatus.of(0, "held"), Signal.LINKS, "digest"));
        redis.askAt(Keys.pins(gone), "ZADD", Keys.pins(gone), "1", Long.toString(first.id()));

        get(() -> stores.favourites().like(gone, Reference.to(hers)));
        get(() -> stores.favourites().like(ann, Reference.to(first)));
        post(of(bob, Visibility.PUBLIC, Post.Kind.COMMENT, Content.of("right"), first, null));
        post(of(ann, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, first));
        String former = Keys.email("former@example.org");
        redis.askAt(former, "SET", former, Long.toString(gone), "EX", "604800");
        String change = Keys.addressChange(gone);
        redis.askAt(change, "SET", change, "former 1 0 former@example.org", "EX", "604800");
        redis.askAt(Keys.moderatorNotes(gone), "HSET", Keys.moderatorNotes(gone), "last", "1", "1", "1 0 - a remark");
        redis.askAt(Keys.user(gone), "HSET", Keys.user(gone), "avatar", "fedcba9876543210fedcba9876543210.png");
        get(() -> new Dismissals(link).add(gone, 1));
        Warnings warnings = stores.notifications().warnings();
        long warning = get(() -> warnings.add(gone, Warning.Action.NONE, "be kind", List.of(first.id())));
        get(() -> new Appeals(link, warnings, InstantSource.system()).make(gone, warning, "I am"));
    }

    /** Its job is put off, since these workers have no files, until there is no such upload any more. */
    private void uploadSomethingLarge() {
        Uploads uploads = new Uploads(link);
        Upload.Pending large = new Upload.Pending(0, LARGE, 1, Attachment.Focus.CENTRE, "");
        get(() -> uploads.making(gone, LARGE).compose(noted -> uploads.begin(gone, large, 1000, 1000)));
    }

    /** Gives the account a key of every kind that has no other side, whatever its type. */
    private void everyOtherKey() {
        for (String key : KeyShape.keysOf(gone)) {
            if (redis.askAt(key, "EXISTS", key).asLong() == 0 && !SIDES.contains(family(key))) {
                redis.askAt(key, "SET", key, "x");
            }
        }
    }

    private static final Set<String> SIDES = Set.of(
            "followers",
            "following",
            "requesting",
            "requests",
            "blocks",
            "blockedby",
            "favourites",
            "scheduled",
            "held",
            "profile",
            "comments-by",
            "conversations",
            "ended-conversations",
            "unlinked",
            "ended-requests",
            "ended-blockedby",
            "outbox",
            "reblogged",
            "notifications",
            "warnings",
            "noreposts",
            "lists",
            "listed",
            "bells",
            "endorsed",
            "asked",
            "languages",
            "pins",
            "thawed",
            "home",
            "tokens",
            "push",
            "conversation-lines",
            "scheduled-words",
            "held-words",
            "uploads");

    private static String family(String key) {
        return KeyShape.of(key).orElseThrow().family();
    }

    private void delete() {
        assertThat(get(() -> new AccountAccess(link).delete(gone))).isTrue();
    }

    private void runWorkers() {
        String workers = await(vertx.deployVerticle(
                () -> new WorkerVerticle(
                        settings,
                        SHARDS,
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        System::nanoTime,
                        new Random()),
                new DeploymentOptions().setInstances(2)));
        JobQueue queue = new JobQueue(link, SHARDS, settings.queue());
        awaitUntil("the queue is quiet", () -> await(queue.stats()).stream().allMatch(QueueStats::isQuiet));
        assertThat(await(queue.stats()))
                .allSatisfy(stats -> assertThat(stats.dead()).isZero());
        await(vertx.undeploy(workers));
    }

    /** The name, the log, which forgets within days, what others have written to it, and the second look, to come. */
    private static final Set<String> LEFT =
            Set.of("login", Keys.BUS_LOG, Keys.BUS_BATCHES, "conversation-lines", "status", "timers");

    /**
     * Also left over when a delete was cut or met its fan-out: the mentions of that status are not known any more.
     * Nobody is shown them, and its poll has a job.
     */
    private static final Set<String> UNSURE =
            Stream.concat(LEFT.stream(), Stream.of("notifications")).collect(Collectors.toUnmodifiableSet());

    private void assertErased() {
        assertErased(LEFT);
        for (String timer : list("ZRANGE", Keys.timers(Id.shard(gone)))) {
            assertThat(timer).as("nothing else waits").startsWith("delete_account");
        }
    }

    private void assertErased(Set<String> allowed) {
        Verification.assertClean(get(() -> Verification.of(link, settings)));
        assertThat(hash(Keys.user(gone)))
                .containsOnlyKeys("state", "name", "deleted")
                .containsEntry("state", "deleted")
                .containsEntry("name", "gone");
        Pattern id = Pattern.compile("(?<!\\d)" + gone + "(?!\\d)");
        Set<String> naming = new TreeSet<>();
        for (String key : redis.keys()) {
            boolean ends = redis.askAt(key, "TTL", key).asLong() >= 0;
            KeyShape shape = KeyShape.of(key).orElseThrow(() -> new AssertionError(key));
            assertDeclared(key, shape.kind(), ends);
            if (shape.owner() == KeyShape.Owner.ACCOUNT && shape.id() == gone && !key.equals(Keys.user(gone))) {
                assertThat(ends).as("%s goes by itself", key).isTrue();
            } else if (id.matcher(content(key)).find() && !ends) {
                naming.add(shape.family());
            }
        }
        assertThat(naming).isSubsetOf(allowed);
        assertThat(redis.keys()).doesNotContain(Keys.email("gone@example.org"), Keys.email("former@example.org"));
    }

    private void assertDeclared(String key, Key kind, boolean ends) {
        assertThat(redis.askAt(key, "TYPE", key).asString())
                .as(key)
                .isEqualToIgnoringCase(kind.type().name());
        if (kind.life() != Key.Life.EITHER) {
            assertThat(ends).as("%s goes by itself", key).isEqualTo(kind.life() == Key.Life.ENDS);
        }
    }

    private Set<String> inHomes() {
        Set<String> ids = new TreeSet<>();
        redis.keys().stream().filter(key -> key.startsWith("home:")).forEach(key -> ids.addAll(list("LRANGE", key)));
        return ids;
    }

    private Map<String, String> hash(String key) {
        List<String> flat = list("HGETALL", key);
        Map<String, String> hash = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            hash.put(flat.get(i), flat.get(i + 1));
        }
        return hash;
    }

    private List<String> list(String command, String key) {
        Reply reply = command.equals("HGETALL") || command.equals("SMEMBERS")
                ? redis.askAt(key, command, key)
                : redis.askAt(key, command, key, "0", "-1");
        return reply.items().stream().map(Reply::asString).toList();
    }

    private String content(String key) {
        return switch (redis.askAt(key, "TYPE", key).asString()) {
            case "string" -> redis.askAt(key, "GET", key).asString();
            case "hash" -> list("HGETALL", key).toString();
            case "list" -> list("LRANGE", key).toString();
            case "zset" -> list("ZRANGE", key).toString();
            case "set" -> list("SMEMBERS", key).toString();
            default -> "";
        };
    }

    @Test
    void ofADeletedAccountNothingIsLeftButItsName() {
        life();
        runWorkers();
        everyOtherKey();
        List<String> posts = list("ZRANGE", Keys.profile(gone));
        assertThat(inHomes()).containsAll(posts.subList(posts.size() - 10, posts.size()));
        delete();
        runWorkers();
        assertThat(inHomes()).doesNotContainAnyElementsOf(posts);
        assertErased();
        assertThat(get(() -> stores.notifications()
                                .page(ann, PageRequest.newest(40), notification -> notification.actorId() == gone))
                        .items())
                .isEmpty();
    }

    @Test
    void theSourceOfALargePictureIsDueWhenItsAccountIsGone() {
        gone = signUp("gone");
        uploadSomethingLarge();
        delete();
        runWorkers();
        assertThat(hash(Keys.uploads(gone))).isEmpty();
        assertThat(list("ZRANGE", Keys.mediaDue(Id.shard(gone)))).containsExactly(LARGE);
    }

    @Test
    void aDeletionIsAsGoodWhileTheJobsOfItsLifeAreStillWaiting() {
        life();
        delete();
        runWorkers();
        secondLook();
        assertErased(UNSURE);
    }

    private void secondLook() {
        Job job = new Job.Repair(JobType.DELETE_ACCOUNT, gone, gone, 0);
        String timers = Keys.timers(Id.shard(gone));
        assertThat(redis.askAt(timers, "ZREM", timers, JobCodec.encode(job)).asLong())
                .isEqualTo(1);
        String lane = Keys.lane(Id.shard(gone), "normal");
        redis.askAt(lane, "LPUSH", lane, "0 0 1 " + JobCodec.encode(job));
        runWorkers();
    }

    /** Jobs of a process that stood still for longer than the erasure took. */
    @Test
    void jobsThatComeAfterTheErasureTieNothingToTheTombstone() {
        ann = signUp("ann");
        bob = signUp("bob");
        cat = signUp("cat");
        gone = signUp("gone");
        get(() -> stores.graph().follow(ann, gone, Lane.HIGH, new Terms(null, true, null)));
        get(() -> stores.blocks().block(bob, gone));
        redis.askAt(Keys.blockedBy(gone), "DEL", Keys.blockedBy(gone));
        get(() -> stores.graph().request(cat, gone, Lane.HIGH, Terms.AS_BEFORE));
        post(Post.of(cat, Visibility.PUBLIC, naming("hello @gone", gone, "gone")));
        post(of(cat, Visibility.DIRECT, Post.Kind.DIRECT, naming("psst", gone, "gone"), null, null)
                .to(List.of(gone)));
        Map<String, List<String>> late = takeJobs();
        delete();
        runWorkers();
        late.forEach((lane, jobs) -> jobs.forEach(job -> redis.askAt(lane, "LPUSH", lane, job)));
        runWorkers();
        assertErased();
        assertThat(list("ZRANGE", Keys.following(ann))).isEmpty();
        assertThat(list("ZRANGE", Keys.blocks(bob))).isEmpty();
        assertThat(list("ZRANGE", Keys.requesting(cat))).isEmpty();
    }

    /** The jobs that wait, by lane, which is empty from then on. */
    private Map<String, List<String>> takeJobs() {
        Map<String, List<String>> jobs = new TreeMap<>();
        for (int shard = 0; shard < SHARDS.count(); shard++) {
            for (Lane lane : Lane.values()) {
                String key = Keys.lane(shard, lane.key());
                jobs.put(key, list("LRANGE", key));
                redis.askAt(key, "DEL", key);
            }
        }
        assertThat(jobs.values()).as("jobs were waiting").anyMatch(pending -> !pending.isEmpty());
        return jobs;
    }

    /** Its process read the status before the deletion, and goes on after it. */
    @Test
    void wordOfAMentionThatComesAfterTheDeletionIsTakenBack() {
        ann = signUp("ann");
        gone = signUp("gone");
        Status status = post(Post.of(gone, Visibility.PUBLIC, naming("hello @ann", ann, "ann")));
        runWorkers();
        assertThat(list("ZRANGE", Keys.notifications(ann))).hasSize(1);
        delete();
        runWorkers();
        assertThat(list("ZRANGE", Keys.notifications(ann))).isEmpty();
        assertThat(get(() -> stores.notifications().addMention(ann, status))).isZero();
        assertThat(list("ZRANGE", Keys.notifications(ann))).isEmpty();
    }

    /** Each process dies after some commands, and another one begins. */
    @Test
    void aDeletionThatIsCutAnywhereAnyNumberOfTimesEndsAllTheSame() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        life();
        runWorkers();
        delete();
        AccountErasure.Step last = new AccountErasure.Step(false, 0);
        for (int run = 0; !last.done(); run++) {
            assertThat(run).as("runs").isLessThan(1000);
            last = erase(last.next(), 1 + random.nextInt(800)).orElse(last);
        }
        runWorkers();
        assertErased(UNSURE);
    }

    @Test
    void aFolloweeForgetsAListenerWhoseDeletionIsCutAfterAnyCommand() {
        boolean whole = false;
        for (int commands = 1; !whole; commands++) {
            redis.flush();
            ann = signUp("ann");
            gone = signUp("gone");
            get(() -> stores.follows().follow(gone, ann, new Terms(null, true, null)));
            awaitUntil(
                    "ann lists gone", () -> !list("ZRANGE", Keys.listeners(ann)).isEmpty());
            delete();

            whole = erase(0, commands).isPresent();

            AccountErasure.Step last = new AccountErasure.Step(false, 0);
            while (!last.done()) {
                last = erase(last.next(), Integer.MAX_VALUE).orElseThrow();
            }
            assertThat(list("ZRANGE", Keys.listeners(ann)))
                    .as("cut after %d commands", commands)
                    .isEmpty();
        }
    }

    @Test
    void moderatorsDoNotSeeAHeldPostWhoseDeletionIsCutAfterItsFirstStep() {
        gone = signUp("gone");
        get(() -> new HeldStatuses(stores).hold(gone, ScheduledStatus.of(0, "held"), Signal.LINKS, "digest"));
        assertThat(list("ZRANGE", Keys.HELD_LIST)).hasSize(1);
        delete();
        for (int commands = 1; !list("ZRANGE", Keys.held(gone)).isEmpty(); commands++) {
            assertThat(erase(0, commands)).isEmpty();
        }
        assertThat(list("ZRANGE", Keys.HELD_LIST)).as("cut between").hasSize(1);
        runWorkers();
        assertThat(list("ZRANGE", Keys.HELD_LIST)).isEmpty();
    }

    /** A step by a process that dies with a command, unless the step ends before. */
    private Optional<AccountErasure.Step> erase(long from, int commands) {
        Steps dying = new Steps(link, (command, reply) -> {});
        List<AccountErasure.Step> ended = new ArrayList<>();
        List<Throwable> failed = new ArrayList<>();
        get(() -> {
            new AccountErasure(on(dying)).step(gone, from).onComplete(ended::add, failed::add);
            return Future.succeededFuture();
        });
        for (int i = 1; i <= commands && dying.canStep() && ended.isEmpty(); i++) {
            get(i == commands ? dying::stepAndDie : dying::step);
        }
        dying.kill();
        assertThat(failed).isEmpty();
        return ended.stream().findFirst();
    }

    @Test
    void anAccountThatIsNotDeletedLosesNothing() {
        life();
        Job job = new Job.Repair(JobType.DELETE_ACCOUNT, ann, ann, 0);
        String lane = Keys.lane(Id.shard(ann), "normal");
        redis.askAt(lane, "LPUSH", lane, "0 0 1 " + JobCodec.encode(job));
        runWorkers();
        assertThat(get(() -> stores.accounts().require(ann)).statusesCount()).isEqualTo(2);
    }
}
