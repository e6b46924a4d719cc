package io.fanfare.server.runtime;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.keyspace.ServiceUser;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The rights are taken from the user that everybody is here, {@code default}, and given back. */
@ParameterizedClass
@KindsOfRedis
class RightsProbeTest {
    /**
     * Commands outside the probe: those that a connection needs before its first request, those that only streams need,
     * and those that load scripts.
     */
    private static final Set<String> ELSEWHERE = Set.of(
            "client|setname",
            "client|tracking",
            "client|caching",
            "select",
            "ping",
            "asking",
            "cluster|slots",
            "ssubscribe",
            "subscribe");

    private final TestRedis redis;
    private Vertx vertx;
    private RedisLink link;

    RightsProbeTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    @BeforeEach
    void open() {
        redis.flush();
        vertx = Vertx.vertx();
        link = redis.link(vertx);
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
    void everyRightThatIsMissingIsNamed() {
        List<String> unnamed = new ArrayList<>();
        for (String command : tried()) {
            everywhere("-" + command);
            try {
                await(RightsProbe.run(link, "a"));
                unnamed.add(command);
            } catch (StartFailed failed) {
                if (!Pattern.compile(" \\+" + command + " ")
                        .matcher(failed.getMessage())
                        .find()) {
                    unnamed.add(failed.getMessage());
                }
            }
            everywhere("+" + command);
        }
        assertThat(unnamed).isEmpty();
    }

    @Test
    void everyCommandOfTheServiceIsTried() {
        Set<String> expected = new TreeSet<>(ServiceUser.commands().toList());
        expected.removeAll(ELSEWHERE);
        assertThat(tried()).isEqualTo(expected);
    }

    @Test
    void keysAndChannelsThatAreMissingAreNamed() {
        everywhere("resetkeys", "resetchannels", "~other:*", "&other:*");

        assertThatThrownBy(() -> await(RightsProbe.run(link, "a")))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("lacks rights at 127.0.0.1:")
                .hasMessageContaining("ACL SETUSER default ~fanfare:* &fanfare:* (all of");
    }

    @Test
    void channelsThatAreNotAllOfTheNamespaceAreNamed() {
        everywhere("resetchannels", "&fanfare:{bus}:*");

        assertThatThrownBy(() -> await(RightsProbe.run(link, "a")))
                .isInstanceOf(StartFailed.class)
                .hasMessageContaining("ACL SETUSER default &fanfare:* (all of");
    }

    @Test
    void withAllRightsNothingIsLoggedAndNothingIsLeftBehind() {
        await(RightsProbe.run(link, "a"));

        assertThat(redis.keys()).isEmpty();
    }

    private static Set<String> tried() {
        Set<String> tried = new TreeSet<>(Set.of("publish", "spublish"));
        RightsProbe.STEPS.forEach(step -> tried.add(step.split(" ", -1)[0].toLowerCase(Locale.ROOT)));
        return tried;
    }

    /** On every node. */
    private void everywhere(String... rights) {
        for (var server : redis.servers()) {
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "default"));
            command.addAll(List.of(rights));
            assertThat(TestRedis.ask(server, command.toArray(String[]::new)).isFailure())
                    .isFalse();
        }
    }
}
