package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.settings.Settings;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The roles in processes of their own on one Redis, and one address in front of them, as a reverse proxy makes it: it
 * takes streams to a stream process and all else to the API processes in turn. A request that meets a process which has
 * died is answered with 502.
 */
final class SplitDeployment implements AutoCloseable {
    /** The time between SIGTERM and SIGKILL of a service manager. */
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    /** Far beyond what a command or the end of the work takes, since test machines may be busy. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(5);

    private static final Pattern READY = Pattern.compile("ready role=\\w+ url=http://[^:]+:(\\d+)");

    private final Path dir;
    private final Settings.Redis redis;
    private final List<String> further;
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = vertx.createHttpClient();
    private final String url;

    private final List<FanfareProcess> processes = new CopyOnWriteArrayList<>();

    /** Ports of the processes that take requests. */
    private final Map<FanfareProcess, Integer> apis = new ConcurrentHashMap<>();

    private final Map<FanfareProcess, Integer> streams = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * @param redis url, mode and number of shards are taken from it
     * @param further settings of all processes, {@code name=value}
     */
    SplitDeployment(Path dir, Settings.Redis redis, String... further) {
        this.dir = dir;
        this.redis = redis;
        this.further = List.of(further);
        int port = TestRedis.await(
                        vertx.createHttpServer().requestHandler(this::forward).listen(0, "127.0.0.1"))
                .actualPort();
        this.url = "http://127.0.0.1:" + port;
    }

    /** The address of the proxy in front of the API processes. */
    String url() {
        return url;
    }

    /**
     * Starts a process, ready for requests.
     *
     * @param ours settings of this process only, {@code name=value}
     */
    @CanIgnoreReturnValue
    FanfareProcess start(String role, String... ours) {
        return started(FanfareProcess.start(data(role), role, settings(ours)), role);
    }

    /** The same from the jar of another version. */
    FanfareProcess start(Path jar, String role) {
        return started(FanfareProcess.ofJar(jar, data(role), role, settings()), role);
    }

    private Path data(String role) {
        return dir.resolve(role + processes.size());
    }

    private FanfareProcess started(FanfareProcess process, String role) {
        processes.add(process);
        process.awaitOutput("ready role=" + role);
        Matcher ready = READY.matcher(process.output());
        if (ready.find()) {
            (role.equals("stream") ? streams : apis).put(process, Integer.parseInt(ready.group(1)));
        }
        return process;
    }

    /** Sends no more requests to a process, and stops it with SIGTERM. */
    void stop(FanfareProcess process) throws InterruptedException {
        leave(process);
        assertThat(process.stop(STOP_MAX)).as(process.output()).isZero();
    }

    /** {@code kill -9}. */
    void kill(FanfareProcess process) throws InterruptedException {
        process.kill();
        leave(process);
    }

    private void leave(FanfareProcess process) {
        apis.remove(process);
        streams.remove(process);
    }

    /** The output of a command that succeeds. */
    String run(String command, String... arguments) throws InterruptedException {
        return succeeded(FanfareProcess.start(dir.resolve("command"), command, withSettings(arguments)));
    }

    /** The same from the jar of another version. */
    String run(Path jar, String command, String... arguments) throws InterruptedException {
        return succeeded(FanfareProcess.ofJar(jar, dir.resolve("command"), command, withSettings(arguments)));
    }

    private static String succeeded(FanfareProcess process) throws InterruptedException {
        try (process) {
            assertThat(process.awaitExit(WAIT_MAX)).as(process.output()).isZero();
            return process.output();
        }
    }

    private String[] withSettings(String... arguments) {
        return Stream.concat(Stream.of(arguments), Stream.of(settings())).toArray(String[]::new);
    }

    /** Prints the lines with a text of what all processes have written so far. */
    void print(String text) {
        processes.forEach(process -> process.eachLine(line -> {
            if (line.contains(text)) {
                System.out.println(line);
            }
        }));
    }

    /** Until no job waits; none of them has become a dead letter. */
    void awaitIdleQueue() {
        Awaitility.await().atMost(WAIT_MAX).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            JsonObject queue = queue();
            assertThat(queue.getLong("dead")).isZero();
            assertThat(queue.getLong("done")).isEqualTo(queue.getLong("enqueued"));
        });
    }

    /** The present output of {@code admin queue stats}, run in this process: it is read again and again. */
    JsonObject queue() {
        List<String> line = new ArrayList<>(List.of("admin", "queue", "stats", "--json"));
        line.addAll(List.of(withSettings("--data", dir.resolve("command").toString())));
        CommandRun stats = CommandRun.of(line);
        assertThat(stats.status()).as(stats.err()).isZero();
        return new JsonObject(stats.printed());
    }

    private String[] settings(String... ours) {
        List<String> all = new ArrayList<>();
        for (String setting : List.of(
                "redis.url=" + redis.url().reveal(),
                "redis.mode=" + redis.mode().name().toLowerCase(Locale.ROOT),
                "redis.shards=" + redis.shards(),
                "http.port=0",
                "management.port=0",
                "http.public-url=" + url,
                "limits.enabled=false",
                "auth.signing-key=stored",
                "auth.argon-memory-kib=64",
                "auth.argon-passes=1")) {
            all.addAll(List.of("--set", setting));
        }
        Stream.concat(further.stream(), Stream.of(ours)).forEach(setting -> all.addAll(List.of("--set", setting)));
        return all.toArray(String[]::new);
    }

    private Optional<Integer> portFor(HttpServerRequest request) {
        boolean isStream = request.path().startsWith("/api/v1/streaming");
        List<Integer> ports = List.copyOf((isStream ? streams : apis).values());
        return ports.isEmpty()
                ? Optional.empty()
                : Optional.of(ports.get(Math.floorMod(turn.getAndIncrement(), ports.size())));
    }

    private void forward(HttpServerRequest request) {
        Optional<Integer> port = portFor(request);
        if (port.isEmpty()) {
            request.response().setStatusCode(502).end().onFailure(gone -> {});
            return;
        }
        RequestOptions to = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port.get())
                .setMethod(request.method())
                .setURI(request.uri())
                .setHeaders(request.headers());
        request.pause();
        client.request(to)
                .compose(forwarded -> {
                    request.response().closeHandler(closed -> forwarded.reset().onFailure(gone -> {}));
                    return forwarded.send(request);
                })
                .compose(answer -> {
                    request.response().setStatusCode(answer.statusCode());
                    request.response().headers().setAll(answer.headers());
                    return answer.pipeTo(request.response());
                })
                .onFailure(cause -> {
                    if (request.response().headWritten()) {
                        request.response().reset().onFailure(gone -> {});
                    } else {
                        request.response().setStatusCode(502).end().onFailure(gone -> {});
                    }
                });
    }

    @Override
    public void close() {
        processes.forEach(FanfareProcess::close);
        TestRedis.await(vertx.close());
    }
}
