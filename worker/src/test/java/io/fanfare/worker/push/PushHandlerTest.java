package io.fanfare.worker.push;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.nimbusds.jwt.SignedJWT;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.PushSubscription.Policy;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.testing.PushReceiver;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.vertx.VertxInternals;
import io.fanfare.worker.handler.Feeds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.ParseException;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that a push service of the test receives, and the effects of its answers. */
class PushHandlerTest {
    private static final SigningKeys KEYS =
            SigningKeys.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    private static final String TOKEN = "header.claims.signature";

    @TempDir
    static Path dir;

    private static TestCertificate certificate;
    private static Vertx vertx;
    private static HttpServer server;
    private static final BlockingQueue<Got> GOT = new LinkedBlockingQueue<>();
    private static final AtomicReference<Consumer<HttpServerRequest>> ANSWER = new AtomicReference<>();

    private final Vapid vapid = Vapid.of(Vapid.draw(new SecureRandom()));
    private final PushReceiver receiver = new PushReceiver();
    private Feeds feeds;
    private PushSubscriptions subscriptions;
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private PushSender sender;
    private PushHandler handler;
    /** Long, since a first connection may take its time on a busy machine. */
    private long holdMillis = 10_000;

    /** The time by which the clock of the handler is ahead of Redis. */
    private Duration ahead = Duration.ZERO;

    private PushSender.Lookup lookup = name -> VertxInternals.addresses(feeds.vertx(), name);
    private long ann;
    private long bob;

    /** A message as the push service got it. */
    private record Got(Map<String, String> headers, Buffer bytes) {
        byte[] body() {
            return bytes.getBytes();
        }
    }

