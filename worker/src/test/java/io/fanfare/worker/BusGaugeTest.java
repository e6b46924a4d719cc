package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class BusGaugeTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final int HOURS = 8;
    private static final int OF_AN_HOUR = 300;

    @Parameter
    TestRedis.Kind kind;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void theMemoryOfTheLogStaysWithinItsBoundAndTheOldestHoursGoFirst() {
        TestRedis redis = kind.redis();
        redis.flush();
        RedisLink link = redis.link(vertx);
        EventLog log = new EventLog(link, new Random(3), SettingsLoader.defaultsWith("stream.log-events=100").stream());
        long thisHour = System.currentTimeMillis() / HOUR;
        List<Future<Long>> appends = new ArrayList<>();
        for (long hour = thisHour - HOURS + 1; hour <= thisHour; hour++) {
            for (int i = 0; i < OF_AN_HOUR; i++) {
                appends.add(log.append(new Event(
                        Event.Kind.STATUS, Id.of(hour * HOUR + i, 3, 1), 77, 0, Visibility.PUBLIC, "{\"n\":1}")));
            }
        }
        appends.forEach(append -> assertThat(await(append)).isPositive());
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        QueueDepths depths = QueueDepths.of(vertx, registry, InstantSource.system());
        LeadLoop lead = LeadLoop.of(vertx, System::nanoTime);
        long bound = 5 * OF_AN_HOUR;

        BusGauge size = new BusGauge(vertx, log, bound, InstantSource.system(), depths, lead, "a");
        assertThat(lead.isLed("a", Duration.ofHours(1).toNanos())).isTrue();
        vertx.runOnContext(turn -> size.start());

        awaitUntil("within the bound", () -> await(log.remembered(System.currentTimeMillis())) <= bound);
        awaitUntil(
                "shown to the operator",
                () -> registry.get("fanfare.bus.subjects").gauge().value() <= bound);
        size.stop();
        for (long hour = thisHour - HOURS + 1; hour <= thisHour; hour++) {
            String key = Keys.busSubjects(hour);
            assertThat(redis.askAt(key, "HLEN", key).asLong())
                    .as("hour %d of %d", hour - thisHour + HOURS, HOURS)
                    .isEqualTo(hour <= thisHour - HOURS + 3 ? 0 : OF_AN_HOUR);
        }
        await(link.close());
    }
}
