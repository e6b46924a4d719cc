package io.fanfare.stream;

import static io.fanfare.common.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.Particulars;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.redis.Reply;
import io.fanfare.stream.OracleClient.Wish;
import io.fanfare.stream.filter.Filtered;
import io.fanfare.stream.filter.Firehose;
import io.fanfare.stream.filter.PublicTimeline;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.filter.Tagged;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.FilterSpec.Reposts;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The promise of streams, put to the test: a publisher that keeps books, a crowd of clients that keep theirs, and a judge. What each client heard, over all its connections to
 * whichever node, must be what the naive filter says of the publisher's books, in order and once, but for what a gap told it cannot have.
 */
final class StreamOracle implements AutoCloseable {
    private static final List<String> WORDS = List.of(
            "rain", "sun", "tram", "coffee", "music", "query", "river", "garden", "北京", "天气", "音楽", "🚲", "match",
            "goal", "train");
    private static final List<String> TAGS = List.of("news", "sport", "weather");

    /** Only these are deleted again: older ones may have left the log, and nobody would be told. */
    private static final int YOUNG = 100;

    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

    private final StreamServer server;
    private final Random random;
    private final Truth truth = new Truth();
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final HttpClient http;
    private final List<OracleClient> clients = new ArrayList<>();
    private final List<Long> authors = new ArrayList<>();
    private final List<Wish> wishes;
    private final List<Event> young = new ArrayList<>();
    private final List<Event> follows = new ArrayList<>();
    private volatile List<Integer> ports = List.of();
    private int inFlightMax = 1;

    /** @param server its nodes are made known with {@link #ports} */
    StreamOracle(StreamServer server, Random random) {
        this.server = server;
        this.random = random;
        // Small buffers, so that who reads slowly is soon behind.
        this.http = vertx.createHttpClient(
                new HttpClientOptions().setReceiveBufferSize(16 << 10).setKeepAlive(false),
                new PoolOptions().setHttp1MaxSize(5000));
        for (int i = 0; i < 8; i++) {
            authors.add(server.newUser());
        }
        this.wishes = wishes();
    }

    /** Where clients find nodes from now on. */
    void ports(List<Integer> running) {
        ports = List.copyOf(running);
    }

    /** Appends are sent so many at a time. */
    void inFlight(int max) {
        inFlightMax = max;
    }

    private List<Wish> wishes() {
        List<Wish> all = new ArrayList<>();
        String ours = "/api/v1/streaming/";
        String twitters = "/1.1/statuses/";
        all.add(new Wish(ours + "firehose", Dialect.NATIVE, Firehose.WHOLE));
        all.add(new Wish(ours + "firehose", Dialect.LINES, Firehose.WHOLE));
        all.add(new Wish(ours + "firehose?delimited=length", Dialect.LENGTHS_AND_LINES, Firehose.WHOLE));
        all.add(new Wish(twitters + "firehose.json", Dialect.TWITTER, Firehose.WHOLE));
        all.add(new Wish(twitters + "firehose.json?delimited=length", Dialect.LENGTHS_AND_TWITTER, Firehose.WHOLE));
        all.add(new Wish(ours + "public", Dialect.MASTODON, new PublicTimeline()));
        TAGS.forEach(tag -> all.add(new Wish(ours + "hashtag?tag=" + tag, Dialect.MASTODON, new Tagged(tag))));
        for (double percent : new double[] {1, 10, 50}) {
            Sample sample = Sample.of(percent, server.sampleSalt(), 0);
            all.add(new Wish(ours + "sample?rate=" + percent, Dialect.NATIVE, new Firehose(sample)));
        }
        for (String word : WORDS) {
            StreamFilter filter = filter(Set.of(), word, false, "");
            String query = "?track=" + encode(word);
            all.add(new Wish(ours + "filter" + query, Dialect.NATIVE, filter));
            all.add(new Wish(ours + "filter" + query, Dialect.LINES, filter));
            all.add(new Wish(
                    twitters + "filter.json" + query + "&delimited=length", Dialect.LENGTHS_AND_TWITTER, filter));
        }
        for (long author : authors) {
            all.add(new Wish(ours + "filter?follow=" + author, Dialect.NATIVE, filter(Set.of(author), "", false, "")));
            all.add(new Wish(
                    ours + "filter?combine=and&track=rain,sun&exclude=tram&follow=" + author,
                    Dialect.NATIVE,
                    filter(Set.of(author), "rain,sun", true, "tram")));
        }
        return all;
    }

