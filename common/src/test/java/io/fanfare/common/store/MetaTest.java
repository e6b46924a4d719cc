package io.fanfare.common.store;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.askIn;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.keyspace.ServiceUser;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.FaultyProxy;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class MetaTest {
    private static final Vertx vertx = Vertx.vertx();

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @ParameterizedTest
    @KindsOfRedis
    void theFirstProcessChoosesTheNumberOfShards(TestRedis.Kind kind) {
        kind.redis().flush();
        RedisLink link = kind.redis().link(vertx);
        Meta meta = new Meta(link, new SecureRandom());
        assertThat(await(meta.join(16))).isEqualTo(new Shards(16));
        assertThat(await(meta.join(16))).isEqualTo(new Shards(16));
        assertThatThrownBy(() -> await(meta.join(32)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the data set has 16 shards, but redis.shards is 32: set redis.shards to 16; `fanfare migrate --shards` raises the number");
        await(link.close());
    }

    @Test
    void aDataSetOfAnotherFormatIsRefused() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        askIn(redis.server(), "HSET", Keys.META, "shards", "16", "format", "3");
        RedisLink link = redis.link(vertx);
        assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(16)))
                .hasMessageContaining("has format 3");
        await(link.close());
    }

    @ParameterizedTest
    @KindsOfRedis
    void aDataSetWithoutANamespaceIsRefusedAndNoneIsBegunBesideIt(TestRedis.Kind kind) {
        TestRedis redis = kind.redis();
        redis.flush();
        RedisLink bare = await(RedisLink.open(vertx, redis.options().in(Namespace.NONE)));
        await(bare.send(Command.of("HSET", Keys.META, "shards", 16, "format", 1, "format-by", "0.1.0")));
        RedisLink link = redis.link(vertx);
        assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(16)))
                .isInstanceOf(DataSetRefused.class)
                .hasMessageContaining("has format 1, made by Fanfare 0.1.0")
                .hasMessageContaining("begin with an empty Redis and another data folder");
        assertThat(await(link.send(Command.of("EXISTS", Keys.META))).asLong()).isZero();
        await(link.close());
        await(bare.close());
        redis.flush();
    }

    @Test
    void aHashOfOthersWithTheNameOfOursIsNoDataSet() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        ask(redis.server(), "HSET", Keys.META, "version", "7");
        RedisLink link = redis.link(vertx);
        assertThat(await(new Meta(link, new SecureRandom()).join(16))).isEqualTo(new Shards(16));
        await(link.close());
        redis.flush();
    }

    @Test
    void aHashOfOthersWithAFormatInWordsIsNoDataSet() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        ask(redis.server(), "HSET", Keys.META, "shards", "16", "format", "json");
        RedisLink link = redis.link(vertx);
        assertThat(await(new Meta(link, new SecureRandom()).join(16))).isEqualTo(new Shards(16));
        await(link.close());
        redis.flush();
    }

    @Test
    void aKeyOfOthersWithTheNameOfOursIsNoDataSet() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        ask(redis.server(), "SET", Keys.META, "a text");
        RedisLink link = redis.link(vertx);
        assertThat(await(new Meta(link, new SecureRandom()).join(16))).isEqualTo(new Shards(16));
        await(link.close());
        redis.flush();
    }

    @Test
    void noDataSetIsBegunWhileItIsNotKnownWhetherThereIsAFormerOne() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        try (FaultyProxy proxy = new FaultyProxy(redis)) {
            RedisLink link = await(RedisLink.open(vertx, proxy.options(Duration.ofMillis(500))));
            proxy.counting(command ->
                    command.size() > 1 && Keys.META.equals(command.get(1).asString()));
            proxy.swallowReply(1);
            assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(16)))
                    .isInstanceOf(RedisError.class);
            assertThat(proxy.hasStruck()).isTrue();
            assertThat(redis.keys()).isEmpty();
            await(link.close());
        }
    }

    @Test
    void aUserWhoMayNotReadKeysOfOthersBeginsADataSet() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, ServiceUser.conf("pw", TestRedis.NAMESPACE))) {
            RedisLink link = await(
                    RedisLink.open(vertx, redis.options().at(redis.server().url(ServiceUser.NAME, new Secret("pw")))));
            assertThat(await(new Meta(link, new SecureRandom()).join(16))).isEqualTo(new Shards(16));
            await(link.close());
        }
    }

    @Test
    void allProcessesGetTheSameSigningKey() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        RedisLink link = redis.link(vertx);
        byte[] key = await(new Meta(link, new SecureRandom()).signingKey());
        assertThat(key).hasSize(32);
        assertThat(await(new Meta(link, new SecureRandom()).signingKey())).isEqualTo(key);
        redis.flush();
        assertThat(await(new Meta(link, new SecureRandom()).signingKey())).isNotEqualTo(key);
        await(link.close());
    }

    @Test
    void allProcessesGetTheSameKeyOfPushUnlessOneIsSetOrPushIsOff() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        RedisLink link = redis.link(vertx);
        Settings.Push off = SettingsLoader.defaultsWith("push.enabled=false").push();
        assertThat(await(new Meta(link, new SecureRandom()).vapid(off))).isNull();
        String own = Vapid.draw(new SecureRandom());
        Settings.Push set = SettingsLoader.defaultsWith("push.vapid-key=" + own).push();
        assertThat(await(new Meta(link, new SecureRandom()).vapid(set)).publicKey())
                .isEqualTo(Vapid.of(own).publicKey());
        assertThat(redis.keys()).as("made although nobody needs it").isEmpty();

        Settings.Push kept = SettingsLoader.defaultsWith().push();
        String key = await(new Meta(link, new SecureRandom()).vapid(kept)).publicKey();
        assertThat(await(new Meta(link, new SecureRandom()).vapid(kept)).publicKey())
                .isEqualTo(key);
        await(link.close());
    }

    @Test
    void theStoredKeyTakesItsConfiguredPosition() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        RedisLink link = redis.link(vertx);
        Meta meta = new Meta(link, new SecureRandom());
        String own = "auth.signing-key=0123456789abcdef0123456789abcdef";
        SigningKeys configured =
                await(meta.signingKeys(SettingsLoader.defaultsWith(own).auth()));
        assertThat(redis.keys()).as("made although nobody needs it").isEmpty();

        SigningKeys kept = await(meta.signingKeys(
                SettingsLoader.defaultsWith("auth.signing-key=stored").auth()));
        SigningKeys both = await(meta.signingKeys(SettingsLoader.defaultsWith(own, "auth.previous-signing-keys=stored")
                .auth()));
        assertThat(both.drawnOfEach("x")).containsExactly(configured.drawn("x"), kept.drawn("x"));
        await(link.close());
    }

    @Test
    void withoutAKeyNoneIsMadeInRedisButOneOfAnEarlierReleaseIsGood() {
        TestRedis redis = TestRedis.standalone();
        redis.flush();
        RedisLink link = redis.link(vertx);
        Meta meta = new Meta(link, new SecureRandom());
        Settings.Auth none = SettingsLoader.defaultsWith().auth();
        assertThatThrownBy(() -> await(meta.signingKeys(none)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FANFARE_AUTH_SIGNING_KEY");
        assertThat(redis.keys()).isEmpty();

        SigningKeys earlier = SigningKeys.of(await(meta.signingKey()));
        assertThat(await(meta.signingKeys(none)).drawnOfEach("x")).containsExactly(earlier.drawn("x"));
        await(link.close());
    }

    @Test
    void aKeyMayBeBytesInHexadecimal() {
        TestRedis redis = TestRedis.standalone();
        RedisLink link = redis.link(vertx);
        String hex = "00ff".repeat(16);
        SigningKeys keys = await(new Meta(link, new SecureRandom())
                .signingKeys(SettingsLoader.defaultsWith("auth.signing-key=hex:" + hex)
                        .auth()));
        assertThat(keys.drawnOfEach("x"))
                .containsExactly(SigningKeys.of(HexFormat.of().parseHex(hex)).drawn("x"));
        await(link.close());
    }

    @Test
    void aServerThatWouldEvictIsRefused() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF, "maxmemory-policy allkeys-lru")) {
            RedisLink link = redis.link(vertx);
            assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(16)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("maxmemory-policy allkeys-lru")
                    .hasMessageContaining("set maxmemory-policy noeviction");
            assertThat(redis.keys()).isEmpty();
            await(link.close());
        }
    }

    @Test
    void aServerThatForbidsConfigIsCheckedAllTheSame() {
        try (TestRedis redis = TestRedis.freshStandalone(
                AppendSync.OFF, "maxmemory-policy allkeys-lru", "rename-command CONFIG \"\"")) {
            RedisLink link = redis.link(vertx);
            assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(4)))
                    .hasMessageContaining("set maxmemory-policy noeviction");
            await(link.close());
        }
    }

    /** Its jobs drain only with a worker. */
    @Test
    void aFullServerIsJoinedWhenItHasTheDataSet() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = redis.link(vertx);
            Meta meta = new Meta(link, new SecureRandom());
            Shards shards = await(meta.join(4));
            byte[] key = await(meta.signingKey());
            ask(redis.server(), "CONFIG", "SET", "maxmemory", "1");

            assertThat(await(meta.join(4))).isEqualTo(shards);
            assertThat(await(meta.signingKey())).isEqualTo(key);
            await(link.close());
        }
    }

    @Test
    void aFullServerIsNamedAsSuch() {
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            ask(redis.server(), "CONFIG", "SET", "maxmemory", "1");
            RedisLink link = redis.link(vertx);
            assertThatThrownBy(() -> await(new Meta(link, new SecureRandom()).join(4)))
                    .isInstanceOfSatisfying(
                            RedisError.class, e -> assertThat(e.kind()).isEqualTo(RedisError.Kind.OOM));
            await(link.close());
        }
    }
}