    @BeforeAll
    static void serve() {
        certificate = TestCertificate.in(dir);
        vertx = Vertx.vertx();
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(certificate.certificate().toString())
                        .setKeyPath(certificate.key().toString()));
        server = vertx.createHttpServer(options);
        server.requestHandler(request -> request.body()
                .onSuccess(body -> {
                    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                    request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
                    GOT.add(new Got(headers, body));
                    ANSWER.get().accept(request);
                })
                .onFailure(cause -> {}));
        server = await(server.listen(0, "127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
    }

    @BeforeEach
    void open() {
        GOT.clear();
        answer(201);
        feeds = Feeds.on(TestRedis.standalone());
        long[] users = feeds.users(2);
        ann = users[0];
        bob = users[1];
        subscriptions = new PushSubscriptions(feeds.stores.redis());
        handler = handler("push.allow-private=true");
    }

    private PushHandler handler(String... assignments) {
        Settings.Push settings = SettingsLoader.defaultsWith(assignments).push();
        PushMessages messages = new PushMessages(
                feeds.stores.notifications(),
                feeds.stores.accounts(),
                feeds.stores.viewerRelationships(),
                feeds.views,
                new SealedTexts(KEYS, SealedTexts.PUSH_TOKEN));
        sender = feeds.get(() -> Future.succeededFuture(new PushSender(
                feeds.vertx(),
                settings,
                vapid,
                "mailto:me@example.org",
                InstantSource.system(),
                System::nanoTime,
                new SecureRandom(),
                name -> lookup.all(name),
                new HttpClientOptions()
                        .setTrustOptions(new PemTrustOptions()
                                .addCertPath(certificate.certificate().toString())))));
        return new PushHandler(
                feeds.vertx(),
                settings,
                subscriptions,
                messages,
                sender,
                InstantSource.offset(InstantSource.system(), ahead),
                new Random(1),
                new PushMetrics(metrics),
                holdMillis);
    }

    @AfterEach
    void close() {
        await(sender.close());
        feeds.close();
    }

    private static void answer(int status, String... headers) {
        ANSWER.set(request -> {
            for (int i = 0; i < headers.length; i += 2) {
                request.response().putHeader(headers[i], headers[i + 1]);
            }
            request.response().setStatusCode(status).end().onFailure(cause -> {});
        });
    }

    private String endpoint() {
        return "https://localhost:" + server.actualPort() + "/push/secret?x=1";
    }

    @CanIgnoreReturnValue
    private long subscribe(Policy policy, boolean standard, String... alerts) {
        String token = "token";
        feeds.redis.askAt(Keys.tokens(ann), "HSET", Keys.tokens(ann), token, "1 client push");
        PushSubscription wanted = new PushSubscription(
                0,
                0,
                Set.of(alerts),
                policy,
                standard,
                List.of(),
                receiver.p256dh(),
                receiver.auth(),
                endpoint(),
                new SealedTexts(KEYS, SealedTexts.PUSH_TOKEN).seal(TOKEN, ann, new SecureRandom()));
        return feeds.get(() -> subscriptions.subscribe(ann, token, wanted)).id();
    }

    private Optional<PushSubscription> subscription() {
        return feeds.get(() -> subscriptions.find(ann, "token"));
    }

    private long mention(String text) {
        long status = feeds.post(Post.of(bob, text));
        return feeds.get(() -> feeds.notifications.add(ann, Notification.of(Notification.Type.MENTION, bob, status)));
    }

    @CanIgnoreReturnValue
    private Outcome push(long notification, long subscription) {
        return feeds.run(handler, new Job.Push(ann, notification, subscription)).get(0);
    }

    @CanIgnoreReturnValue
    private static Got got() {
        try {
            Got got = GOT.poll(10, TimeUnit.SECONDS);
            assertThat(got).as("a message").isNotNull();
            return got;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aMentionArrivesEncryptedAsMastodonWritesIt() throws IOException, ParseException {
        long subscription = subscribe(Policy.ALL, true, "mention");
        long notification = mention("hello @user0");

        assertThat(push(notification, subscription)).isEqualTo(Outcome.DONE);

        Got got = got();
        JsonNode message = new ObjectMapper().readTree(receiver.aes128gcm(got.body()));
        assertThat(message.get("access_token").asText()).isEqualTo(TOKEN);
        assertThat(message.get("preferred_locale").asText()).isEqualTo("en");
        assertThat(message.get("notification_id").isIntegralNumber()).isTrue();
        assertThat(message.get("notification_id").asLong()).isEqualTo(notification);
        assertThat(message.get("notification_type").asText()).isEqualTo("mention");
        assertThat(message.get("icon").asText()).matches("http://localhost/avatars/[0-9]+\\.png");
        assertThat(message.get("title").asText()).isEqualTo("You were mentioned by user1");
        assertThat(message.get("body").asText()).isEqualTo("hello @user0");
        assertThat(message).hasSize(7);
        assertThat(got.headers()).containsEntry("TTL", "172800").containsEntry("Urgency", "normal");
        assertThat(got.headers()).containsEntry("Content-Encoding", "aes128gcm");
        assertThat(got.headers()).containsEntry("Topic", Long.toString(notification));
        String authorization = got.headers().get("Authorization");
        assertThat(authorization).startsWith("vapid t=").endsWith(", k=" + vapid.publicKeyUnpadded());
        SignedJWT token = SignedJWT.parse(authorization.substring(8, authorization.indexOf(',')));
        assertThat(token.getJWTClaimsSet().getAudience()).containsExactly("https://localhost:" + server.actualPort());
    }

    @Test
    void aSubscriptionWithoutTheStandardFlagGetsTheDraftEncoding() {
        long subscription = subscribe(Policy.ALL, false, "mention");
        assertThat(push(mention("x".repeat(200)), subscription)).isEqualTo(Outcome.DONE);
        Got got = got();
        String message = receiver.aesgcm(
                got.body(), got.headers().get("Encryption"), got.headers().get("Crypto-Key"));
        assertThat(message).contains("\"body\":\"" + "x".repeat(137) + "...\"");
        assertThat(got.headers()).containsEntry("Content-Encoding", "aesgcm");
        assertThat(got.headers().get("Authorization")).startsWith("WebPush ");
        assertThat(got.headers().get("Crypto-Key")).endsWith(";p256ecdsa=" + vapid.publicKeyUnpadded());
    }

    @Test
    void oneThatThePushServiceDoesNotKnowAnyMoreEndsAtOnce() {
        for (int status : new int[] {404, 410}) {
            long subscription = subscribe(Policy.ALL, true, "mention");
            answer(status);
            assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
            assertThat(subscription()).isEmpty();
        }
    }

    @Test
    void aPushServiceSaysWhenToComeAgainWithinBounds() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        answer(429, "Retry-After", "120");
        assertThat(push(mention("hello"), subscription)).satisfies(outcome -> isPutOff(outcome, 120_000, 140_000));
        assertThat(subscription().orElseThrow().failingSince()).isPositive();
        long requests = GOT.size();
        assertThat(push(mention("again"), subscription))
                .as("another one meanwhile")
                .satisfies(outcome -> {
                    isPutOff(outcome, 100_000, 125_000);
                    assertThat(((Outcome.Retry) outcome).countsAttempt()).isFalse();
                });
        assertThat(GOT).hasSize((int) requests);

        subscription = subscribe(Policy.ALL, true, "mention");
        answer(503, "Retry-After", "999999999");
        long unbounded = subscription;
        assertThat(push(mention("hello"), unbounded)).satisfies(outcome -> isPutOff(outcome, 3_600_000, 3_600_000));
    }

    @Test
    void errorsAreTriedAgainAndTheNextMessageThatArrivesMakesItGood() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        answer(500);
        long notification = mention("hello");
        assertThat(push(notification, subscription)).satisfies(outcome -> isPutOff(outcome, 5_000, 8_000));
        assertThat(subscription().orElseThrow().failingSince()).isPositive();
        answer(201);
        assertThat(push(notification, subscription)).isEqualTo(Outcome.DONE);
        assertThat(subscription().orElseThrow().failingSince()).isZero();
        answer(400);
        assertThat(push(notification, subscription)).as("not taken, ever").isEqualTo(Outcome.DONE);
        answer(302, "Location", endpoint());
        GOT.clear();
        assertThat(push(notification, subscription)).as("not followed").isEqualTo(Outcome.DONE);
        assertThat(GOT).hasSize(1);
    }

    @Test
    void aSubscriptionThatHasFailedForDaysEnds() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        answer(500);
        push(mention("hello"), subscription);
        String line = feeds.redis
                .askAt(Keys.push(ann), "HGET", Keys.push(ann), "token")
                .asString();
        String[] words = line.split(" ", 3);
        long longAgo = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(8);
        feeds.redis.askAt(Keys.push(ann), "HSET", Keys.push(ann), "token", words[0] + " " + longAgo + " " + words[2]);
        assertThat(push(mention("again"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(subscription()).isEmpty();
    }

    /** The batch is free after half a second; the message arrives once, however often its job comes. */
    @Test
    void aSlowPushServiceHoldsUpNothingAndGetsTheMessageOnce() {
        await(sender.close());
        holdMillis = PushHandler.HOLD_MILLIS;
        handler = handler("push.allow-private=true");
        AtomicReference<HttpServerRequest> waiting = new AtomicReference<>();
        ANSWER.set(waiting::set);
        long subscription = subscribe(Policy.ALL, true, "mention");
        long notification = mention("hello");

        Stopwatch began = Stopwatch.start();
        assertThat(push(notification, subscription)).satisfies(outcome -> isPutOff(outcome, 30_000, 30_000));
        assertThat(began.elapsed()).isLessThan(Duration.ofSeconds(5));
        Got first = got();
        assertThat(first.headers()).containsEntry("Topic", Long.toString(notification));

        // The service notes what it got before it answers.
        TestRedis.awaitUntil("it is to answer", () -> waiting.get() != null);
        HttpServerRequest request = waiting.get();
        vertx.runOnContext(v -> request.response().setStatusCode(201).end().onFailure(cause -> {}));
        awaitSent(notification);
        assertThat(push(notification, subscription)).isEqualTo(Outcome.DONE);
        assertThat(GOT).isEmpty();
    }

    private void awaitSent(long notification) {
        TestRedis.awaitUntil("noted", () -> subscription().orElseThrow().sent().contains(notification));
    }

    @Test
    void aMessageToAPushServiceThatNeverAnswersIsSentLessAndLessOftenAndThenGivenUp() {
        holdMillis = PushHandler.HOLD_MILLIS;
        ANSWER.set(request -> {});
        long subscription = subscribe(Policy.ALL, true, "mention");
        long notification = mention("hello");
        later(Duration.ofMinutes(20));
        assertThat(push(notification, subscription)).satisfies(outcome -> isPutOff(outcome, 600_000, 910_000));
        later(Duration.ofMinutes(61));
        assertThat(push(notification, subscription)).as("the last time").isEqualTo(Outcome.DONE);
    }

    /** Rather not twice than surely. */
    @Test
    void aMessageThatCouldNotBeRememberedIsSentAsideOnce() {
        await(sender.close());
        holdMillis = PushHandler.HOLD_MILLIS;
        handler = handler("push.allow-private=true");
        ANSWER.set(request -> {});
        long subscription = subscribe(Policy.ALL, true, "mention");
        long now = System.currentTimeMillis();
        remember(now - TimeUnit.MINUTES.toMillis(5), PushSubscriptions.SENT_MAX);
        assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
        got();
        remember(now - TimeUnit.HOURS.toMillis(3), PushSubscriptions.SENT_MAX);
        assertThat(push(mention("again"), subscription))
                .as("old ones may be forgotten")
                .isInstanceOf(Outcome.Retry.class);
    }

    private void remember(long epochMillis, int count) {
        String sent = IntStream.range(0, count)
                .mapToObj(i -> Long.toString(Id.of(epochMillis + i, Id.shard(ann), 0)))
                .collect(Collectors.joining(","));
        String line = feeds.redis
                .askAt(Keys.push(ann), "HGET", Keys.push(ann), "token")
                .asString();
        String[] words = line.split(" ", -1);
        words[5] = sent;
        feeds.redis.askAt(Keys.push(ann), "HSET", Keys.push(ann), "token", String.join(" ", words));
    }

    @Test
    void theHeadOfAnAnswerDecidesHoweverSlowlyTheRestComes() {
        ANSWER.set(request -> {
            request.response().setStatusCode(201).setChunked(true);
            request.response().write("a").onFailure(cause -> {});
        });
        long subscription = subscribe(Policy.ALL, true, "mention");
        assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(subscription().orElseThrow().failingSince()).isZero();
        ANSWER.set(request -> {
            request.response().setStatusCode(410).setChunked(true);
            request.response().write("a").onFailure(cause -> {});
        });
        assertThat(push(mention("again"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(subscription()).isEmpty();
    }

    /** It may have 50 subscriptions to push services of its own, whose names and answers take their time. */
    @Test
    void oneAccountHasSixteenMessagesUnderWayAtMost() {
        List<Promise<List<InetAddress>>> lookups = new ArrayList<>();
        lookup = name -> {
            Promise<List<InetAddress>> promise = Promise.promise();
            lookups.add(promise);
            return promise.future();
        };
        subscribe(Policy.ALL, true, "mention");
        PushSubscription slow = subscription().orElseThrow();
        retarget("localhost", "push.example.com");
        PushSubscription other = subscription().orElseThrow();

        List<Boolean> free = feeds.get(() -> {
            List<Boolean> all = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                all.add(isFree(ann, slow));
                PushSender.Target target =
                        sender.target(new PushSender.Name(ann, i), slow).orElseThrow();
                PushSender.Sending unused = sender.send(target, new byte[10], i, 10_000);
            }
            all.add(isFree(ann, other));
            all.add(isFree(bob, other));
            lookups.forEach(each -> each.fail("no such name"));
            all.add(isFree(ann, other));
            return Future.succeededFuture(all);
        });
        assertThat(free.subList(0, 16)).containsOnly(true);
        assertThat(free.subList(16, 19)).containsExactly(false, true, true);
    }

    private double counted(String name, String... tags) {
        return metrics.get("fanfare.pushes." + name).tags(tags).counter().count();
    }

    @Test
    void theResultsOfMessagesAreCounted() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(counted("sent")).isEqualTo(1);
        answer(500);
        push(mention("again"), subscription);
        assertThat(counted("retried", "reason", "failed")).isEqualTo(1);
        answer(400);
        push(mention("never"), subscription);
        assertThat(counted("dropped", "reason", "refused")).isEqualTo(1);
        assertThat(counted("ended", "reason", "gone")).isZero();
        answer(410);
        push(mention("gone"), subscription);
        assertThat(counted("dropped", "reason", "gone")).isEqualTo(1);
        assertThat(counted("ended", "reason", "gone")).isEqualTo(1);
        push(mention("late"), subscription);
        assertThat(counted("dropped", "reason", "unsubscribed")).isEqualTo(1);
        long other = subscribe(Policy.ALL, true, "follow");
        push(mention("unwanted"), other);
        assertThat(counted("dropped", "reason", "unwanted")).isEqualTo(1);
        assertThat(counted("sent")).isEqualTo(1);
    }

    private boolean isFree(long account, PushSubscription subscription) {
        return sender.busy(sender.target(new PushSender.Name(account, 99), subscription)
                        .orElseThrow())
                .isEmpty();
    }

    private void later(Duration later) {
        await(sender.close());
        ahead = later;
        handler = handler("push.allow-private=true");
    }

    /** As after kill -9: nothing is known of the first run. */
    @Test
    void aJobThatComesTwiceSendsTheSameTopicAndNotification() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        long notification = mention("hello");
        push(notification, subscription);
        push(notification, subscription);
        Got first = got();
        Got second = got();
        assertThat(first.headers().get("Topic")).isEqualTo(second.headers().get("Topic"));
        assertThat(receiver.aes128gcm(first.body())).isEqualTo(receiver.aes128gcm(second.body()));
        assertThat(GOT).isEmpty();
    }

    @Test
    void aPushServiceThatFailsAllTheTimeRests() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        answer(500);
        for (int i = 0; i < 5; i++) {
            push(mention("hello " + i), subscription);
        }
        GOT.clear();
        assertThat(push(mention("more"), subscription)).satisfies(outcome -> isPutOff(outcome, 1_000, 33_000));
        assertThat(GOT).isEmpty();
    }

    /** However the name was good when the app subscribed. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::ffff:127.0.0.1", "::1", "10.0.0.1", "169.254.169.254"})
    void nothingIsSentToAPrivateAddressThatANameLeadsTo(String address) throws UnknownHostException {
        long subscription = subscribe(Policy.ALL, true, "mention");
        retarget("localhost", "push.example.com");
        await(sender.close());
        handler = handler();
        InetAddress there = InetAddress.getByName(address);
        lookup = name -> {
            assertThat(name).isEqualTo("push.example.com");
            return Future.succeededFuture(List.of(there));
        };
        assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(GOT).isEmpty();
        assertThat(subscription().orElseThrow().failingSince()).isPositive();
    }

    @Test
    void theConnectionGoesToTheAddressThatWasCheckedAndTheCertificateIsOfTheName() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        retarget("localhost", "push.example.com");
        lookup = name -> Future.succeededFuture(List.of(InetAddress.getLoopbackAddress()));
        assertThat(push(mention("hello"), subscription)).satisfies(outcome -> isPutOff(outcome, 5_000, 8_000));
        assertThat(GOT)
                .as("a certificate of localhost is none of push.example.com")
                .isEmpty();
        retarget("push.example.com", "localhost");
        assertThat(push(mention("hello"), subscription)).isEqualTo(Outcome.DONE);
        assertThat(got().headers().get("Host")).startsWith("localhost:");
    }

    private void retarget(String from, String to) {
        String line = feeds.redis
                .askAt(Keys.push(ann), "HGET", Keys.push(ann), "token")
                .asString();
        feeds.redis.askAt(
                Keys.push(ann), "HSET", Keys.push(ann), "token", line.replace("//" + from + ":", "//" + to + ":"));
    }

    @Test
    void deletedRevokedAndOldNotificationsAreNotPushed() {
        long subscription = subscribe(Policy.ALL, true, "mention");
        long status = feeds.post(bob);
        long notification =
                feeds.get(() -> feeds.notifications.add(ann, Notification.of(Notification.Type.MENTION, bob, status)));
        feeds.get(() -> feeds.statuses.delete(bob, status));
        assertThat(push(notification, subscription)).isEqualTo(Outcome.DONE);

        long old = Id.of(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(49), Id.shard(ann), 0);
        assertThat(push(old, subscription)).isEqualTo(Outcome.DONE);
        long blocked = mention("hello");
        feeds.get(() -> feeds.blocks.mute(ann, bob, true));
        assertThat(push(blocked, subscription)).as("muted").isEqualTo(Outcome.DONE);
        feeds.redis.askAt(Keys.tokens(ann), "DEL", Keys.tokens(ann));
        assertThat(push(mention("hello"), subscription)).as("revoked").isEqualTo(Outcome.DONE);
        assertThat(GOT).isEmpty();
    }

    /** Every choice of alerts, policy and relationship against the rule. */
    @Test
    void alertsAndPolicyDecideWhichNotificationsAreSent() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        boolean follows = false;
        boolean followed = false;
        for (int step = 0; step < 60; step++) {
            if (!follows && random.nextInt(15) == 0) {
                feeds.follow(ann, bob);
                follows = true;
            }
            if (!followed && random.nextInt(15) == 0) {
                feeds.follow(bob, ann);
                followed = true;
            }
            Policy policy = List.of(Policy.values()).get(random.nextInt(4));
            Set<String> alerts = new TreeSet<>();
            PushSubscription.ALERTS.stream()
                    .filter(type -> random.nextBoolean())
                    .forEach(alerts::add);
            List<Notification.Type> types = new ArrayList<>(
                    List.of(Notification.Type.MENTION, Notification.Type.FAVOURITE, Notification.Type.REBLOG));
            Notification.Type type = types.get(random.nextInt(types.size()));
            long subscription = subscribe(policy, random.nextBoolean(), alerts.toArray(String[]::new));
            long status = feeds.post(bob);
            long notification = feeds.get(() -> feeds.notifications.add(ann, Notification.of(type, bob, status)));
            boolean wanted = alerts.contains(type.wire());
            boolean expected =
                    switch (policy) {
                        case ALL -> wanted;
                        case FOLLOWED -> wanted && follows;
                        case FOLLOWER -> wanted && followed;
                        case NONE -> false;
                    };

            GOT.clear();
            assertThat(push(notification, subscription)).isEqualTo(Outcome.DONE);

            assertThat(GOT)
                    .as("step %s: %s of %s, %s, follows %s, followed %s", step, type, alerts, policy, follows, followed)
                    .hasSize(expected ? 1 : 0);
        }
    }

    private static void isPutOff(Outcome outcome, long least, long most) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.delayMillis())
                .isBetween(least, most));
    }
}
