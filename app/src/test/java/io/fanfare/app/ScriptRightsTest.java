package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** The rights are taken from the user that everybody is here, {@code default}, and given back. */
@ParameterizedClass
@KindsOfRedis
class ScriptRightsTest {
    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(\\s*'(\\w+)'");
    private static final String KEY = Keys.limit("probe", "a", "b");

    private final TestRedis redis;
    private Vertx vertx;
    private RedisLink link;

    ScriptRightsTest(TestRedis.Kind kind) {
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
    void aScriptWhoseUserLacksOneOfItsCommandsDoesNothingAndSaysSo() throws IOException {
        Map<String, Set<Script>> callers = new TreeMap<>();
        for (Script script : checked()) {
            Matcher call = CALL.matcher(script.text());
            while (call.find()) {
                callers.computeIfAbsent(call.group(1), command -> new HashSet<>())
                        .add(script);
            }
        }
        assertThat(callers).hasSizeGreaterThan(30);
        List<String> wrong = new ArrayList<>();
        callers.forEach((command, scripts) -> {
            everywhere("-" + command);
            for (Script script : scripts) {
                String answer = refusal(script);
                if (!answer.startsWith("RIGHTS NOPERM") || !answer.contains("nothing was done")) {
                    wrong.add(script.name() + " without " + command + ": " + answer);
                }
            }
            everywhere("+" + command);
        });
        assertThat(wrong).isEmpty();
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void aScriptWhoseUserLacksAKeyDoesNothingAndSaysSo() throws IOException {
        everywhere("resetkeys", "~user:{*");
        for (Script script : checked()) {
            assertThat(refusal(script)).as(script.name()).startsWith("RIGHTS NOPERM");
        }
        everywhere("allkeys");
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void fewScriptsHaveNoCheckOrOneOfTheirOwn() throws IOException {
        Set<String> names = new TreeSet<>(names());
        checked().forEach(script -> names.remove(script.name()));
        assertThat(names).containsExactly("beat", "post", "take");
        assertThat(Script.load("post").text()).contains("acl_check_cmd");
    }

    @Test
    void theAdministratorHasEveryScriptThatTheServiceLoads() throws IOException {
        List<Script> all = all();
        assertThat(all).hasSizeGreaterThan(100);
        assertThat(Script.texts())
                .doesNotHaveDuplicates()
                .containsAll(all.stream().map(Script::text).toList());
    }

    /** Kind and message; the check comes before the script looks at what it is given. */
    private String refusal(Script script) {
        Reply reply =
                await(link.pipeline(List.of(script.call(List.of(KEY, KEY))))).get(0);
        return reply instanceof Reply.Failure failure
                ? failure.error().kind() + " " + failure.error().getMessage()
                : "done";
    }

    private static List<Script> checked() throws IOException {
        return names().stream()
                .map(Script::load)
                .filter(script ->
                        script.text().lines().skip(1).findFirst().orElse("").contains("acl_check_cmd"))
                .toList();
    }

    /** The names of the scripts that may write. */
    private static List<String> names() throws IOException {
        return all().stream()
                .filter(script -> !script.reads())
                .map(Script::name)
                .toList();
    }

    /** The scripts in the sources of every module. */
    private static List<Script> all() throws IOException {
        List<Script> all = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path folder : modules.map(module -> module.resolve("src/main/resources/lua"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.list(folder)) {
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".lua"))
                            .map(name -> Script.load(name.substring(0, name.length() - ".lua".length())))
                            .forEach(all::add);
                }
            }
        }
        return all;
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
