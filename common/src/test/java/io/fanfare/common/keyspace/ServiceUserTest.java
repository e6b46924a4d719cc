package io.fanfare.common.keyspace;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.RespDecoder;
import io.fanfare.redis.Script;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rights of the service in Redis: those that its sources need, and no others. */
class ServiceUserTest {
    private static final String PASSWORD = "of the service";

    private static final int ANSWER_MAX_MILLIS = 10_000;
    private static final Vertx vertx = Vertx.vertx();

    /** Commands that the server allows everybody, to come in and to go. */
    private static final Set<String> ALWAYS = Set.of("auth", "hello", "quit", "reset");

    /**
     * Commands that {@code admin verify}, {@code doctor} and {@code migrate} send as the administrator, whom the
     * operator lends them; without one, verify and doctor do without the answer.
     */
    private static final Set<String> OF_THE_ADMINISTRATOR = Set.of(
            "scan",
            "config|get",
            "config|set",
            "dbsize",
            "memory",
            "replconf",
            "psync",
            "cluster|nodes",
            "cluster|slot-stats",
            "slowlog",
            "dump",
            "restore",
            "type",
            "pexpiretime",
            "pexpireat",
            "smembers",
            "getrange",
            "append",
            "strlen",
            "xlen",
            "xinfo",
            "xsetid");

    /** Sent to sentinels, which have users of their own. */
    private static final Set<String> OF_SENTINELS = Set.of("sentinel");

    /** In Java: {@code Command.of("HGET", ...}, {@code Command.routed("CLIENT", null, "TRACKING", ...}. */
    private static final Pattern SENT = Pattern.compile(
            "(?:Command\\s*\\.\\s*(?:of|tracked|routed)|Command\\.of)\\(\\s*\"([A-Z]+)\"(?:,\\s*(?:null|[\\w.]+),\\s*\"([A-Z-]+)\")?");

