package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients written by others, as they are, against a whole server, and linters on what it says of itself. What each does
 * is in a script of ours, {@code src/test/clients}; it says what failed and counts its checks. Needs Debian's toot,
 * python3-mastodon, python3-tweepy, python3-twython and chromium, and node with npm; see docs/clients.md.
 */
@Tag("clients")
class ClientsTest {
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
        assertThat(listed("toot", ClientScripts.SCRIPTS, "bash", "toot.sh")).isGreaterThanOrEqualTo(69);
    }

    @Test
    void mastodonPy() throws Exception {
        assertThat(listed("mastodonpy", ClientScripts.SCRIPTS, "/usr/bin/python3", "-B", "mastodon_py.py"))
                .isGreaterThanOrEqualTo(207);
    }

    @Test
    void mastoJs() throws Exception {
        assertThat(listed("mastojs", ClientScripts.node(dir), "node", "masto.mjs"))
                .isGreaterThanOrEqualTo(268);
    }

    @Test
    void megalodon() throws Exception {
        assertThat(listed("megalodon", ClientScripts.node(dir), "node", "megalodon.mjs"))
                .isGreaterThanOrEqualTo(97);
    }

    @Test
    void theNextMastoJs() throws Exception {
        assertThat(script(
                        "mastojs8",
                        ClientScripts.node(dir),
                        "env",
                        "MASTO=masto-8",
                        "node",
                        "--experimental-websocket",
                        "masto.mjs"))
                .isGreaterThanOrEqualTo(268);
    }

    @Test
    void theNextMegalodon() throws Exception {
        assertThat(script(
                        "mega103", ClientScripts.node(dir), "env", "MEGALODON=megalodon-10.3", "node", "megalodon.mjs"))
                .isGreaterThanOrEqualTo(97);
    }

    @Test
    void tweepy() throws Exception {
        assertThat(script("tweepy", ClientScripts.SCRIPTS, "/usr/bin/python3", "-B", "tweepy_streams.py"))
                .isGreaterThanOrEqualTo(23);
    }

    @Test
    void twython() throws Exception {
        assertThat(script("twython", ClientScripts.SCRIPTS, "/usr/bin/python3", "-B", "twython_streams.py"))
                .isGreaterThanOrEqualTo(18);
    }

    @Test
    void eventSource() throws Exception {
        assertThat(script(
                        "eventsource",
                        ClientScripts.node(dir),
                        "node",
                        "--experimental-eventsource",
                        "eventsource.mjs"))
                .isGreaterThanOrEqualTo(20);
    }

    @Test
    void eventSourceInChromium() throws Exception {
        assertThat(script("chromium", ClientScripts.node(dir), "node", "eventsource.mjs"))
                .isGreaterThanOrEqualTo(21);
    }

    @Test
    void pagesRunNoScriptThatSomebodyHasWritten() throws Exception {
        assertThat(script("pages", ClientScripts.node(dir), "node", "pages.mjs"))
                .isGreaterThanOrEqualTo(516);
    }

    /** On a server of its own, since it is restarted under the pages. */
    @Test
    void twoPeopleUseTheWebClientAcrossARestart() throws Exception {
        Path folder = Files.createDirectories(dir.resolve("web"));
        FanfareProcess first = FanfareProcess.up(folder.resolve("data"), "--set", "limits.enabled=false");
        String authority = URI.create(first.runtime().httpUrl()).getAuthority();
        CompletableFuture<FanfareProcess> second = CompletableFuture.supplyAsync(() -> restarted(first, folder));
        try {
            String printed = ClientScripts.run(
                    dir, "web", ClientScripts.node(dir), "node", "web.mjs", authority, folder.toString());
            assertThat(ClientScripts.checks("web", printed)).isGreaterThanOrEqualTo(185);
        } finally {
            Files.writeString(folder.resolve("restart"), "");
            second.get(ClientScripts.SCRIPT_MAX.toSeconds(), TimeUnit.SECONDS).close();
            first.close();
        }
    }

    @Test
    void peopleUseTheRestOfTheWebClient() throws Exception {
        assertThat(script("features", ClientScripts.node(dir), "node", "features.mjs"))
                .isGreaterThanOrEqualTo(143);
    }

    @Test
    void oneAddsASecondFactorAndLogsInWithItsCodes() throws Exception {
        assertThat(script("factor", ClientScripts.node(dir), "node", "factor.mjs"))
                .isGreaterThanOrEqualTo(16);
    }

    @Test
    void theFrameOfTheWebClientIsSmallAndKeepsNoAnswer() throws Exception {
        assertThat(script("frame", ClientScripts.node(dir), "node", "frame.mjs"))
                .isGreaterThanOrEqualTo(47);
    }

    @Test
    void oneUsesTheWebClientWithTheKeyboardAlone() throws Exception {
        assertThat(script("keyboard", ClientScripts.node(dir), "node", "keyboard.mjs"))
                .isGreaterThanOrEqualTo(38);
    }

    /** On a server of its own, which has nobody but the people of the script. Its pictures are in the target folder. */
    @ParameterizedTest
    @ValueSource(ints = {1280, 768, 360})
    void thePlacesThatReadersLookAtFirstHoldTheirShapeInBothThemesAndLanguages(int width) throws Exception {
        String name = "points" + width;
        try (FanfareProcess own = FanfareProcess.up(dir.resolve(name), "--set", "limits.enabled=false")) {
            String printed = ClientScripts.run(
                    dir,
                    name,
                    ClientScripts.node(dir),
                    "node",
                    "points.mjs",
                    URI.create(own.runtime().httpUrl()).getAuthority(),
                    Path.of("target", "points").toAbsolutePath().toString(),
                    width + "-");
            assertThat(ClientScripts.checks(name, printed)).isGreaterThanOrEqualTo(100);
        }
    }

    /**
     * On a server of its own, which has nobody but the people of the script. {@code -Dfanfare.tests.write-looks=true}
     * makes the kept pictures again; those of a run, and what differs, are in the target folder.
     */
    @Test
    void eightPagesLookAsTheirKeptPictures() throws Exception {
        boolean keeps = Boolean.getBoolean("fanfare.tests.write-looks");
        try (FanfareProcess own = FanfareProcess.up(dir.resolve("looks"), "--set", "limits.enabled=false")) {
            List<String> line = new ArrayList<>(List.of(
                    "node",
                    "looks.mjs",
                    URI.create(own.runtime().httpUrl()).getAuthority(),
                    ClientScripts.SCRIPTS.resolve("looks").toString(),
                    Path.of("target", "looks").toAbsolutePath().toString()));
            if (keeps) {
                line.add("keep");
            }
            String printed = ClientScripts.run(dir, "looks", ClientScripts.node(dir), line.toArray(String[]::new));
            assertThat(ClientScripts.checks("looks", printed)).isGreaterThanOrEqualTo(9);
        }
    }

    /** On a server of its own, whose homes hold what the reader scrolls through. */
    @Test
    void aLongHomeIsScrolledThroughWhilePostsArriveAndThePageStaysBounded() throws Exception {
        try (FanfareProcess own = FanfareProcess.up(dir.resolve("scroll"), "--set", "limits.enabled=false")) {
            String printed = ClientScripts.run(
                    dir,
                    "scroll",
                    ClientScripts.node(dir),
                    "node",
                    "scroll.mjs",
                    URI.create(own.runtime().httpUrl()).getAuthority(),
                    "900",
                    "30",
                    "6");
            assertThat(ClientScripts.checks("scroll", printed)).isGreaterThanOrEqualTo(27);
        }
    }

    /** The server, started once more on its port when the script asks for it. */
    private static FanfareProcess restarted(FanfareProcess first, Path folder) {
        try {
            Awaitility.await().atMost(ClientScripts.SCRIPT_MAX).until(() -> Files.exists(folder.resolve("restart")));
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
    void lintersFindNothingWrongWithTheOpenapiDescriptionThatIsServed() throws Exception {
        Path folder = ClientScripts.node(dir);
        Files.writeString(
                folder.resolve("openapi.yaml"),
                Client.get(up.runtime().httpUrl() + "/openapi.yaml", "").body());
        ClientScripts.run(
                dir,
                "redocly",
                folder,
                "node",
                "node_modules/@redocly/cli/bin/cli.js",
                "lint",
                "--extends=spec",
                "openapi.yaml");
        ClientScripts.run(
                dir,
                "spectral",
                folder,
                "node",
                "node_modules/@stoplight/spectral-cli/dist/index.js",
                "lint",
                "--fail-severity=hint",
                "--ruleset=spectral.yaml",
                "openapi.yaml");
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
        String printed = ClientScripts.run(dir, client, folder, line.toArray(String[]::new));
        return ClientScripts.checks(client, printed);
    }

    /** The same, for a client that has a column in docs/clients.md. */
    private static int listed(String client, Path folder, String... command) throws Exception {
        String management = up.runtime().managementUrl();
        Map<String, Double> before = ClientMatrix.counts(management);
        int checks = script(client, folder, command);
        ClientMatrix.check(client, before, ClientMatrix.counts(management));
        return checks;
    }
}
