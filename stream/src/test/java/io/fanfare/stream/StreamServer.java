package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.UserLists;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.graph.Filters;
import io.fanfare.core.graph.Follows;
import io.fanfare.core.graph.Lists;
import io.fanfare.core.graph.TagFollows;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.FreePort;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.BodyBudget;
import io.fanfare.stream.access.StreamParts;
import io.fanfare.stream.session.StreamRow;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A stream role on a port of its own, what a test does to its Redis, and its listeners; closes all of it. */
final class StreamServer implements AutoCloseable {
    /**
     * Event loops of a node, unless a test sets another number, as in production: a stream or request may be on another
     * event loop than the one before, which receives events a little sooner or later. {@link #awaitKnown} waits for all
     * of them.
     */
    static final int EVENT_LOOPS = 2;

    static final byte[] KEY = "a key of thirty-two bytes or more".getBytes(StandardCharsets.UTF_8);

    final TestRedis redis;
    final EventLog log;
    final Graph graph;
    final Blocks blocks;
    final Lists lists;
    final Filters filters;
    final TagFollows tags;
    final Follows follows;
    private final Accounts accounts;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final RedisLink link;
    private final Tokens tokens;
    private final Settings settings;
    /** The metrics of all nodes together. */
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    final StreamMonitor monitor = new StreamMonitor(metrics);
    private final BodyBudget bodies;

    private final List<String> assignments;
    private final List<Node> nodes = new ArrayList<>();
    private final List<SseClient> clients = new ArrayList<>();
    private final AtomicLong skippedNanos = new AtomicLong();
    private long ids;

    private StreamServer(TestRedis redis, String... extra) {
        this.redis = redis;
        List<String> all = new ArrayList<>(List.of(extra));
        if (all.stream().noneMatch(assignment -> assignment.startsWith("redis.url="))) {
            all.add("redis.url=" + redis.options().url().reveal());
        }
        all.add("redis.mode=" + redis.options().mode().name().toLowerCase(java.util.Locale.ROOT));
        if (all.stream().noneMatch(assignment -> assignment.startsWith("http.event-loops="))) {
            all.add("http.event-loops=" + EVENT_LOOPS);
        }
        assignments = List.copyOf(all);
        settings = SettingsLoader.defaultsWith(all.toArray(String[]::new));
        bodies = new BodyBudget(settings.http(), metrics);
        link = redis.link(vertx);
        tokens = new Tokens(link, SigningKeys.of(KEY), Clock.systemUTC(), System::nanoTime, new SecureRandom());
        log = new EventLog(link, new Random(), settings.stream());
        graph = new Graph(link, settings);
        follows = follows();
        blocks = new Blocks(link, settings, graph, follows);
        lists = new Lists(new UserLists(link, settings), follows);
        filters = new Filters(new UserFilters(link, settings), follows);
        tags = new TagFollows(new FollowedTags(link, settings), follows);
        accounts = new Accounts(link, new Shards(settings.redis().shards()), new Random());
        ids = redis.askAt(Keys.BUS_SEQ, "TIME").items().get(0).asLong() * 1000;
    }

    private Follows follows() {
        Homes homes = new Homes(link, settings.feeds());
        return new Follows(
                graph, homes, new Statuses(link, settings), log, (account, notification) -> Future.succeededFuture());
    }

    /** With {@code stream.anonymous=true}, so that only tests of tokens need one. */
    static StreamServer start(TestRedis redis, String... assignments) {
        StreamServer server = withoutNode(redis, assignments);
        server.addNode();
        return server;
    }

    /** The same with no node so far. */
    static StreamServer withoutNode(TestRedis redis, String... assignments) {
        List<String> all = new ArrayList<>(List.of(assignments));
        all.add("stream.anonymous=true");
        return new StreamServer(redis, all.toArray(String[]::new));
    }

    static StreamServer startClosed(TestRedis redis, String... assignments) {
        StreamServer server = new StreamServer(redis, assignments);
        server.addNode();
        return server;
    }

    /** The articles of one more API process, as it were. */
    Articles articles() {
        return new Articles(link, settings, InstantSource.system());
    }

    /** An article that is published and ranked, without its event. */
    Status article(long author, String title) {
        Article article = new Article(title, null, List.of());
        Content content = Content.of(article.text("")).with(article);
        Status status = await(new Statuses(link, settings).post(Post.of(author, Visibility.PUBLIC, content), null))
                .status();
        await(articles().add(status));
        return status;
    }

    /** Deletes it for good, without its event. */
    void deleteArticle(Status article) {
        await(new Statuses(link, settings).delete(article.authorId(), article.id()));
    }

    /** The messages published on a channel from now on; any thread may read them. */
    List<String> published(String channel) {
        List<String> messages = new CopyOnWriteArrayList<>();
        Promise<Void> subscribed = Promise.promise();
        var unused = link.subscribe(RedisLink.Channels.sharded(channel), Keys.BUS_SEQ, new RedisLink.Listener() {
            @Override
            public void subscribed() {
                subscribed.tryComplete();
            }

            @Override
            public void message(String from, String payload) {
                messages.add(payload);
            }

            @Override
            public void lost() {}
        });
        await(subscribed.future());
        return messages;
    }

