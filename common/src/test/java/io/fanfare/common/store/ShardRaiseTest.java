package io.fanfare.common.store;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.ShardRaise.Mark;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;

class ShardRaiseTest {
    private static final Vertx vertx = Vertx.vertx();
    private static final Mark MARK = new Mark("0123456789abcdef", 1_000, 64);

    @AfterAll
    static void closeVertx() {
        await(vertx.close());
    }

    @ParameterizedTest
    @KindsOfRedis
    void noProcessStartsOrWritesFromTheMarkToTheNewNumber(TestRedis.Kind kind) {
        kind.redis().flush();
        RedisLink link = kind.redis().link(vertx);
        Meta meta = new Meta(link, new SecureRandom());
        ShardRaise raise = new ShardRaise(link);
        assertThat(await(meta.join(16))).isEqualTo(new Shards(16));
        assertThat(await(Moves.refusal(link, 16))).isEmpty();

        assertThat(await(raise.begin(MARK))).isTrue();
        assertThat(await(raise.mark())).contains(MARK);
        String sentence = "the number of shards is being raised to 64 since 1970-01-01T00:00:01Z: wait for"
                + " `fanfare migrate --shards 64`, or run it again";
        assertThatThrownBy(() -> await(meta.join(16)))
                .isInstanceOf(DataSetRefused.class)
                .hasMessage(sentence);
        assertThatThrownBy(() -> await(meta.join(64))).hasMessage(sentence);
        assertThat(await(Moves.refusal(link, 16)))
                .contains(new Moves.Refusal("the number of shards changes", sentence));

        assertThat(await(raise.complete(MARK))).isTrue();
        assertThat(await(raise.mark())).isEmpty();
        assertThat(await(meta.join(64))).isEqualTo(new Shards(64));
        assertThat(await(Moves.refusal(link, 64))).isEmpty();
        assertThat(await(Moves.refusal(link, 16)))
                .contains(
                        new Moves.Refusal(
                                "the number of shards changes",
                                "the data set has 64 shards now, and this process was started with 16: start it again, with redis.shards: 64 where that setting is set"));
        await(link.close());
    }

    @ParameterizedTest
    @KindsOfRedis
    void ofTwoRunsTheOneWithTheMarkDecidesAndTheNumberNeverFalls(TestRedis.Kind kind) {
        kind.redis().flush();
        RedisLink link = kind.redis().link(vertx);
        ShardRaise raise = new ShardRaise(link);
        await(new Meta(link, new SecureRandom()).join(16));
        Mark other = new Mark("fedcba9876543210", 1_000, 32);
        assertThat(await(raise.begin(MARK))).isTrue();
        assertThat(await(raise.begin(other))).isTrue();

        assertThat(await(raise.complete(MARK))).isFalse();
        assertThat(await(raise.giveUp(MARK))).isFalse();
        assertThat(shards(link)).isEqualTo("16");
        assertThat(await(raise.giveUp(other))).isTrue();
        assertThat(await(raise.mark())).isEmpty();
        assertThat(shards(link)).isEqualTo("16");

        assertThat(await(raise.begin(MARK))).isTrue();
        assertThat(await(raise.complete(MARK))).isTrue();
        assertThat(await(raise.begin(other))).isTrue();
        assertThat(await(raise.complete(other))).isFalse();
        assertThat(shards(link)).isEqualTo("64");
        await(link.close());
    }

    @ParameterizedTest
    @KindsOfRedis
    void aDataSetThatMovesIsNotMarked(TestRedis.Kind kind) {
        kind.redis().flush();
        RedisLink link = kind.redis().link(vertx);
        ShardRaise raise = new ShardRaise(link);
        for (String move : List.of(Moves.MOVING, Moves.MOVED, Moves.ARRIVING)) {
            await(link.send(Command.of("HSET", Keys.META, move, "a 1 0 redis://x")));
            assertThat(await(raise.begin(MARK))).as(move).isFalse();
            assertThat(await(raise.mark())).isEmpty();
            await(link.send(Command.of("HDEL", Keys.META, move)));
        }
        assertThat(await(raise.begin(MARK))).isTrue();
        await(link.close());
    }

    private static String shards(RedisLink link) {
        return await(link.send(Command.of("HGET", Keys.META, "shards"))).asString();
    }
}
