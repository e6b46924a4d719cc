package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients notice nothing of a fault, or receive a gap. */
public class StreamFaultTest {
    @ParameterizedTest
    @KindsOfRedis
    void lostPubSubConnectionsLoseNothing(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            long last = 0;
            for (int i = 0; i < 400; i++) {
                last = server.append(server.status(i));
                if (i % 50 == 25) {
                    redis.servers().forEach(node -> TestRedis.ask(node, "CLIENT", "KILL", "TYPE", "pubsub"));
                }
            }
            long tip = last;
            awaitUntil("all", () -> client.lastEventId().endsWith("-" + tip));

            assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, tip).boxed().toList());
            assertThat(client.messages("gap")).isEmpty();
        }
    }

    @ParameterizedTest
    @KindsOfRedis
    void aMessageThatDidNotComeIsReadFromTheLog(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            server.append(server.status(1));
            for (long seq = 2; seq < 40; seq += 2) {
                // Appended without being published.
                logged(redis, seq, "s|" + server.newId() + "|8|0|public|{}");
                server.append(server.status(1));
            }
            awaitUntil("all", () -> client.lastEventId().endsWith("-39"));

            assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 39).boxed().toList());
        }
    }

    @Test
    void aStreamOvertakenByTheEndOfTheLogGetsAGap() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100", "stream.log-events=200")) {
            SseClient slow = server.listening();
            slow.pause();
            String body = "{\"f\":\"" + "x".repeat(8000) + "\"}";
            for (int i = 0; i < 2000; i++) {
                server.append(server.status(8, Visibility.PUBLIC, body));
            }
            slow.resume();
            awaitUntil("at the tip", () -> slow.lastEventId().endsWith("-2000"));

            List<Long> accountedFor = new ArrayList<>();
            for (Message message : slow.messages()) {
                if (message.event().equals("status")) {
                    accountedFor.add(FirehoseTest.seq(message));
                } else if (message.event().equals("gap")) {
                    JsonObject gap = new JsonObject(message.data());
                    assertThat(gap.getString("reason")).isEqualTo("expired");
                    assertThat(gap.getLong("missed")).isEqualTo(gap.getLong("to") - gap.getLong("from") + 1);
                    LongStream.rangeClosed(gap.getLong("from"), gap.getLong("to"))
                            .forEach(accountedFor::add);
                }
            }
            assertThat(slow.messages("gap")).isNotEmpty();
            assertThat(accountedFor)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 2000).boxed().toList());
        }
    }

    /**
     * Two of one filter, that read nothing while more is for them than may wait: they leave the index while it calls
     * them.
     */
    @Test
    void aStreamCalledMoreOftenThanItsQueueHoldsMissesNothing() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            long author = server.newUser();
            List<SseClient> slow = List.of(
                    server.get(0, "/api/v1/streaming/filter?follow=" + author),
                    server.get(0, "/api/v1/streaming/filter?follow=" + author));
            slow.forEach(client ->
                    awaitUntil("hello", () -> !client.messages("hello").isEmpty()));
            slow.forEach(SseClient::pause);
            String body = "{\"f\":\"" + "x".repeat(4000) + "\"}";
            for (int i = 0; i < 2500; i++) {
                server.append(server.status(author, Visibility.PUBLIC, body));
            }
            slow.forEach(SseClient::resume);
            for (SseClient client : slow) {
                awaitUntil("all", () -> client.lastEventId().endsWith("-2500"));
                assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(1, 2500).boxed().toList());
            }
        }
    }

    @Test
    void aKilledRedisWithItsFileGoesOn() {
        try (TestRedis redis = TestRedis.freshStandalone(RedisProcess.AppendSync.ALWAYS);
                StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            for (int i = 0; i < 20; i++) {
                server.append(server.status(i));
            }
            redis.server().kill();
            try (RedisProcess again = startAgain(redis)) {
                awaitUntil("appended", () -> appended(server, server.status(20)));
                awaitUntil("all", () -> client.messages("status").size() >= 21);

                assertThat(again.isAlive()).isTrue();
                assertThat(client.messages("status").stream().map(FirehoseTest::seq))
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(1, 21).boxed().toList());
                assertThat(client.messages("gap")).isEmpty();
                assertThat(client.ended()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @KindsOfRedis
    void aLostLogIsAGapAndTheNewOneIsSentFromItsBeginning(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            server.append(server.status(1));
            server.append(server.status(2));
            String before = server.epoch();
            awaitUntil("two", () -> client.messages("status").size() == 2);

            redis.flush();
            server.append(server.status(3));
            server.append(server.status(4));
            awaitUntil("four", () -> client.messages("status").size() == 4);

            String after = server.epoch();
            assertThat(after).isNotEqualTo(before);
            assertThat(client.messages().stream().map(Message::event))
                    .containsExactly("hello", "status", "status", "gap", "status", "status");
            JsonObject gap = new JsonObject(client.messages("gap").get(0).data());
            assertThat(gap.getString("reason")).isEqualTo("epoch");
            assertThat(gap.getLong("from")).isEqualTo(3);
            assertThat(client.lastEventId()).isEqualTo(after + "-2");

            SseClient back = server.listening("Last-Event-ID: " + before + "-2");
            awaitUntil("gap", () -> back.messages("gap").size() == 1);
            assertThat(back.messages("gap").get(0).data()).contains("\"reason\":\"epoch\"");
        }
    }

    /** The end of the request is a number of a log that is gone. */
    @Test
    void aRequestForTheLastFewOfALostLogGetsAGapAndEnds() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            String filler = "{\"f\":\"" + "x".repeat(8000) + "\"}";
            for (int i = 0; i < 399; i++) {
                server.append(server.status(8, Visibility.PUBLIC, filler));
            }
            server.appendKnown(server.status(8, Visibility.PUBLIC, filler));
            SseClient few = server.get(0, "/api/v1/streaming/firehose?count=-400");
            few.pause();
            SseClient live = server.listening();

            redis.flush();
            server.appendKnown(server.status(1));
            awaitUntil("live", () -> live.messages("status").size() == 1);
            few.resume();

            awaitUntil("ended", few::ended);
            assertThat(few.messages("gap")).hasSize(1);
            assertThat(few.messages("gap").get(0).data()).contains("\"reason\":\"epoch\"");
            assertThat(few.messages("status"))
                    .allMatch(message -> message.data().equals(filler));
            assertThat(few.messages("disconnect").get(0).data()).contains("\"code\":9");
            assertThat(few.lastEventId()).isEqualTo(server.epoch() + "-0-end");
        }
    }

    @Test
    void aNewEpochThatIsNoticedLateIsSentFromTheBeginningOfItsLog() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            server.append(server.status(1));
            server.append(server.status(2));
            awaitUntil("two", () -> client.messages("status").size() == 2);

            // What others have made of a new log meanwhile, of which this node heard nothing: it has lost its first
            // forty events already.
            redis.askAt(
                    Keys.BUS_SEQ,
                    "EVAL",
                    """
                    redis.call('DEL', KEYS[1], KEYS[5])
                    redis.call('XADD', KEYS[1], '45-0', 't', '1', 'n', '5', 'b', '99')
                    redis.call('HSET', KEYS[5], '45', ARGV[1])
                    redis.call('MSET', KEYS[2], '0badcafe', KEYS[3], '45', KEYS[4], '41')
                    """,
                    "5",
                    Keys.BUS_LOG,
                    Keys.BUS_EPOCH,
                    Keys.BUS_SEQ,
                    Keys.BUS_FLOOR,
                    Keys.BUS_BATCHES,
                    LongStream.rangeClosed(41, 45)
                            .mapToObj(seq -> "s|" + seq + "|8|0|public|{}")
                            .collect(Collectors.joining("\n")));
            awaitUntil("seven", () -> client.messages("status").size() == 7);

            JsonObject gap = new JsonObject(client.messages("gap").get(0).data());
            assertThat(gap)
                    .isEqualTo(new JsonObject()
                            .put("from", 3)
                            .put("to", 40)
                            .put("reason", "epoch")
                            .putNull("missed"));
            assertThat(client.messages("gap")).hasSize(1);
            assertThat(client.lastEventId()).isEqualTo("0badcafe-45");
        }
    }

    /**
     * Else it would be led back into the epoch that it knows is over, and then hear the new one from its beginning once
     * more.
     */
    @Test
    void aClientThatKnowsANewerEpochThanTheNodeComesAgain() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            server.append(server.status(1));
            redis.flush();
            // Nobody is told: the node finds out when it looks, within a second.
            String begun = TestRedis.await(server.log.state()).epoch();
            awaitUntil("resumed", () -> {
                SseClient client = server.firehose("Last-Event-ID: " + begun + "-0");
                awaitUntil("answered", () -> !client.messages().isEmpty());
                assertThat(client.messages("gap")).isEmpty();
                Message first = client.messages().get(0);
                if (first.event().equals("disconnect")) {
                    assertThat(first.data()).contains("\"code\":12,");
                    return false;
                }
                assertThat(first.data()).contains("\"epoch\":\"" + begun + "\"").contains("\"resumed\":true");
                return true;
            });
        }
    }

    @Test
    void numbersGivenOutTwiceEndTheEpoch() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            for (int i = 0; i < 10; i++) {
                server.append(server.status(i));
            }
            awaitUntil("ten", () -> client.messages("status").size() == 10);
            String before = server.epoch();

            // A server that returns from an older file, and continues.
            redis.askAt(Keys.BUS_LOG, "DEL", Keys.BUS_LOG, Keys.BUS_BATCHES);
            logged(redis, 5, "s|1|8|0|public|{}");
            for (int i = 0; i < 10; i++) {
                server.append(server.status(100 + i));
            }
            awaitUntil("told", () -> client.messages("gap").size() == 1);

            assertThat(client.messages("gap").get(0).data()).contains("\"reason\":\"epoch\"");
            assertThat(server.epoch()).isNotEqualTo(before);
            long next = server.append(server.status(7));
            awaitUntil("goes on", () -> client.lastEventId().equals(server.epoch() + "-" + next));
        }
    }

    /** A replica that lacks events lets the relay begin the epoch; after any failover, a worker begins it in time. */
    @ParameterizedTest
    @ValueSource(ints = {3, 0})
    void eventsBetweenAFailoverAndTheNewEpochAreSentOnce(int lost) {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            SseClient client = server.listening();
            IntStream.range(0, 10).forEach(n -> server.append(server.status(n)));
            awaitUntil("ten", () -> client.messages("status").size() == 10);
            String before = server.epoch();

            failOver(redis, 10 - lost);
            IntStream.range(10, 18).forEach(n -> server.append(server.status(n)));
            TestRedis.await(server.log.renewEpoch(before));
            server.append(server.status(18));
            awaitUntil("the last", () -> bodies(client).endsWith("{\"n\":18}"));

            String all = bodies(0, 19);
            assertThat(bodies(client)).isEqualTo(all);
            assertThat(client.messages("gap")).hasSize(1);
            assertThat(new JsonObject(client.messages("gap").get(0).data()).getString("reason"))
                    .isEqualTo("epoch");
            assertThat(client.lastEventId()).isEqualTo(server.epoch() + "-" + (19 - lost));

            // A client that has received six of them on a connection that the failover broke.
            SseClient back = server.listening("Last-Event-ID: " + before + "-6");
            awaitUntil("the last again", () -> bodies(back).endsWith("{\"n\":18}"));
            assertThat(back.messages("gap")).hasSize(1);
            assertThat(bodies(back)).isEqualTo(lost == 0 ? bodies(6, 19) : bodies(6, 7) + bodies(10, 19));
        }
    }

    /** The state of a replica that becomes the master without the events after that one. */
    private static void failOver(TestRedis redis, int seq) {
        redis.askAt(Keys.BUS_SEQ, "EVAL", """
                for seq = ARGV[1] + 1, redis.call('GET', KEYS[1]) do
                  redis.call('XDEL', KEYS[2], seq .. '-0')
                  redis.call('HDEL', KEYS[3], seq)
                end
                redis.call('XSETID', KEYS[2], ARGV[1] .. '-0')
                redis.call('SET', KEYS[1], ARGV[1])
                """, "3", Keys.BUS_SEQ, Keys.BUS_LOG, Keys.BUS_BATCHES, String.valueOf(seq));
    }

    private static String bodies(SseClient client) {
        return client.messages("status").stream().map(Message::data).collect(Collectors.joining());
    }

    private static String bodies(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> "{\"n\":" + n + "}").collect(Collectors.joining());
    }

    @Test
    void aHomeReadsItsFolloweesAgainWhenTheLogRestarts() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            long viewer = server.newUser();
            long former = server.newUser();
            long friend = server.newUser();
            TestRedis.await(server.graph.followAll(List.of(new long[] {viewer, former})));
            SseClient client = server.get(
                    0, "/api/v1/streaming/home", "Authorization: Bearer " + server.token(viewer, "read:statuses"));
            awaitUntil("hello", () -> !client.messages("hello").isEmpty());

            // What would have told of these is lost with the log.
            TestRedis.await(server.graph.unfollow(viewer, former));
            TestRedis.await(server.graph.follow(viewer, friend));
            redis.askAt(
                    Keys.BUS_SEQ, "DEL", Keys.BUS_SEQ, Keys.BUS_EPOCH, Keys.BUS_FLOOR, Keys.BUS_LOG, Keys.BUS_BATCHES);
            server.append(server.status(former, Visibility.PRIVATE, "{\"no\":1}"));
            server.append(server.status(friend, Visibility.PRIVATE, "{\"yes\":1}"));
            server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":2}"));
            awaitUntil("told", () -> client.raw().contains("{\"yes\":2}"));

            assertThat(client.messages("gap")).hasSize(1);
            assertThat(client.raw()).contains("{\"yes\":1}").doesNotContain("{\"no\"");
        }
    }

    @Test
    void blockedAccountsStayHiddenWhileBlocksCannotBeRead() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            long viewer = server.newUser();
            long blocked = server.newUser();
            SseClient others = server.listening();
            SseClient client = server.listening("Authorization: Bearer " + server.token(viewer, "read:statuses"));
            server.append(server.status(blocked, Visibility.PUBLIC, "{\"yes\":1}"));
            awaitUntil("told", () -> client.raw().contains("{\"yes\":1}"));

            // What would have told of the block is lost with the log, and who asks for blocks gets an error.
            redis.askAt(Keys.blocks(viewer), "SET", Keys.blocks(viewer), "no list");
            redis.askAt(
                    Keys.BUS_SEQ, "DEL", Keys.BUS_SEQ, Keys.BUS_EPOCH, Keys.BUS_FLOOR, Keys.BUS_LOG, Keys.BUS_BATCHES);
            long failed = wrongTypes(redis);
            server.append(server.status(blocked, Visibility.PUBLIC, "{\"no\":1}"));
            server.append(server.status(viewer, Visibility.PUBLIC, "{\"yes\":2}"));
            awaitUntil("others told", () -> others.raw().contains("{\"yes\":2}"));
            awaitUntil("asked more than once", () -> wrongTypes(redis) > failed + 1);
            redis.askAt(Keys.blocks(viewer), "DEL", Keys.blocks(viewer));
            redis.askAt(Keys.blocks(viewer), "ZADD", Keys.blocks(viewer), "1", Long.toString(blocked));

            awaitUntil("told", () -> client.raw().contains("{\"yes\":2}"));
            assertThat(client.raw()).doesNotContain("{\"no\"");
            assertThat(others.raw()).contains("{\"no\":1}");
        }
    }

    private static long wrongTypes(TestRedis redis) {
        Matcher count = Pattern.compile("errorstat_WRONGTYPE:count=(\\d+)")
                .matcher(redis.askAt(Keys.BUS_SEQ, "INFO", "errorstats").asString());
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }

    @Test
    void aStoppedNodeSendsItsClientsToAnotherNode() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis)) {
            int second = server.addNode();
            SseClient client = server.listening();
            server.append(server.status(1));
            awaitUntil("told", () -> client.messages("status").size() == 1);

            server.stopNode(0);
            awaitUntil("ended", client::ended);
            server.append(server.status(2));

            assertThat(client.messages("disconnect").get(0).data()).contains("\"code\":1,");
            assertThat(client.raw()).containsPattern("retry: \\d{3,5}\nevent: disconnect\n");
            SseClient again =
                    server.get(second, "/api/v1/streaming/firehose", "Last-Event-ID: " + client.lastEventId());
            awaitUntil("resumed", () -> again.messages("status").size() == 1);
            assertThat(again.messages("status").get(0).data()).isEqualTo("{\"n\":2}");
            assertThat(again.messages("gap")).isEmpty();
        }
    }

    /**
     * Clients that come and go between two nodes, and all the while events, deletes and cut connections: each client
     * has heard everything once, in order.
     */
    @ParameterizedTest
    @KindsOfRedis
    void comingBackToAnyNodeGivesEverythingOnce(TestRedis.Kind kind) {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        TestRedis redis = kind.redis();
        redis.flush();
        try (StreamServer server = StreamServer.start(redis, "stream.ring-events=100", "stream.heartbeat=200ms")) {
            server.addNode();
            List<Reader> readers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                readers.add(new Reader(server, random));
            }
            List<Event> alive = new ArrayList<>();
            Set<Long> deletedSeqs = new HashSet<>();
            Map<Event, Long> seqs = new HashMap<>();
            List<Long> all = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                boolean delete = !alive.isEmpty() && random.nextInt(10) == 0;
                Event status = delete ? alive.remove(random.nextInt(alive.size())) : server.status(i);
                long seq = server.append(delete ? StreamServer.delete(status) : status);
                all.add(seq);
                if (delete) {
                    deletedSeqs.add(seqs.get(status));
                } else {
                    seqs.put(status, seq);
                    alive.add(status);
                }
                if (random.nextInt(40) == 0) {
                    readers.get(random.nextInt(readers.size())).comeBack();
                }
                if (random.nextInt(300) == 0) {
                    redis.servers().forEach(node -> TestRedis.ask(node, "CLIENT", "KILL", "TYPE", "pubsub"));
                }
            }
            long tip = all.get(all.size() - 1);
            List<Long> due =
                    all.stream().filter(seq -> !deletedSeqs.contains(seq)).toList();
            for (Reader reader : readers) {
                awaitUntil("has all", () -> reader.cursor().endsWith("-" + tip));
                List<Long> received = reader.received();
                assertThat(received).isSorted().doesNotHaveDuplicates().containsAll(due);
                assertThat(received).allMatch(seq -> seq <= tip);
                assertThat(reader.gaps()).isZero();
            }
        }
    }

    /** An EventSource with a memory. */
    private static final class Reader {
        private final StreamServer server;
        private final Random random;
        private final List<Long> before = new ArrayList<>();
        private int gaps;
        private String cursor = "";
        private SseClient client;

        Reader(StreamServer server, Random random) {
            this.server = server;
            this.random = random;
            this.client = server.listening();
        }

        void comeBack() {
            client.close();
            awaitUntil("closed", client::ended);
            remember();
            client = cursor.isEmpty()
                    ? server.get(random.nextInt(2), "/api/v1/streaming/firehose?cursor=0")
                    : server.get(random.nextInt(2), "/api/v1/streaming/firehose", "Last-Event-ID: " + cursor);
        }

        private void remember() {
            cursor = cursor();
            before.addAll(seqs(client));
            gaps += client.messages("gap").size();
        }

        String cursor() {
            String now = client.lastEventId();
            return now.isEmpty() ? cursor : now;
        }

        List<Long> received() {
            List<Long> received = new ArrayList<>(before);
            received.addAll(seqs(client));
            return received;
        }

        int gaps() {
            return gaps + client.messages("gap").size();
        }

        private static List<Long> seqs(SseClient client) {
            return client.messages().stream()
                    .filter(message ->
                            message.event().equals("status") || message.event().equals("delete"))
                    .map(FirehoseTest::seq)
                    .toList();
        }
    }

    /** The same server on the same port, from its append-only file. */
    private static RedisProcess startAgain(TestRedis redis) {
        RedisProcess killed = redis.server();
        String userInfo = URI.create(redis.options().url().reveal()).getUserInfo();
        Secret password = new Secret(userInfo.substring(userInfo.indexOf(':') + 1));
        return RedisProcess.start(RedisProcess.Options.in(killed.dir())
                .port(killed.port())
                .password(password)
                .appendSync(RedisProcess.AppendSync.ALWAYS));
    }

    private static boolean appended(StreamServer server, Event event) {
        try {
            return server.append(event) > 0;
        } catch (RedisError e) {
            return false;
        }
    }

    /** Makes this the newest event of the log; in one step, since a number without its event is a deleted event. */
    private static void logged(TestRedis redis, long seq, String line) {
        redis.askAt(
                Keys.BUS_SEQ,
                "EVAL",
                "redis.call('SET', KEYS[1], ARGV[1]) redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])"
                        + " return redis.call('XADD', KEYS[2], ARGV[1] .. '-0', 't', 1, 'n', 1, 'b', 99)",
                "3",
                Keys.BUS_SEQ,
                Keys.BUS_LOG,
                Keys.BUS_BATCHES,
                Long.toString(seq),
                line);
    }
}
