package io.fanfare.server.runtime;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Rights;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The rights are taken from the user that everybody is here, {@code default}, and given back. */
@ParameterizedClass
@KindsOfRedis
class RightsWatchTest {
    private static final String KEY = Keys.limit("probe", "a", "b");

    private final TestRedis redis;
    private final HttpClient http = HttpClient.newHttpClient();
    private Vertx vertx;
    private RedisLink link;
    private Management management;

    RightsWatchTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        vertx = Vertx.vertx();
        link = redis.link(vertx);
        management = new Management(
                SettingsLoader.defaultsWith().with(TestSettings.redis(redis.options())),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                () -> Health.READY,
                InstantSource.system());
        assertThat(await(vertx.deployVerticle(management))).isNotEmpty();
        management.show(List.of(new Component("part", () -> null, 1, HealthProbe.NONE, /* writes= */ true)));
    }

    @AfterEach
    void close() {
        try {
            everywhere("+@all", "allkeys", "allchannels");
        } finally {
            await(vertx.close());
        }
    }

    @Test
    void aRightThatIsTakenAwayMakesNotReadyAndHoldsWritesBackUntilItIsThereAgain() {
        assertThat(readiness()).startsWith("200 ");
        everywhere("-zadd");
        assertThat(kindOf(script())).isEqualTo(RedisError.Kind.RIGHTS);

        awaitUntil("not ready", () -> readiness().contains("ACL SETUSER default +zadd (all of its rights"));
        assertThat(readiness()).startsWith("503 ").contains("\"status\":\"rights are missing\"");
        assertThat(redis.askAt(KEY, "DEL", KEY).asLong()).isNotNegative();
        assertThat(kindOf(script())).isEqualTo(RedisError.Kind.RIGHTS);
        assertThat(kindOf(Command.of("SET", KEY, "1"))).isEqualTo(RedisError.Kind.RIGHTS);
        assertThat(kindOf(Command.of("GET", KEY))).as("reads go on").isNull();
        assertThat(redis.askAt(KEY, "EXISTS", KEY).asLong()).as("written").isZero();

        everywhere("+zadd");
        awaitUntil("ready", () -> readiness().startsWith("200 "));
        assertThat(kindOf(Command.of("SET", KEY, "1"))).isNull();
    }

    @Test
    void theRightsAreProbedAtEachNewConnection() {
        assertThat(readiness()).startsWith("200 ");
        everywhere("-hincrby");
        redis.servers().forEach(server -> ask(server, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));

        awaitUntil("not ready", () -> readiness().contains("ACL SETUSER default +hincrby (all of its rights"));
        assertThat(kindOf(Command.of("SET", KEY, "1"))).isEqualTo(RedisError.Kind.RIGHTS);

        everywhere("+hincrby");
        awaitUntil("ready", () -> readiness().startsWith("200 "));
    }

    /** The console asks for it where it can. */
    @Test
    void aRightThatTheServiceNeverHasHoldsNothingBack() {
        everywhere("-memory");
        Rights rights = Rights.of(vertx, redis.options());
        // Before anything else can happen on the event loop of the link.
        Optional<String> missing = await(link.send(Command.routed("MEMORY", KEY, "USAGE", KEY))
                .transform(answer ->
                        Future.succeededFuture(answer.succeeded() ? Optional.of("it may") : rights.missing())));
        assertThat(missing).isEmpty();
        everywhere("-get");
        Optional<String> doubt =
                await(link.send(Command.of("GET", KEY)).transform(answer -> Future.succeededFuture(rights.missing())));
        assertThat(doubt).as("of one that it has").isPresent();
    }

    /** One that calls ZADD. */
    private static Command script() {
        return Script.load("follow_tag").call(List.of(KEY, KEY));
    }

    private RedisError.Kind kindOf(Command command) {
        Reply reply = await(link.pipeline(List.of(command))).get(0);
        return reply instanceof Reply.Failure failure ? failure.error().kind() : null;
    }

    private String readiness() {
        URI uri = URI.create("http://127.0.0.1:" + management.port() + "/readyz");
        try {
            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** On every node. */
    private void everywhere(String... rights) {
        for (var server : redis.servers()) {
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "default"));
            command.addAll(List.of(rights));
            assertThat(ask(server, command.toArray(String[]::new)).isFailure()).isFalse();
        }
    }
}
