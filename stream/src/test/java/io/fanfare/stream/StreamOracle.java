package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.stream.OracleClient.Loss;
import io.fanfare.stream.filter.StreamFilter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The promise of streams, put to the test: a publisher that keeps books, a crowd of clients that keep theirs, and a
 * judge. What each client heard, over all its connections to whichever node, must be what the naive filter says of the
 * publisher's books, in order and once, but for what a gap told it cannot have.
 */
final class StreamOracle implements AutoCloseable {
    /** Only these are deleted again: older ones may have left the log, and nobody would be told. */
    private static final int YOUNG = 100;

    /** Events that are appended together, at most; so many go out at once when the publisher is behind. */
    static final int BATCH_MAX = 200;

    private static final Views VIEWS = new Views("https://social.example");
    private static final Duration SETTLE_MAX = Duration.ofMinutes(5);

    private final StreamServer server;
    private final Random random;
    private final OracleWishes wishes;
    private final Truth truth = new Truth();
    private final Crowd crowd = new Crowd();
    private final List<OracleClient> clients = new ArrayList<>();
    private final List<Event> young = new ArrayList<>();
    private final List<Event> follows = new ArrayList<>();

    /** The statuses of the young events, by id. */
    private final Map<Long, Status> statuses = new HashMap<>();

    private final Object publishing = new Object();
    private volatile Supplier<List<Integer>> ports = List::of;
    private volatile boolean publishes;
    private Thread publisher;

    /** @param server its nodes are made known with {@link #ports} */
    StreamOracle(StreamServer server, Random random) {
        this.server = server;
        this.random = random;
        this.wishes = new OracleWishes(server);
        begin();
    }

    /** Sets the ports at which clients find nodes from now on. */
    void ports(Supplier<List<Integer>> running) {
        ports = running;
    }

    private int port() {
        List<Integer> running = ports.get();
        return running.isEmpty() ? 0 : running.get(random(running.size()));
    }

    /** Opens so many more clients, of the kinds in turn. */
    void connect(int howMany) {
        crowd.ask(() -> {
            for (int i = 0; i < howMany; i++) {
                OracleClient client = new OracleClient(
                        crowd, wishes.get(clients.size()), this::port, truth::tip, server.logEvents() - BATCH_MAX);
                clients.add(client);
                client.connect();
            }
            return 0;
        });
        awaitOpen();
    }