    /** One more process, as it were; answers its number. */
    @CanIgnoreReturnValue
    int addNode() {
        return addNode(SigningKeys.of(KEY));
    }

    /** The same after its keys were changed. */
    int addNode(SigningKeys keys) {
        nodes.add(await(
                Node.deploy(vertx, settings(assignments), keys, Clock.systemUTC(), this::nanos, monitor, bodies)));
        return nodes.size() - 1;
    }

    /**
     * The event loops of one node. They share its port.
     *
     * @param deployment id, for {@code Vertx.undeploy}
     */
    record Node(List<StreamVerticle> loops, String deployment) {
        static Future<Node> deploy(
                Vertx vertx,
                Settings settings,
                SigningKeys keys,
                Clock clock,
                LongSupplier nanos,
                StreamMonitor monitor,
                BodyBudget bodies) {
            List<StreamVerticle> loops = new CopyOnWriteArrayList<>();
            DeploymentOptions options =
                    new DeploymentOptions().setInstances(settings.http().eventLoops());
            return vertx.deployVerticle(
                            () -> {
                                StreamVerticle loop = new StreamVerticle(
                                        settings, keys, clock, nanos, new SecureRandom(), monitor, bodies);
                                loops.add(loop);
                                return loop;
                            },
                            options)
                    .map(deployment -> new Node(List.copyOf(loops), deployment));
        }

        int port() {
            return loops.get(0).port();
        }
    }

    /** Event loops share only a port that is named. */
    static Settings settings(List<String> assignments) {
        List<String> all = new ArrayList<>(assignments);
        all.add("http.port=" + FreePort.find());
        return SettingsLoader.defaultsWith(all.toArray(String[]::new));
    }

    /** A process that really is one. To be closed by the test; returns before it is ready. */
    NodeProcess startProcess() {
        return NodeProcess.start(assignments);
    }

    int logEvents() {
        return settings.stream().logEvents();
    }

    private long nanos() {
        return System.nanoTime() + skippedNanos.get();
    }

    /** As if so much time had gone by for the nodes. */
    void skip(Duration time) {
        skippedNanos.addAndGet(time.toNanos());
    }

    long sampleSalt() {
        return StreamParts.sampleSalt(SigningKeys.of(KEY));
    }

    int port(int node) {
        return nodes.get(node).port();
    }

    /** How many streams are open there. */
    int connections(int node) {
        return nodes.get(node).loops().stream()
                .mapToInt(loop -> loop.hub().connections())
                .sum();
    }

    /** The streams that are open there, as their operator sees them. */
    List<StreamRow> rows(int node) {
        return nodes.get(node).loops().stream()
                .flatMap(loop -> await(loop.hub().rows()).stream())
                .toList();
    }

    /** Ends a node as a signal would. */
    void stopNode(int node) {
        await(vertx.undeploy(nodes.get(node).deployment()));
    }

    SseClient firehose(String... headers) {
        return get(0, "/api/v1/streaming/firehose", headers);
    }

    SseClient get(int node, String path, String... headers) {
        return send(node, "GET", path, headers);
    }

    SseClient send(int node, String method, String path, String... headers) {
        SseClient client = SseClient.send(port(node), method, path, headers);
        clients.add(client);
        return client;
    }

    /** A firehose that has said hello. */
    @CanIgnoreReturnValue
    SseClient listening(String... headers) {
        SseClient client = firehose(headers);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
    }

    @CanIgnoreReturnValue
    String token(long user, String... scopes) {
        return await(tokens.issue(user, "client", "Client", Set.of(scopes))).token();
    }

    void revoke(String token) {
        Principal principal = await(tokens.verify(token));
        await(tokens.revoke(principal));
    }

    /** An operator's access to accounts, in another process. */
    AccountAccess operator() {
        return new AccountAccess(link);
    }

    /** Changes the password as the owner of this token does. */
    void changePassword(String token) {
        Principal principal = await(tokens.verify(token));
        await(tokens.changePassword(principal, "hash"));
    }

