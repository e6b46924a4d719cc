package io.fanfare.common.testing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.redis.testing.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A real PostgreSQL for the tests of {@code -Parchive-pg}, made by initdb in a folder of its own, on the loopback
 * address. {@link #shared} is started once per JVM; a test that stops it takes {@link #fresh} and closes it. As root,
 * it runs as nobody, since PostgreSQL refuses root. Stopped by a shutdown hook.
 */
public final class TestPostgres implements AutoCloseable {
    /** Far beyond what anything takes, since test machines may stand still for seconds. */
    private static final long WAIT_SECONDS = 120;

    private static final String PASSWORD = "for-tests";
    private static TestPostgres shared;

    private final Path programs = programs();
    private final Path folder;
    private final int port = FreePort.find();
    private int databases;

    private TestPostgres() {
        try {
            folder = Files.createTempDirectory("fanfare-postgres-test");
            Path password = Files.writeString(folder.resolve("password"), PASSWORD);
            if (isRoot()) {
                run("chown", "-R", "nobody", folder.toString());
            }
            pg("initdb", "-D", data(), "-U", "fanfare", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256")
                    .with("--pwfile=" + password)
                    .run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** The one of this JVM; do not stop it. */
    public static synchronized TestPostgres shared() {
        if (shared == null) {
            shared = fresh();
        }
        return shared;
    }

    /** A server of one's own. */
    public static TestPostgres fresh() {
        return new TestPostgres();
    }

    /** The address of a new database, with name and password. */
    public synchronized String newDatabase(String... options) {
        String name = "test" + databases++;
        sql("postgres", "CREATE DATABASE " + name + " TEMPLATE template0 " + String.join(" ", options));
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=fanfare&password=" + PASSWORD;
    }

    /** Runs statements in a database, by its address. */
    public void sqlAt(String url, String statements) {
        sql(url.replaceAll(".*/|[?].*", ""), statements);
    }

    private void sql(String database, String statements) {
        pg("psql", "-q", "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", "fanfare", "-d", database)
                .with("-v", "ON_ERROR_STOP=1", "-c", statements)
                .run();
    }

    public void start() {
        String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder;
        pg("pg_ctl", "-D", data(), "-l", folder.resolve("log").toString(), "-o", options)
                .with("-w", "-t", Long.toString(WAIT_SECONDS), "start")
                .run();
    }

    /** Ends it as a kill does. */
    public void stop() {
        pg("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop").run();
    }

    /** {@code kill -9} of the server and all its processes. */
    public void kill() {
        try {
            String pid = Files.readAllLines(Path.of(data(), "postmaster.pid")).get(0);
            ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
            List<ProcessHandle> all =
                    Stream.concat(Stream.of(server), server.descendants()).toList();
            all.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle process : all) {
                process.onExit().get(WAIT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        if (Files.exists(folder.resolve("data/postmaster.pid"))) {
            stop();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The programs of the highest version where Debian puts them, or in the PATH. */
    private static Path programs() {
        List<Path> folders = new ArrayList<>();
        try (Stream<Path> versions = Files.exists(Path.of("/usr/lib/postgresql"))
                ? Files.list(Path.of("/usr/lib/postgresql"))
                : Stream.of()) {
            versions.sorted(Comparator.comparing(
                                    (Path version) -> version.toString().length())
                            .thenComparing(Comparator.naturalOrder())
                            .reversed())
                    .forEach(version -> folders.add(version.resolve("bin")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String entry : System.getenv("PATH").split(":", -1)) {
            folders.add(Path.of(entry));
        }
        return folders.stream()
                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the tests of -Parchive-pg need PostgreSQL: apt-get install postgresql"));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").toLowerCase(Locale.ROOT).equals("root");
    }

    private Line pg(String program, String... arguments) {
        Line line = new Line();
        if (isRoot()) {
            line.with("setpriv", "--reuid=nobody", "--clear-groups", "--");
        }
        return line.with(programs.resolve(program).toString()).with(arguments);
    }

    private void run(String... words) {
        new Line().with(words).run();
    }

    /** One command line. */
    private final class Line {
        private final List<String> words = new ArrayList<>();

        @CanIgnoreReturnValue
        Line with(String... more) {
            words.addAll(List.of(more));
            return this;
        }

        /** Waits for its end; what it printed is in the failure. */
        void run() {
            try {
                Path output = Files.createTempFile("fanfare-postgres-test", ".txt");
                ProcessBuilder builder = new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                builder.environment().put("PGPASSWORD", PASSWORD);
                Process process = builder.start();
                boolean ended = process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
                String printed = Files.readString(output);
                Files.delete(output);
                if (!ended || process.exitValue() != 0) {
                    process.destroyForcibly();
                    throw new IllegalStateException(words + ": " + printed);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