    private static StreamFilter filter(Set<Long> follow, String track, boolean all, String exclude) {
        return new Filtered(FilterSpec.parse(
                follow,
                false,
                track,
                "",
                all,
                exclude,
                "",
                Reposts.INCLUDE,
                Sample.ALL,
                new FilterSpec.Bounds(100, 100, 100)));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Opens so many more clients, of the kinds in turn. */
    void connect(int howMany) {
        onLoop(() -> {
            for (int i = 0; i < howMany; i++) {
                Wish wish = wishes.get(clients.size() % wishes.size());
                OracleClient client = new OracleClient(
                        vertx, http, wish, () -> ports.get(random(ports.size())), () -> truth.tip() + inFlightMax);
                clients.add(client);
                client.connect();
            }
            return 0;
        });
        awaitOpen();
    }

    /** Chance is drawn on two threads; which of them draws first is not repeatable anyway. */
    private int random(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    void awaitOpen() {
        settled(
                "all are connected",
                () -> (int) clients.stream().filter(c -> !c.isOpen()).count() == 0);
    }

    /** Cuts this many clients off at once. */
    void cutClients(int howMany) {
        onLoop(() -> {
            for (int i = 0; i < howMany; i++) {
                clients.get(random(clients.size())).cut();
            }
            return 0;
        });
    }

    /** This many clients stop reading for a while. */
    void pauseClients(int howMany, long millis) {
        onLoop(() -> {
            for (int i = 0; i < howMany; i++) {
                clients.get(random(clients.size())).pause(millis);
            }
            return 0;
        });
    }

    /** Publishes one batch, and waits until the log has it, however often it takes. */
    void publish() {
        List<Event> batch = new ArrayList<>();
        while (batch.size() < inFlightMax) {
            batch.add(next());
        }
        List<Future<Long>> appended =
                batch.stream().map(event -> server.log.append(event)).toList();
        await(Future.join(appended).otherwiseEmpty().<Void>mapEmpty());
        for (int i = 0; i < batch.size(); i++) {
            note(batch.get(i), appended.get(i).succeeded() ? appended.get(i).result() : again(batch.get(i)));
        }
    }

    private void note(Event event, long seq) {
        String match = event.kind() == Event.Kind.DELETE
                ? truth.of("s" + event.subject()).event().match()
                : event.match();
        truth.add(seq, event, match);
        if (event.kind() == Event.Kind.STATUS) {
            young.add(event);
        } else if (event.kind() == Event.Kind.FOLLOW) {
            follows.add(event);
        }
        if (young.size() > YOUNG) {
            young.remove(0);
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
                            String seen = Keys.busSeen(Id.epochMillis(event.subject())
                                    / Duration.ofHours(1).toMillis());
                            Reply known = server.redis.askAt(seen, "HGET", seen, event.id());
                            seq[0] = Long.parseLong(known.asString());
                        }
                        return true;
                    } catch (RedisError | IllegalStateException away) {
                        return false;
                    }
                });
        return seq[0];
    }

    private Event next() {
        int dice = random(100);
        if (dice < 8 && !young.isEmpty()) {
            return StreamServer.delete(young.remove(random(young.size())));
        }
        if (dice < 12) {
            return server.follow(author(), author());
        }
        if (dice < 14 && !follows.isEmpty()) {
            return server.unfollow(follows.remove(random(follows.size())));
        }
        return status(dice < 20 ? Visibility.PRIVATE : dice < 25 ? Visibility.UNLISTED : Visibility.PUBLIC);
    }

    private long author() {
        return authors.get(random(authors.size()));
    }

    private Event status(Visibility visibility) {
        List<String> words = new ArrayList<>();
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < 2 + random(3); i++) {
            words.add(WORDS.get(random(WORDS.size())));
        }
        if (random(5) == 0) {
            tags.add(TAGS.get(random(TAGS.size())));
            words.add("#" + tags.get(0));
        }
        String text = String.join(" ", words);
        Content content = new Content(text, "", false, null, List.of(), tags, null);
        long author = author();
        Status status = new Status(server.newId(), Draft.of(author, visibility, content), Counters.NONE);
        String body = "{\"id\":\"" + status.id() + "\",\"text\":\"" + text + "\",\"pad\":\""
                + "x".repeat(random(random(10) == 0 ? 8000 : 200)) + "\"}";
        return new Event(
                Event.Kind.STATUS,
                status.id(),
                author,
                0,
                visibility,
                Particulars.of(status, null).encode(),
                body);
    }

    /** Publishes a little more in calm, waits until everybody has it, and judges. */
    void judge() {
        awaitOpen();
        for (int i = 0; i < 300; i++) {
            publish();
        }
        List<Long> last = new ArrayList<>();
        for (OracleClient client : clients) {
            last.add(client.lastDue(truth));
        }
        try {
            settled("everybody has everything", () -> behind(last) == 0);
        } catch (ConditionTimeoutException late) {
            // Who lacks what is said below.
            System.out.println(late.getMessage());
        }
        List<String> differences = new ArrayList<>();
        // One by one: it may take long, and nothing comes any more that could disturb.
        clients.forEach(client -> differences.addAll(onLoop(() -> client.differences(truth))));
        assertThat(differences)
                .as("%d differences of %d clients", differences.size(), clients.size())
                .isEmpty();
    }

    private int behind(List<Long> last) {
        int behind = 0;
        for (int i = 0; i < clients.size(); i++) {
            behind += clients.get(i).last(truth) < last.get(i) ? 1 : 0;
        }
        return behind;
    }

    private void settled(String what, Supplier<Boolean> condition) {
        Awaitility.await(what)
                .atMost(SETTLE_MAX)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> onLoop(condition));
    }

    int sum(ToIntFunction<OracleClient> number) {
        return onLoop(() -> clients.stream().mapToInt(number).sum());
    }

    int published() {
        return truth.size();
    }

    @CanIgnoreReturnValue
    private <T> T onLoop(Supplier<T> work) {
        Promise<T> done = Promise.promise();
        loop.runOnContext(turn -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.fail(e);
            }
        });
        return await(done.future());
    }

    @Override
    public void close() {
        onLoop(() -> {
            clients.forEach(OracleClient::stop);
            return 0;
        });
        await(vertx.close());
    }
}