    private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\(\\s*'(\\w+)'");

    private static TestRedis redis;
    private static Secret url;

    @BeforeAll
    static void start() {
        // So that the user's rights are what refuses them.
        redis = TestRedis.freshStandalone(
                AppendSync.OFF,
                ServiceUser.conf(PASSWORD, TestRedis.NAMESPACE),
                "enable-debug-command yes",
                "enable-module-command yes");
        url = redis.server().url(ServiceUser.NAME, new Secret(PASSWORD));
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
        redis.close();
    }

    @Test
    void ofAllCommandsThatTheServerHasExactlyThoseOfTheServicePass() {
        Set<String> passed = new TreeSet<>();
        Set<String> refused = new TreeSet<>();
        for (Reply info : ask(redis.server(), "COMMAND").items()) {
            tryOut(info, passed, refused);
        }
        assertThat(refused)
                .as("tried")
                .contains("eval", "script|load", "script|flush", "function|load", "scan", "keys", "flushall")
                .contains("config|get", "config|set", "acl|getuser", "acl|setuser", "acl|list", "acl|whoami")
                .contains("shutdown", "debug", "monitor", "migrate", "dump", "replicaof", "client|kill", "client|list");
        Set<String> expected = new TreeSet<>(ALWAYS);
        ServiceUser.commands().forEach(expected::add);
        assertThat(passed).isEqualTo(expected);
    }

    /**
     * Each on a connection of its own, since some take it over, with as many arguments as it wants: the number is
     * looked at before the rights are.
     */
    private static void tryOut(Reply info, Set<String> passed, Set<String> refused) {
        String name = info.items().get(0).asString();
        List<Reply> subCommands = info.items().get(9).items();
        if (!subCommands.isEmpty()) {
            subCommands.forEach(sub -> tryOut(sub, passed, refused));
            return;
        }
        List<String> command = new ArrayList<>(List.of(name.split("\\|")));
        int least = Math.toIntExact(Math.abs(info.items().get(1).asLong()));
        command.addAll(Collections.nCopies(least - command.size(), "1"));
        List<Reply> answers = sent(command);
        boolean isRefused = answers.stream()
                .anyMatch(answer -> answer instanceof Reply.Failure failure
                        // EXEC says it after a word of its own.
                        && failure.error().getMessage().contains("NOPERM")
                        && failure.error().getMessage().contains("run the"));
        (isRefused ? refused : passed).add(name);
    }

    /** The first answer; none when the connection ends, or waits, without one. */
    private static List<Reply> sent(List<String> command) {
        return sent(List.of("AUTH", ServiceUser.NAME, PASSWORD), command);
    }

    private static List<Reply> sent(List<String> login, List<String> command) {
        List<Reply> answers = new ArrayList<>();
        RespDecoder decoder = new RespDecoder(answers::add);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), redis.server().port())) {
            socket.setSoTimeout(ANSWER_MAX_MILLIS);
            socket.getOutputStream().write(resp(login));
            socket.getOutputStream().write(resp(command));
            byte[] chunk = new byte[16 << 10];
            while (answers.size() < 2) {
                int read = socket.getInputStream().read(chunk);
                if (read < 0) {
                    break;
                }
                decoder.feed(chunk, 0, read);
            }
            return answers.subList(1, answers.size());
        } catch (IOException ended) {
            return List.of();
        }
    }

    private static byte[] resp(List<String> command) {
        StringBuilder text = new StringBuilder("*" + command.size() + "\r\n");
        command.forEach(argument -> text.append("$" + argument.length() + "\r\n" + argument + "\r\n"));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void theCommandsOfTheServiceAreThoseThatItsSourcesNameAndNoOthers() throws IOException {
        Set<String> used = new TreeSet<>(Set.of("evalsha"));
        for (String module : List.of(
                "redis", "common", "core", "archive", "verify", "media", "server", "api", "worker", "stream", "app")) {
            collect(Path.of("..", module, "src/main/java"), SENT, used);
            Path scripts = Path.of("..", module, "src/main/resources/lua");
            if (Files.isDirectory(scripts)) {
                collect(scripts, CALLED, used);
            }
        }
        used.removeAll(ALWAYS);
        used.removeAll(OF_THE_ADMINISTRATOR);
        used.removeAll(OF_SENTINELS);
        assertThat(used).isEqualTo(ServiceUser.commands().collect(Collectors.toCollection(TreeSet::new)));
    }

    private static void collect(Path sources, Pattern pattern, Set<String> into) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher call = pattern.matcher(Files.readString(file));
                while (call.find()) {
                    String name = call.group(1).toLowerCase(Locale.ROOT);
                    boolean container = Set.of("client", "cluster", "config", "script", "function", "acl")
                            .contains(name);
                    into.add(container ? name + "|" + call.group(2).toLowerCase(Locale.ROOT) : name);
                }
            }
        }
    }

    @Test
    void itHasTheKeysOfItsNamespaceAndNoOthers() throws ReflectiveOperationException {
        for (String key : everyKey()) {
            assertThat(may("GET", TestRedis.NAMESPACE.with(key))).as(key).isTrue();
        }
        for (String other :
                List.of("home:{1}:2", "session:1", "{meta}", "fanfare", "fanfare2:{meta}", "a:fanfare:x", "*")) {
            assertThat(may("GET", other)).as(other).isFalse();
        }
    }

    @Test
    void itHasItsOwnChannelsAndNoOthers() {
        assertThat(may("SPUBLISH", TestRedis.NAMESPACE.with(Keys.BUS_CHANNEL), "x"))
                .isTrue();
        assertThat(may("SPUBLISH", TestRedis.NAMESPACE.with(Keys.busBeat("a relay")), "x"))
                .isTrue();
        assertThat(may("SPUBLISH", Keys.BUS_CHANNEL, "x")).isFalse();
        assertThat(may("SPUBLISH", "__redis__:invalidate", "x")).isFalse();
        assertThat(may("SSUBSCRIBE", "elsewhere")).isFalse();
    }

    private static List<String> everyKey() throws ReflectiveOperationException {
        List<String> keys = new ArrayList<>();
        for (Field field : Keys.class.getFields()) {
            keys.add((String) field.get(null));
        }
        for (Method method : Keys.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getReturnType() == String.class) {
                Object[] arguments = Arrays.stream(method.getParameterTypes())
                        .map(type -> type == String.class
                                ? (Object) "likes"
                                : type == int.class ? (Object) 7 : (Object) 4711L)
                        .toArray();
                keys.add((String) method.invoke(null, arguments));
            }
        }
        keys.removeIf(name -> name.startsWith("{bus}:beat:") || name.equals(Keys.BUS_CHANNEL));
        assertThat(keys).hasSizeGreaterThan(50);
        return keys;
    }

    private static boolean may(String... command) {
        return sent(List.of(command)).stream()
                .noneMatch(answer -> answer instanceof Reply.Failure failure
                        && failure.error().getMessage().startsWith("NOPERM"));
    }

    @Test
    void aScriptRunsOnceTheAdministratorHasLoadedItAndIsWaitedForUntilThen() {
        RedisLink link = link();
        Script echo = Script.load("test_echo");
        ask(redis.server(), "SCRIPT", "FLUSH");
        Future<Reply> early = link.send(echo.call(List.of(Keys.META), "early"));
        ask(redis.server(), "SCRIPT", "LOAD", echo.text());
        assertThat(await(early).asString()).isEqualTo("early");

        ask(redis.server(), "SCRIPT", "FLUSH");
        assertThatThrownBy(() -> await(link(Duration.ofMillis(200)).send(echo.call(List.of(Keys.META), "late"))))
                .isInstanceOfSatisfying(RedisError.class, error -> {
                    assertThat(error.kind()).isEqualTo(RedisError.Kind.NOT_NOW);
                    assertThat(error).hasMessageContaining("does not know the script test_echo");
                });
        await(link.close());
    }

    @Test
    void theFileForServersOfTheOperatorGrantsTheSameAndEval() throws IOException {
        String conf = Files.readString(Path.of("../config/redis.conf"));
        String namespace = SettingsLoader.defaultsWith().redis().namespace();
        assertThat(conf.lines())
                .contains("user fanfare on >REPLACE-ME-SERVICE " + ServiceUser.rights(Namespace.of(namespace))
                        + " +eval");
    }

    private static RedisLink link() {
        return link(Duration.ofSeconds(15));
    }

    private static RedisLink link(Duration timeout) {
        return await(RedisLink.open(vertx, redis.options(timeout, 1000).at(url)));
    }
}
