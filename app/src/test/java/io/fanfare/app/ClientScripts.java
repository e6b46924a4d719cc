package io.fanfare.app;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the scripts of {@code src/test/clients}. */
final class ClientScripts {
    static final Path SCRIPTS = Path.of("src/test/clients").toAbsolutePath();
    static final Duration SCRIPT_MAX = Duration.ofMinutes(10);

    /** Outside of the sources; npm finds its lists of packages here too. */
    static final Path NODE = Path.of("target/clients").toAbsolutePath();

    private static final Pattern SUMMARY = Pattern.compile("(\\d+) checks, 0 failed");

    private ClientScripts() {}

    /** How many checks a script made, by what it says; fails unless all of them held. */
    static int checks(String client, String printed) {
        Matcher summary = SUMMARY.matcher(printed);
        assertThat(summary.find()).as(printed).isTrue();
        System.out.println(client + ": " + summary.group());
        return Integer.parseInt(summary.group(1));
    }

    /**
     * A folder with the scripts and the packages that they import, installed as package-lock.json says. Test classes
     * run in processes of their own, so the first one installs and the others wait.
     */
    static synchronized Path node(Path dir) throws Exception {
        Files.createDirectories(NODE);
        try (FileChannel channel = FileChannel.open(NODE.resolve("lock"), CREATE, WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            copy(
                    NODE,
                    "package.json",
                    "package-lock.json",
                    "spectral.yaml",
                    "checks.mjs",
                    "browser.mjs",
                    "masto.mjs",
                    "megalodon.mjs",
                    "eventsource.mjs",
                    "pages.mjs",
                    "web.mjs",
                    "factor.mjs",
                    "features.mjs",
                    "frame.mjs",
                    "load.mjs",
                    "looks.mjs",
                    "keyboard.mjs",
                    "challenge.mjs",
                    "moderation.mjs",
                    "site.mjs",
                    "points.mjs",
                    "console.mjs",
                    "first-minute.mjs",
                    "pictures.mjs",
                    "console-picture.mjs",
                    "scroll.mjs",
                    "trace.mjs");
            Path installed = NODE.resolve("installed");
            String list = Files.readString(SCRIPTS.resolve("package-lock.json"));
            if (!Files.exists(installed) || !Files.readString(installed).equals(list)) {
                run(dir, "npm", NODE, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
                Files.writeString(installed, list);
            }
        }
        return NODE;
    }

    /** A folder with the jars of S3Proxy, as its pom.xml names them; see {@link #node}. */
    static synchronized Path s3proxy(Path dir) throws Exception {
        Files.createDirectories(NODE);
        Path jars = NODE.resolve("s3proxy");
        try (FileChannel channel = FileChannel.open(NODE.resolve("s3proxy-lock"), CREATE, WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            Path installed = NODE.resolve("s3proxy-installed");
            String list = Files.readString(SCRIPTS.resolve("s3proxy/pom.xml"));
            if (!Files.exists(installed) || !Files.readString(installed).equals(list)) {
                run(dir, "s3proxy", SCRIPTS.resolve("s3proxy"), "mvn", "-B", "-ntp", "-q", "-Djars=" + jars, "package");
                Files.writeString(installed, list);
            }
        }
        return jars;
    }

    /** Copies these scripts; one that is there already is left alone, since another process may read it. */
    static void copy(Path folder, String... files) throws IOException {
        for (String file : files) {
            Path copy = folder.resolve(file);
            String script = Files.readString(SCRIPTS.resolve(file));
            if (!Files.exists(copy) || !Files.readString(copy).equals(script)) {
                Files.writeString(copy, script);
            }
        }
    }

    /** The output of the command; fails unless it succeeds. {@code dir} is for its log. */
    @CanIgnoreReturnValue
    static String run(Path dir, String name, Path folder, String... command) throws Exception {
        Path output = dir.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().put("XDG_CONFIG_HOME", dir.resolve(name).toString());
        builder.environment().putAll(Map.of("REDOCLY_TELEMETRY", "off", "REDOCLY_SUPPRESS_NOTIFICATIONS", "true"));
        Process process = start(builder);
        boolean ended = process.waitFor(SCRIPT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String printed = Files.readString(output);
        assertThat(ended).as("ended in time: %s", printed).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new AssertionError(
                    builder.command().get(0) + " is not there: docs/clients.md says what to install", e);
        }
    }
}
