package io.fanfare.redis;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two links in two namespaces of one Redis, and what the servers hold. */
@ParameterizedClass
@EnumSource(TestRedis.Kind.class)
class NamespaceTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final Script WRITE = Script.load("test_write");

    private final TestRedis redis;
    private final Context loop = vertx.getOrCreateContext();
    private RedisLink one;
    private RedisLink other;

    NamespaceTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        one = open("one");
        other = open("other");
    }

    private RedisLink open(String namespace) {
        return onLoop(() -> RedisLink.openTracking(vertx, redis.options().in(Namespace.of(namespace))));
    }

    @AfterEach
    void close() {
        await(one.close());
        await(other.close());
        redis.flush();
    }

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @Test
    void aKeyOfOneIsNoneOfTheOther() {
        // Without a tag the slot is that of the whole key: the cluster would answer MOVED to each.
        for (String key : List.of("a", "b", "c", "login:ann", "home:{7}:1", "{bus}:seq")) {
            assertThat(send(one, Command.of("SET", key, "1")).asString()).isEqualTo("OK");
            assertThat(send(other, Command.of("GET", key)).isNil()).as(key).isTrue();
            assertThat(send(one, Command.of("GET", key)).asString()).isEqualTo("1");
        }
        assertThat(held())
                .containsExactly("one:a", "one:b", "one:c", "one:home:{7}:1", "one:login:ann", "one:{bus}:seq");
    }

    @Test
    void aLinkSendsACommandAtOnceToTheServerThatHasItsKey() {
        RedisLink usual = onLoop(() -> RedisLink.open(vertx, redis.options()));
        for (int i = 0; i < 50; i++) {
            String key = "key" + i;
            send(usual, Command.of("SET", key, i));
            String server = "127.0.0.1:" + redis.serverOf(key).port();
            assertThat(onLoop(() -> Future.succeededFuture(usual.nodeOf(key)))).isEqualTo(server);
        }
        await(usual.close());
    }

    @Test
    void aCommandOfManyKeysHasTheNamespaceInEach() {
        send(one, Command.of("SET", "{t}a", "1"));
        send(one, Command.of("SET", "{t}b", "2"));
        assertThat(send(one, Command.of("MGET", "{t}a", "{t}b")).items())
                .extracting(Reply::asString)
                .containsExactly("1", "2");
        assertThat(send(one, Command.of("EXISTS", "{t}a", "{t}b", "{t}c")).asLong())
                .isEqualTo(2);
        assertThat(send(other, Command.of("DEL", "{t}a", "{t}b")).asLong()).isZero();
        assertThat(send(one, Command.of("RENAME", "{t}a", "{t}c")).asString()).isEqualTo("OK");
        assertThat(held()).containsExactly("one:{t}b", "one:{t}c");
        assertThat(send(one, Command.of("UNLINK", "{t}b", "{t}c")).asLong()).isEqualTo(2);
        assertThat(held()).isEmpty();
    }

    @Test
    void aFurtherKeyThatTheLinkDoesNotKnowMustBeNamed() {
        assertThatThrownBy(() -> Command.of("MSET", "{t}a", "1", "{t}b", "2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the further keys of MSET must be Command.Named");
        send(one, Command.of("MSET", "{t}a", "1", new Command.Named("{t}b"), "2"));
        assertThat(held()).containsExactly("one:{t}a", "one:{t}b");
    }

    @Test
    void aRawCommandLeavesItsKeysAsTheyAre() {
        send(one, Command.raw("SET", "other:a", "other:a", "1"));
        assertThat(held()).containsExactly("other:a");
        assertThat(send(other, Command.of("GET", "a")).asString()).isEqualTo("1");
    }

    @Test
    void aBlockingCommandWaitsAtTheKeyOfItsNamespace() {
        Future<Reply> waits = one.block(Command.routed("BLMPOP", "list", 20, 1, "list", "RIGHT"), 20_000);
        send(other, Command.of("RPUSH", "list", "of the other"));
        send(one, Command.of("RPUSH", "list", "own"));
        assertThat(await(waits).items().get(1).items().get(0).asString()).isEqualTo("own");
        assertThat(held()).containsExactly("other:list");
    }

    @Test
    void aScriptHasTheKeysOfItsNamespaceWithItsTextAndByItsDigest() {
        for (var server : redis.servers()) {
            ask(server, "SCRIPT", "FLUSH");
        }
        send(one, WRITE.call(List.of("{t}a"), "first"));
        send(one, WRITE.call(List.of("{t}a"), "second"));
        send(other, WRITE.call(List.of("plain"), "third"));
        assertThat(held()).containsExactly("one:{t}a", "other:plain");
        assertThat(send(one, Command.of("GET", "{t}a")).asString()).isEqualTo("second");
    }

    @Test
    void aNamedArgumentIsWrittenLikeAKeyAndAnyOtherAsItIs() {
        assertThat(send(one, Script.load("test_echo").call(List.of("a"), new Command.Named("status:{7}:")))
                        .asString())
                .isEqualTo("one:status:{7}:");
        assertThat(send(one, Script.load("test_echo").call(List.of("a"), "status:{7}:"))
                        .asString())
                .isEqualTo("status:{7}:");
    }

    @Test
    void aSubscriptionReceivesTheMessagesOfItsNamespaceByTheNamesOfItsChannels() {
        List<String> received = new ArrayList<>();
        Promise<Void> subscribed = Promise.promise();
        RedisLink.Subscription subscription =
                one.subscribe(RedisLink.Channels.sharded("news"), "news", new RedisLink.Listener() {
                    @Override
                    public void subscribed() {
                        subscribed.complete();
                    }

                    @Override
                    public void message(String channel, String payload) {
                        synchronized (received) {
                            received.add(channel + " " + payload);
                        }
                    }

                    @Override
                    public void lost() {}
                });
        await(subscribed.future());
        send(other, Command.routed("SPUBLISH", "news", "news", "of the other"));
        send(one, Command.routed("SPUBLISH", "news", "news", "own"));
        awaitUntil("it is received", () -> {
            synchronized (received) {
                return !received.isEmpty();
            }
        });
        synchronized (received) {
            assertThat(received).containsExactly("news own");
        }
        await(subscription.close());
    }

    @Test
    void aKeptReplyGoesWhenAnotherClientChangesItsKey() {
        Command read = Command.tracked("HMGET", "{t}hash", "n");
        send(one, Command.of("HSET", "{t}hash", "n", 1));
        assertThat(reads(one, read)).isEqualTo("1");
        assertThat(reads(one, read)).isEqualTo("1");
        ask(redis.serverOf("{t}"), "HSET", "one:{t}hash", "n", "2");
        assertThat(reads(one, read)).isEqualTo("2");
    }

    private String reads(RedisLink link, Command read) {
        return onLoop(() -> link.pipeline(List.of(read))).get(0).items().get(0).asString();
    }

    @Test
    void aScanListsTheKeysOfItsNamespaceByTheirNames() {
        for (int i = 0; i < 40; i++) {
            send(one, Command.of("SET", "key" + i, i));
            send(other, Command.of("SET", "other" + i, i));
        }
        Set<String> found = new TreeSet<>();
        for (String node : onLoop(() -> Future.succeededFuture(one.nodes()))) {
            String cursor = RedisLink.Scan.BEGIN;
            RedisLink.Scan page;
            do {
                String from = cursor;
                page = onLoop(() -> one.scan(node, from, 7));
                found.addAll(page.keys());
                cursor = page.cursor();
            } while (!page.isLast());
        }
        assertThat(found).hasSize(40).allMatch(key -> key.startsWith("key"));
    }

    @Test
    void theSizeOfAKeyIsThatOfTheKeyInItsNamespace() {
        send(one, Command.of("SET", "a", "x".repeat(1000)));
        assertThat(send(one, Command.routed("MEMORY", "a", "USAGE", "a")).asLong())
                .isGreaterThan(1000);
        assertThat(send(other, Command.routed("MEMORY", "a", "USAGE", "a")).isNil())
                .isTrue();
    }

    @Test
    void aNameThatWouldMoveKeysOrMatchOthersIsRefused() {
        for (String name :
                List.of("", "a{b}", "a:b", "a*", "a?", "[a]", "a b", "A", "-a", "a".repeat(33), "\u00e9", "a\n")) {
            assertThatThrownBy(() -> Namespace.of(name))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 32 of a-z, 0-9");
        }
        for (String name : List.of("fanfare", "a", "7", "site-2.example_org", "a".repeat(32))) {
            assertThat(Namespace.of(name).with("x")).isEqualTo(name + ":x");
        }
    }

    private <T> T onLoop(Supplier<Future<T>> step) {
        Promise<T> done = Promise.promise();
        loop.runOnContext(v -> step.get().onComplete(done));
        return await(done.future());
    }

    @CanIgnoreReturnValue
    private static Reply send(RedisLink link, Command command) {
        return await(link.send(command));
    }

    /** All that the servers have, as they spell it. */
    private List<String> held() {
        Set<String> held = new TreeSet<>();
        for (var server : redis.servers()) {
            ask(server, "KEYS", "*").items().forEach(key -> held.add(key.asString()));
        }
        return List.copyOf(held);
    }
}
