package io.fanfare.junit5;

import io.fanfare.client.Fanfare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A Fanfare server with its own Redis, in a process of its own, on a free port of the loopback and on a folder of its
 * own under the temporary folder. {@link #close} ends it and removes the folder; it also ends when this JVM ends. For
 * any thread, except that only one thread may start, kill or stop it.
 */
public final class LocalServer implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);
    private static final Duration AWAIT_MAX = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 20;
    private static final String PASSWORD = "correct horse battery staple";

    private static final List<String> JAVA = List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dio.netty.jfr.enabled=false");

    private static final List<String> SETTINGS =
            List.of("limits.enabled=false", "auth.argon-memory-kib=8", "auth.argon-passes=1");

    /** Made at the first start of the JVM. */
    private static final class Kept {
        static final KeptClasses CLASSES = new KeptClasses();
        static final Path JAVA_PROGRAM = Path.of(System.getProperty("java.home"), "bin", "java");
        static final List<String> OPTIONS = CLASSES.options(JAVA_PROGRAM);
    }

    private final Path folder;
    private final int port;
    private final List<String> settings;
    private final Map<String, Person> people = new ConcurrentHashMap<>();
    private Process process;

    private LocalServer(Path folder, int port, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.settings = settings;
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param settings {@code key=value}, stronger than the defaults of {@link FanfareServer}
     * @throws IllegalStateException with the log when it does not become ready
     */
    public static LocalServer start(String... settings) {
        List<String> all = new ArrayList<>(SETTINGS);
        for (String setting : settings) {
            if (setting == null || setting.indexOf('=') < 1) {
                throw new IllegalArgumentException("the setting \"" + setting + "\" is not of the form key=value");
            }
            all.removeIf(former -> former.startsWith(setting.substring(0, setting.indexOf('=') + 1)));
            all.add(setting);
        }
        try {
            LocalServer server = new LocalServer(Files.createTempDirectory("fanfare-junit5"), freePort(), all);
            try {
                server.startAgain();
                return server;
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address, the same after a restart. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** A client without a token. */
    public Fanfare client() {
        return Fanfare.at(url()).build();
    }

    /** A client with a token. */
    public Fanfare client(String token) {
        return Fanfare.at(url()).token(token).build();
    }

    /** The person with this user name, who signs up at the first call. */
    public Person person(String name) {
        return people.computeIfAbsent(name, unknown -> {
            String token = client().accounts()
                    .signUp(unknown, unknown + "@example.org", PASSWORD)
                    .accessToken();
            Fanfare own = client(token);
            return new Person(this, unknown, own.accounts().me().id(), token, own);
        });
    }

    /** The last lines of the output of the server. */
    public List<String> log(int lines) {
        try {
            Path file = log();
            List<String> all = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException e) {
            return List.of("the log cannot be read: " + e.getMessage());
        }
    }

    /** Kills the server and its Redis ({@code kill -9}); accepted data is on the disk. */
    public void kill() {
        Optional<ProcessHandle> redis = redis();
        end(process.toHandle());
        redis.ifPresent(LocalServer::end);
    }

    /** Stops the server as SIGTERM does: it finishes its work first. */
    public void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** Starts the server again after {@link #kill} or {@link #stop}, with its data, and waits until it is ready. */
    public void startAgain() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("the server is running: call stop() or kill() first");
        }
        List<String> line = new ArrayList<>();
        line.add(Kept.JAVA_PROGRAM.toString());
        line.addAll(JAVA);
        line.addAll(Kept.OPTIONS);
        line.add("-Dfanfare.supervisor=" + ProcessHandle.current().pid());
        line.addAll(List.of("-cp", Kept.CLASSES.classPath(), "io.fanfare.app.Main", "up"));
        line.addAll(List.of("--port", Integer.toString(port), "--data", data().toString()));
        settings.forEach(setting -> line.addAll(List.of("--set", setting)));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("FANFARE_"));
        try {
            boolean unused = Files.deleteIfExists(ready());
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!becomes(() -> Files.exists(ready()) || !process.isAlive(), START_MAX) || !process.isAlive()) {
            throw new IllegalStateException("the server did not become ready:\n" + String.join("\n", log(50)));
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @throws AssertionError with the description after 30 s
     */
    public void await(String description, BooleanSupplier condition) {
        if (!becomes(condition, AWAIT_MAX)) {
            throw new AssertionError("after " + AWAIT_MAX.toSeconds() + " s it is not so that " + description);
        }
    }

    private static boolean becomes(BooleanSupplier condition, Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until || Thread.currentThread().isInterrupted()) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return true;
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    /** The server writes it when it serves requests. */
    private Path ready() {
        return data().resolve("runtime.yaml");
    }

    private Optional<ProcessHandle> redis() {
        Path pid = data().resolve("redis/redis.pid");
        try {
            return Files.exists(pid)
                    ? ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static void end(ProcessHandle handle) {
        boolean unusedRequest = handle.destroyForcibly();
        CompletableFuture<ProcessHandle> exit = handle.onExit();
        try {
            ProcessHandle unused = exit.get(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the process " + handle.pid() + " does not end", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Kills the server and removes its data. */
    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        try {
            Path unused = Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.err.println("the folder " + folder + " of the server is left over: " + e.getMessage());
        }
    }
}