    /** Chance is drawn on several threads; which of them draws first is not repeatable anyway. */
    int random(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    void awaitOpen() {
        settled(
                "all are connected",
                () -> clients.stream().filter(c -> !c.isOpen()).count() == 0);
    }

    /**
     * This many clients, all of them if there are not so many, lose their connections at once and come back after so
     * long.
     */
    void lose(int howMany, Loss how, long millis) {
        atRandom(howMany, client -> client.lose(how, millis));
    }

    /** This many clients stop reading for a while. */
    void pause(int howMany, long millis) {
        atRandom(howMany, client -> client.pause(millis));
    }

    /** This many clients read little for a while. */
    void sip(int howMany, long millis) {
        atRandom(howMany, client -> client.sip(millis));
    }

    /** This many clients are away for so long, and read little for a while when they come back. */
    void outdate(int howMany, long awayMillis, long slowMillis) {
        atRandom(howMany, client -> {
            client.lose(Loss.CLOSED, awayMillis);
            client.sip(awayMillis + slowMillis);
        });
    }

    /** Somebody wants another filter, or to leave a stream of a socket for a moment. */
    private void change() {
        int any = random(Integer.MAX_VALUE);
        crowd.execute(() -> {
            List<OracleClient> able =
                    clients.stream().filter(OracleClient::canChange).toList();
            if (!able.isEmpty()) {
                OracleClient client = able.get(any % able.size());
                client.change(any / able.size());
            }
        });
    }

    private void atRandom(int howMany, Consumer<OracleClient> what) {
        crowd.ask(() -> {
            for (int i = 0; i < Math.min(howMany, clients.size()); i++) {
                what.accept(clients.get(howMany >= clients.size() ? i : random(clients.size())));
            }
            return 0;
        });
    }

    /**
     * Publishes so many events a second until {@link #rest}; what could not be published in time follows as fast as it
     * goes.
     */
    void publishEachSecond(int events) {
        publishes = true;
        publisher = new Thread(
                () -> {
                    long begun = System.nanoTime();
                    long done = 0;
                    while (publishes) {
                        long due = (System.nanoTime() - begun) * events / TimeUnit.SECONDS.toNanos(1);
                        int batch = (int) Math.min(BATCH_MAX, due - done);
                        publish(batch);
                        done += batch;
                        pauseMillis(batch < BATCH_MAX ? 10 : 0);
                    }
                },
                "publisher");
        publisher.start();
    }

    private static void pauseMillis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Publishes no more. */
    void rest() {
        publishes = false;
        try {
            publisher.join(SETTLE_MAX.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(publisher.isAlive()).isFalse();
    }

    /** The same as {@link #append}, while somebody wants something else now and then. */
    void publish(int howMany) {
        for (int i = 0; i < howMany; i++) {
            if (random(20) == 0) {
                change();
            }
        }
        append(howMany);
    }

    /** Publishes one batch, and waits until the log has it, however often it takes. */
    private void append(int howMany) {
        synchronized (publishing) {
            if (howMany > 0 && random(20) == 0) {
                changeHome();
            }
            List<Event> batch = new ArrayList<>();
            while (batch.size() < howMany) {
                batch.add(next());
            }
            List<Future<Long>> appended =
                    batch.stream().map(event -> server.log.append(event)).toList();
            await(Future.join(appended).otherwiseEmpty().<Void>mapEmpty());
            for (int i = 0; i < batch.size(); i++) {
                Future<Long> one = appended.get(i);
                Event event = batch.get(i);
                long seq = one.succeeded() && one.result() > 0 ? one.result() : again(event);
                if (seq == EventLog.STALE) {
                    // What was lost on the way comes behind the delete of what it shows.
                    event = posted(statuses.get(event.subject()), Map.of());
                    seq = again(event);
                }
                note(event, seq);
            }
        }
    }

    /**
     * Somebody follows or unfollows an author, once and for all. The event comes right behind the change of the graph,
     * as {@link OracleHome} has it.
     */
    private void changeHome() {
        OracleHome home = wishes.home(random(Integer.MAX_VALUE));
        long author = author();
        if (home.isChanged(author)) {
            return;
        }
        String following = Keys.following(home.viewer());
        boolean ends = home.followedAtFirst(author);
        long[] edge = {0};
        Awaitility.await("changed").atMost(SETTLE_MAX).ignoreExceptions().until(() -> {
            if (!ends) {
                await(server.graph.follow(home.viewer(), author));
            }
            Reply score = server.redis.askAt(following, "ZSCORE", following, Long.toString(author));
            // Of an end whose answer was lost the edge has been read before.
            edge[0] = score.isNil() ? edge[0] : score.asLong();
            if (ends) {
                await(server.graph.unfollow(home.viewer(), author));
            }
            return true;
        });
        Event event = new Event(
                ends ? Event.Kind.UNFOLLOW : Event.Kind.FOLLOW,
                edge[0],
                home.viewer(),
                author,
                Visibility.PUBLIC,
                "{\"account_id\":\"" + home.viewer() + "\"}");
        long seq = again(event);
        home.change(author, Truth.place(Truth.era(truth.tip()), seq));
        truth.add(seq, event, event.match());
    }

    private void note(Event event, long seq) {
        String match = event.kind() == Event.Kind.DELETE
                ? truth.status(event.subject()).event().match()
                : event.match();
        if (event.kind() == Event.Kind.STATUS) {
            wishes.note(event);
        }
        truth.add(seq, event, match);
        if (event.kind() == Event.Kind.STATUS) {
            young.add(event);
        } else if (event.kind() == Event.Kind.FOLLOW) {
            follows.add(event);
        }
        if (young.size() > YOUNG) {
            statuses.remove(young.remove(0).subject());
        }
    }

    /** The answer was lost, the event perhaps not: then its number is in the memory of ids. */
    private long again(Event event) {
        long[] seq = {-1};
        Awaitility.await("appended")
                .atMost(SETTLE_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    try {
                        seq[0] = server.append(event);
                        if (seq[0] == 0) {
                            String key = Keys.busSubjects(Id.epochMillis(event.subject())
                                    / Duration.ofHours(1).toMillis());
                            Reply known = server.redis.askAt(key, "HGET", key, Long.toString(event.subject()));
                            seq[0] = Math.abs(known.asLong());
                        }
                        return true;
                    } catch (RedisError | IllegalStateException | java.io.UncheckedIOException away) {
                        return false;
                    }
                });
        return seq[0];
    }

    /**
     * Loses the log between two batches by FLUSHALL; accounts and tokens are there again at once, since without them
     * nobody could come back.
     *
     * @param then what else happens before anything is published again
     */
    void loseLog(Runnable then) {
        synchronized (publishing) {
            server.redis.askAt(
                    Keys.BUS_SEQ,
                    "EVAL",
                    "local kept = {} for _, key in ipairs(redis.call('KEYS', '*')) do if not key:find('{bus}', 1, true) then"
                            + " kept[key] = redis.call('DUMP', key) end end redis.call('FLUSHALL', 'SYNC')"
                            + " for key, value in pairs(kept) do redis.call('RESTORE', key, 0, value) end return 1",
                    "0");
            then.run();
            begin();
            young.clear();
            statuses.clear();
            follows.clear();
        }
    }

    /** Begins the epoch, which the first reader names. */
    private void begin() {
        Awaitility.await("an epoch").atMost(SETTLE_MAX).ignoreExceptions().until(() -> {
            truth.begin(await(server.log.state()).epoch());
            return true;
        });
    }

    private Event next() {
        int dice = random(100);
        if (dice < 8 && !young.isEmpty()) {
            Event deleted = young.remove(random(young.size()));
            statuses.remove(deleted.subject());
            return StreamServer.delete(deleted);
        }
        if (dice < 12) {
            return server.follow(author(), author());
        }
        if (dice < 14 && !follows.isEmpty()) {
            return server.unfollow(follows.remove(random(follows.size())));
        }
        Status original = young.isEmpty() || dice >= 40
                ? null
                : statuses.get(young.get(random(young.size())).subject());
        if (original != null
                && original.visibility() == Visibility.PUBLIC
                && original.post().original() == null) {
            return showing(original);
        }
        return status(dice < 20 ? Visibility.PRIVATE : dice < 25 ? Visibility.UNLISTED : Visibility.PUBLIC);
    }

    private long author() {
        return wishes.author(random(Integer.MAX_VALUE));
    }

    /** A repost or quote. */
    private Event showing(Status original) {
        boolean quotes = random(2) == 0;
        Post post = new Post(
                author(),
                Visibility.PUBLIC,
                quotes ? Post.Kind.POST : Post.Kind.REPOST,
                quotes ? Content.of(String.join(" ", words())) : Content.NONE,
                null,
                null,
                Reference.to(original),
                null);
        Status status = new Status(server.newId(), post, Counters.NONE);
        statuses.put(status.id(), status);
        return posted(status, Map.of(original.id(), original));
    }

    private static Event posted(Status status, Map<Long, Status> originals) {
        Map<Long, Account> accounts = new HashMap<>();
        Reference original = status.post().original();
        for (long author : List.of(status.authorId(), original == null ? 0 : original.accountId())) {
            accounts.put(author, new Account(author, "ann", "Ann", "", 0, 0, 0, 0));
        }
        return new EventBodies(VIEWS)
                .posted(status, new RenderContext(0, accounts, originals, Map.of(), Set.of(), Set.of(), Set.of()));
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 2 + random(3); i++) {
            words.add(wishes.keyword(random(Integer.MAX_VALUE)));
        }
        return words;
    }

    private Event status(Visibility visibility) {
        List<String> words = words();
        List<String> tags = new ArrayList<>();
        if (random(5) == 0) {
            tags.add(wishes.tag(random(Integer.MAX_VALUE)));
            words.add("#" + tags.get(0));
        }
        String text = String.join(" ", words);
        Content content = new Content(text, "", false, null, List.of(), tags, null);
        long author = author();
        Status status = new Status(server.newId(), Post.of(author, visibility, content), Counters.NONE);
        statuses.put(status.id(), status);
        if (random(8) == 0) {
            return posted(status, Map.of());
        }
        String body = "{\"id\":\"" + status.id() + "\",\"text\":\"" + text + "\",\"pad\":\""
                + "x".repeat(random(random(40) == 0 ? 8000 : 200)) + "\"}";
        return new Event(
                Event.Kind.STATUS,
                status.id(),
                author,
                0,
                visibility,
                MatchFields.of(status, List.of()).encode(),
                body);
    }

    /** Publishes a little more in calm, waits until everybody has it, and judges. */
    void judge() {
        awaitOpen();
        for (int i = 0; i < 100; i++) {
            append(3);
        }
        List<Notes> all = notes().toList();
        truth.ask(all.stream().flatMap(notes -> filters(notes)).toList());
        try {
            settled("everybody has everything", () -> all.stream().allMatch(notes -> notes.complete(truth)));
        } catch (ConditionTimeoutException late) {
            // Who lacks what is said below.
            System.out.println(late.getMessage());
        }
        List<String> differences = new ArrayList<>();
        // One by one: it may take long, and nothing comes any more that could disturb.
        int differ = 0;
        for (Notes notes : all) {
            List<String> found = crowd.ask(() -> notes.differences(truth));
            differ += found.isEmpty() ? 0 : 1;
            differences.addAll(found);
        }
        assertThat(differences)
                .as("%d of %d streams differ", differ, all.size())
                .isEmpty();
    }

    private Stream<Notes> notes() {
        return clients.stream().flatMap(client -> client.notes().stream());
    }

    private static Stream<StreamFilter> filters(Notes notes) {
        StreamFilter filter = notes.wish().filter();
        return filter instanceof OracleTurns turns
                ? Stream.concat(Stream.of(turns), turns.filters().stream())
                : Stream.of(filter);
    }

    private void settled(String what, Supplier<Boolean> condition) {
        Awaitility.await(what)
                .atMost(SETTLE_MAX)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> crowd.ask(condition));
    }

    /** Over all streams. */
    long sum(ToLongFunction<Notes> number) {
        return crowd.ask(() -> notes().mapToLong(number).sum());
    }

    /** Bytes from sockets. */
    long received() {
        return crowd.ask(
                () -> clients.stream().mapToLong(OracleClient::received).sum());
    }

    int published() {
        synchronized (publishing) {
            return truth.size();
        }
    }

    @Override
    public void close() {
        publishes = false;
        crowd.ask(() -> {
            clients.forEach(OracleClient::stop);
            return 0;
        });
        crowd.close();
    }
}
