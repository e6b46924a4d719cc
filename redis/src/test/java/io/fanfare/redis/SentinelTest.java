package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.embedded.TestSentinel;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The link where sentinels say which server is the master. */
class SentinelTest {
    private static final Vertx vertx = Vertx.vertx();

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void theLinkFollowsAFailover() {
        try (TestRedis first = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis second = TestRedis.freshStandalone(AppendSync.OFF);
                TestSentinel sentinel = TestSentinel.over(first, second)) {
            RedisLink link = await(RedisLink.openTracking(vertx, sentinel.options()));
            RecordingListener listener = new RecordingListener();
            RedisLink.Subscription subscription = link.subscribe(RedisLink.Channels.sharded("news"), "news", listener);
            awaitUntil("subscribed", () -> listener.has("subscribed"));
            await(link.send(Command.of("SET", "a", "before")));
            assertThat(first.askAt("a", "GET", "a").asString()).isEqualTo("before");
            assertThat(master(link)).isEqualTo("127.0.0.1:" + first.server().port());

            first.server().kill();

            awaitUntil("writes go on", () -> writes(link, "after"));
            assertThat(second.askAt("a", "GET", "a").asString()).isEqualTo("after");
            assertThat(master(link)).isEqualTo("127.0.0.1:" + second.server().port());
            awaitUntil("subscribed again", () -> listener.events().equals(List.of("subscribed", "lost", "subscribed")));
            second.askAt("a", "SPUBLISH", "news", "hello");
            awaitUntil("heard", () -> listener.has("hello"));
            assertThat(await(link.block(Command.of("BLPOP", "none", "0.01"), 1000))
                            .isNil())
                    .isTrue();
            await(subscription.close());
            await(link.close());
        }
    }

    @Test
    void aMasterThatSentinelsNameNoMoreIsLeftThoughItLives() {
        try (TestRedis first = TestRedis.freshStandalone(AppendSync.OFF);
                TestRedis second = TestRedis.freshStandalone(AppendSync.OFF);
                TestSentinel sentinel = TestSentinel.start(first)) {
            RedisLink link = await(RedisLink.open(vertx, sentinel.options()));
            assertThat(writes(link, "1")).isTrue();

            sentinel.name(second);

            awaitUntil(
                    "the other is written to",
                    () -> writes(link, "2")
                            && "2".equals(second.askAt("a", "GET", "a").asString()));
            await(link.close());
        }
    }

    @Test
    void aMasterThatNoSentinelKnowsIsReportedAsASentence() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF);
                TestSentinel sentinel = TestSentinel.start(redis)) {
            RedisOptions right = sentinel.options();
            assertThatThrownBy(() -> await(RedisLink.open(vertx, right.at(new Secret("redis://other")))))
                    .hasMessageContaining("no sentinel of redis.sentinels knows where the master other is")
                    .hasMessageContaining("127.0.0.1:1: ")
                    .hasMessageContaining("it watches no master of that name");
            RedisOptions wrongPassword = new RedisOptions(
                    right.url(),
                    right.mode(),
                    right.namespace(),
                    right.sentinels(),
                    new Secret("wrong"),
                    right.connectTimeout(),
                    right.commandTimeout(),
                    right.inFlightMax(),
                    right.waitReplicas(),
                    right.waitTimeout());
            assertThatThrownBy(() -> await(RedisLink.open(vertx, wrongPassword)))
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageNotContaining("wrong,");
        }
    }

    private static boolean writes(RedisLink link, String value) {
        return await(link.send(Command.of("SET", "a", value)).map(true).otherwise(false));
    }

    /** As the link's event loop sees it. */
    private static String master(RedisLink link) {
        return await(
                link.send(Command.of("PING", "a")).map(pong -> link.masters().of("a")));
    }
}