    /** A token that expires, as another issuer with our key would make it. */
    String tokenUntil(long user, Instant until) {
        String[] parts = token(user, "read").split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        String dated = claims.substring(0, claims.length() - 1) + ",\"exp\":" + until.getEpochSecond() + "}";
        String unsigned = parts[0] + "." + base64(dated.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            return unsigned + "." + base64(mac.doFinal(unsigned.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    long newUser() {
        return await(accounts.signUpAll(List.of("user" + ++ids))).get(0);
    }

    Accounts accounts() {
        return accounts;
    }

    String username(long user) {
        return await(accounts.require(user)).username();
    }

    /** An id nobody has had, or will have: no account is in that shard, so that Redis gives out none there. */
    long newId() {
        return Id.of(++ids, Id.SHARDS_MAX - 1, 0);
    }

    Event status(long author, Visibility visibility, String json) {
        return new Event(Event.Kind.STATUS, newId(), author, 0, visibility, json);
    }

    Event status(long author, Visibility visibility, MatchFields match, String json) {
        return new Event(Event.Kind.STATUS, newId(), author, 0, visibility, match.encode(), json);
    }

    Event status(int n) {
        return status(8, Visibility.PUBLIC, "{\"n\":" + n + "}");
    }

    /** A public status as posting makes it, with what filters look at. */
    Event post(long author, String text) {
        Status status = new Status(newId(), Post.of(author, text), Counters.NONE);
        String match = MatchFields.of(status, List.of()).encode();
        return new Event(
                Event.Kind.STATUS,
                status.id(),
                author,
                0,
                Visibility.PUBLIC,
                match,
                "{\"text\":\"" + text.replace("\"", "'") + "\",\"content\":\"" + text.replace("\"", "'") + "\"}");
    }

    static Event delete(Event status) {
        return new Event(
                Event.Kind.DELETE,
                status.subject(),
                status.actor(),
                0,
                status.visibility(),
                "{\"id\":\"" + status.subject() + "\",\"deleted\":true}");
    }

    Event follow(long follower, long followee) {
        return new Event(
                Event.Kind.FOLLOW,
                newId(),
                follower,
                followee,
                Visibility.PUBLIC,
                "{\"account_id\":\"" + follower + "\"}");
    }

    /** Word to {@code target} of what {@code actor} did to a status (0 = to none). */
    Event notification(long actor, long target, long status, String json) {
        String about = status == 0 ? "" : Long.toString(status);
        return new Event(Event.Kind.NOTIFICATION, newId(), actor, target, Visibility.PRIVATE, about, json);
    }

    Event unfollow(Event follow) {
        return new Event(
                Event.Kind.UNFOLLOW,
                follow.subject(),
                follow.actor(),
                follow.target(),
                Visibility.PUBLIC,
                "{\"account_id\":\"" + follow.actor() + "\"}");
    }

    /** Appends and answers the seq. */
    @CanIgnoreReturnValue
    long append(Event event) {
        return await(log.append(event));
    }

    /**
     * Appends and waits until the first node knows the event: {@code count} goes back from what the node knows, and the
     * log may be ahead of that.
     */
    void appendKnown(Event event) {
        awaitKnown(append(event));
    }

    /** Waits until all streams of the first node have, besides, looked at that. */
    void awaitLookedAt(long seq) {
        awaitKnown(seq);
        awaitUntil("looked at", () -> rows(0).stream().allMatch(row -> row.lag() == 0));
    }

    /** Waits until every event loop of the first node knows where the log begins. */
    void awaitFloorKnown() {
        long floor = await(log.state()).floor();
        for (StreamVerticle loop : nodes.get(0).loops()) {
            awaitUntil("the floor is known", () -> loop.hub().known().floor() == floor);
        }
    }

    /**
     * Waits until every event loop of the first node has taken in what the log has up to there, and has asked its index
     * about it.
     */
    void awaitKnown(long seq) {
        String epoch = epoch();
        for (StreamVerticle loop : nodes.get(0).loops()) {
            awaitUntil(
                    "known",
                    () -> loop.hub().known().epoch().equals(epoch) && loop.hub().evaluated() >= seq);
        }
    }

    /** Appends what a process of another version might, and answers the seq. */
    @CanIgnoreReturnValue
    long appendForeign(String letter, long subject) {
        String key =
                Keys.busSubjects(Id.epochMillis(subject) / Duration.ofHours(1).toMillis());
        List<String> keys = List.of(
                Keys.BUS_SEQ,
                Keys.BUS_EPOCH,
                Keys.BUS_FLOOR,
                Keys.BUS_LOG,
                Keys.BUS_BATCHES,
                Keys.BUS_SUBJECTS_FROM,
                key);
        String line = letter + "|" + subject + "|8|0|public|{}";
        Object[] args = {
            Keys.BUS_CHANNEL,
            "5f3a9c01",
            1000,
            1 << 20,
            settings.stream().logAge().toMillis(),
            EventLog.NOTIFICATION_RETENTION.toMillis(),
            "",
            letter,
            8,
            "",
            1,
            keys.size(),
            1,
            line,
            subject
        };
        return await(link.send(Script.load("append").call(keys, args)))
                .items()
                .get(0)
                .asLong();
    }

    String epoch() {
        return redis.askAt(Keys.BUS_EPOCH, "GET", Keys.BUS_EPOCH).asString();
    }

    /** Closes all listeners and forgets what they have heard. */
    void hangUp() {
        clients.forEach(SseClient::close);
        clients.clear();
    }

    @Override
    public void close() {
        hangUp();
        // A link that is not closed keeps its Vert.x in memory for good, and the rings and indexes of all nodes with
        // it.
        await(link.close());
        await(vertx.close());
    }
}
