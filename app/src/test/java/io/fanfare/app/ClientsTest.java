package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients written by others, as they are, against a whole server, and a linter on what it says of itself. What each
 * does is in a script of ours, {@code src/test/clients}; it says what failed and counts its checks. Needs Debian's
 * toot, python3-mastodon and chromium, and node with npm; see docs/clients.md.
 */
@Tag("clients")
class ClientsTest {
    private static final Path SCRIPTS = Path.of("src/test/clients").toAbsolutePath();

    /** Outside of the sources; npm finds its lists of packages here too. */
    private static final Path NODE = Path.of("target/clients").toAbsolutePath();

    private static final Duration SCRIPT_MAX = Duration.ofMinutes(10);
    private static final Pattern SUMMARY = Pattern.compile("(\\d+) checks, 0 failed");

    @TempDir
    static Path dir;

    private static FanfareProcess up;

    @BeforeAll
    static void start() {
        // No limits on rates: a script does in seconds what a person does in hours.
        up = FanfareProcess.up(dir.resolve("data"), "--set", "limits.enabled=false");
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    @Test
    void toot() throws Exception {
        assertThat(script("toot", SCRIPTS, "bash", "toot.sh")).isGreaterThanOrEqualTo(68);
    }

    @Test
    void mastodonPy() throws Exception {
        assertThat(script("mastodonpy", SCRIPTS, "/usr/bin/python3", "mastodon_py.py"))
                .isGreaterThanOrEqualTo(146);
    }

    @Test
    void mastoJs() throws Exception {
        assertThat(script("mastojs", node(), "node", "masto.mjs")).isGreaterThanOrEqualTo(105);
    }

    @Test
    void megalodon() throws Exception {
        assertThat(script("megalodon", node(), "node", "megalodon.mjs")).isGreaterThanOrEqualTo(92);
    }

    @Test
    void eventSource() throws Exception {
        assertThat(script("eventsource", node(), "node", "--experimental-eventsource", "eventsource.mjs"))
                .isGreaterThanOrEqualTo(20);
    }

    @Test
    void eventSourceInChromium() throws Exception {
        assertThat(script("chromium", node(), "node", "eventsource.mjs")).isGreaterThanOrEqualTo(21);
    }

    @Test
    void pagesRunNoScriptThatSomebodyHasWritten() throws Exception {
        assertThat(script("pages", node(), "node", "pages.mjs")).isGreaterThanOrEqualTo(516);
    }

    /** On a server of its own, since it is restarted under the pages. */
    @Test
    void twoPeopleUseTheWebClientAcrossARestart() throws Exception {
        Path folder = Files.createDirectories(dir.resolve("web"));
        FanfareProcess first = FanfareProcess.up(folder.resolve("data"), "--set", "limits.enabled=false");
        String authority = URI.create(first.runtime().httpUrl()).getAuthority();
        CompletableFuture<FanfareProcess> second = CompletableFuture.supplyAsync(() -> restarted(first, folder));
        try {
            String said = run("web", node(), "node", "web.mjs", authority, folder.toString());
            Matcher summary = SUMMARY.matcher(said);
            assertThat(summary.find()).as(said).isTrue();
            System.out.println("web: " + summary.group());
            assertThat(Integer.parseInt(summary.group(1))).isGreaterThanOrEqualTo(85);
        } finally {
            Files.writeString(folder.resolve("restart"), "");
            second.get(SCRIPT_MAX.toSeconds(), TimeUnit.SECONDS).close();
            first.close();
        }
    }

    /** The server, started once more on its port when the script asks for it. */
    private static FanfareProcess restarted(FanfareProcess first, Path folder) {
        try {
            Awaitility.await().atMost(SCRIPT_MAX).until(() -> Files.exists(folder.resolve("restart")));
            String port = String.valueOf(URI.create(first.runtime().httpUrl()).getPort());
            assertThat(first.stop(Duration.ofSeconds(60))).isZero();
            FanfareProcess second =
                    FanfareProcess.start(folder.resolve("data"), "up", "--port", port, "--set", "limits.enabled=false");
            second.awaitOutput("Ctrl-C finishes what is under way");
            Files.writeString(folder.resolve("restarted"), "");
            return second;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLinterFindsNothingWrongWithTheOpenapiDescriptionThatIsServed() throws Exception {
        String description = up.runtime().httpUrl() + "/openapi.yaml";
        run("redocly", node(), "node", "node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=spec", description);
    }

    /** A folder with the scripts and the packages that they import, installed as package-lock.json says. */
    private static synchronized Path node() throws Exception {
        Path installed = NODE.resolve("installed");
        Files.createDirectories(NODE);
        for (String file : List.of(
                "package.json",
                "package-lock.json",
                "checks.mjs",
                "masto.mjs",
                "megalodon.mjs",
                "eventsource.mjs",
                "pages.mjs",
                "web.mjs")) {
            Files.writeString(NODE.resolve(file), Files.readString(SCRIPTS.resolve(file)));
        }
        String lock = Files.readString(SCRIPTS.resolve("package-lock.json"));
        if (!Files.exists(installed) || !Files.readString(installed).equals(lock)) {
            run("npm", NODE, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
            Files.writeString(installed, lock);
        }
        return NODE;
    }

    /** Runs a script for two users of its own; how many checks it made, all of which held. */
    private static int script(String client, Path folder, String... command) throws Exception {
        String url = up.runtime().httpUrl();
        String ann = "ann_" + client;
        String bob = "bob_" + client;
        Client.signUp(url, ann);
        Client.signUp(url, bob);
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(URI.create(url).getAuthority(), ann, bob, Client.PASSWORD));
        String said = run(client, folder, line.toArray(String[]::new));
        Matcher summary = SUMMARY.matcher(said);
        assertThat(summary.find()).as(said).isTrue();
        System.out.println(client + ": " + summary.group());
        return Integer.parseInt(summary.group(1));
    }

    /** What the command says; fails unless it succeeds. */
    @CanIgnoreReturnValue
    private static String run(String name, Path folder, String... command) throws Exception {
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
        String said = Files.readString(output);
        assertThat(ended).as("ended in time: %s", said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
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
