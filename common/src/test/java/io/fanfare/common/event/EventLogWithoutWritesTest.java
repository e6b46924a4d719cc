package io.fanfare.common.event;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The log on a Redis that takes no writes, as on a full disk. */
class EventLogWithoutWritesTest {
    @Test
    void aLogIsReadWhileNothingIsWrittenAndANewOneWaits() {
        Vertx vertx = Vertx.vertx();
        try (TestRedis redis = TestRedis.freshStandalone(AppendSync.OFF)) {
            RedisLink link = await(RedisLink.open(vertx, redis.options()));
            EventLog log = new EventLog(link, new Random(33), SettingsLoader.defaultsWith().stream());
            setReplicasNeeded(redis, 1);
            assertThatThrownBy(() -> await(log.read(0, 10)))
                    .as("a log without an epoch")
                    .isInstanceOf(RedisError.class);

            setReplicasNeeded(redis, 0);
            long status = Id.of(System.currentTimeMillis(), 3, 0);
            assertThat(await(log.append(new Event(Event.Kind.STATUS, status, 1, 0, Visibility.PUBLIC, "{}"))))
                    .isEqualTo(1);
            LogPage before = await(log.read(0, 10));
            setReplicasNeeded(redis, 1);
            LogPage during = await(log.read(0, 10));

            assertThat(during.state()).isEqualTo(before.state());
            assertThat(during.events()).hasSize(1).isEqualTo(before.events());
        } finally {
            await(vertx.close());
        }
    }

    private static void setReplicasNeeded(TestRedis redis, int replicas) {
        assertThat(TestRedis.ask(redis.server(), "CONFIG", "SET", "min-replicas-to-write", Integer.toString(replicas))
                        .asString())
                .isEqualTo("OK");
    }
}
