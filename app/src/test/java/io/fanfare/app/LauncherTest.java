package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code fanfare}, with a java that does as it is told, and a sleep that takes no time. */
class LauncherTest {
    private static final Path SCRIPT = Path.of("").toAbsolutePath().getParent().resolve("fanfare");
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** Writes a line per start; what it does is in the file "does". */
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in *-version*) echo 'openjdk version "17.0.1"' >&2; exit 0 ;; esac
            echo "$$ $*" >> "$PLACE/starts"
            starts=$(wc -l < "$PLACE/starts")
            . "$PLACE/does"
            """;

    @TempDir
    Path dir;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(dir.resolve("app/target"));
        Files.createDirectories(dir.resolve("bench/target"));
        Files.createDirectories(dir.resolve("bin"));
        Files.createDirectories(dir.resolve("app/src/main/launcher"));
        Files.copy(SCRIPT, dir.resolve("fanfare"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(
                Path.of("src/main/launcher/launch.sh"),
                dir.resolve("app/src/main/launcher/launch.sh"),
                StandardCopyOption.COPY_ATTRIBUTES);
        Files.createFile(dir.resolve("pom.xml"));
        Files.createFile(dir.resolve("app/target/fanfare.jar"));
        program("java", JAVA);
        program("sleep", "#!/bin/sh\necho \"$1\" >> \"$PLACE/pauses\"\n");
    }

    @Test
    void aServiceWhoseMemoryIsFullIsStartedAgain() throws Exception {
        Process script = start("[ \"$starts\" -lt 3 ] && exit 3; exit 0", "up", "--port", "0");

        assertThat(exit(script)).isZero();
        assertThat(starts()).hasSize(3).allSatisfy(line -> assertThat(line)
                .contains("-XX:MaxDirectMemorySize=256m", "-XX:+ExitOnOutOfMemoryError")
                .endsWith(" up --port 0"));
        assertThat(Files.readAllLines(dir.resolve("pauses"))).containsExactly("1", "2");
    }

    @Test
    void theJarThatItBuildsHasTheClassesOfEveryModuleOfTheProduct() throws Exception {
        List<String> modules = Pattern.compile("<module>([\\w/]+)</module>")
                .matcher(Files.readString(Path.of("../pom.xml")))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !List.of("app", "bench", "checks", "clients/junit5", "dist", "dist/bom")
                        .contains(module))
                .toList();
        String build = Files.readString(Path.of("pom.xml"));

        assertThat(modules).contains("common", "core", "clients/java");
        assertThat(modules).allSatisfy(module -> assertThat(build)
                .contains("<fileset dir=\"${project.basedir}/../" + module + "/target/launch/classes\"/>"));
    }

    @Test
    void itIsGivenUpWhenItsMemoryIsFullAgainAndAgain() throws Exception {
        Process script = start("exit 3", "worker");

        assertThat(exit(script)).isEqualTo(3);
        assertThat(starts()).hasSize(6);
        assertThat(Files.readAllLines(dir.resolve("pauses"))).containsExactly("1", "2", "4", "8", "16");
        assertThat(Files.readString(dir.resolve("output"))).contains("giving up: give it more");
    }

    @Test
    void aHungEventLoopCausesARestartAndAMessage() throws Exception {
        Process script = start("test -e \"$PLACE/once\" && exit 0; touch \"$PLACE/once\"; exit 4", "up");

        assertThat(exit(script)).isZero();
        assertThat(starts()).hasSize(2);
        assertThat(Files.readString(dir.resolve("output")))
                .contains("an event loop hung, starting again in 1 s (1 of 5)");
    }

    @Test
    void aStartThatTookTooLongCausesARestartAndAMessage() throws Exception {
        Process script = start("test -e \"$PLACE/once\" && exit 0; touch \"$PLACE/once\"; exit 5", "up");

        assertThat(exit(script)).isZero();
        assertThat(starts()).hasSize(2);
        assertThat(Files.readString(dir.resolve("output")))
                .contains("the start took too long, starting again in 1 s (1 of 5)");
    }

    @Test
    void nothingIsStartedBesideAServiceWhichLearnsWhereItsClassesAreKept() throws Exception {
        Path archive = dir.resolve("app/target/fanfare.jsa");
        Path sibling = Files.createFile(dir.resolve("app/target/fanfare.jsa.4711.data"));

        assertThat(exit(start("exit 1", "up"))).isEqualTo(1);

        assertThat(starts()).singleElement().satisfies(line -> assertThat(line)
                .contains("-Dfanfare.classes=" + archive)
                .as("the JVM's own archive would not be used either")
                .doesNotContain("-XX:SharedArchiveFile="));
        assertThat(sibling).as("what others have made").exists();
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(dir.toString())))
                .isEmpty();
    }

    @Test
    void keptClassesAreUsedOnceTheyAreThere() throws Exception {
        Path archive = Files.createFile(dir.resolve("app/target/fanfare.jsa"));

        assertThat(exit(start("exit 1", "up"))).isEqualTo(1);

        assertThat(starts()).singleElement().satisfies(line -> assertThat(line)
                .contains("-Dfanfare.classes=" + archive, "-XX:SharedArchiveFile=" + archive));
    }

    @Test
    void withoutACompilerOrMavenAndAnyJarItSaysWhatToInstall() throws Exception {
        Files.delete(dir.resolve("app/target/fanfare.jar"));
        assertThat(exit(start("exit 0", "up"))).isEqualTo(1);
        assertThat(Files.readString(dir.resolve("output")))
                .contains("a JDK is needed to build", "is a JRE, without javac", "java -jar fanfare.jar up")
                .doesNotContain("building");

        program("javac", "#!/bin/sh\n");
        for (String tool : List.of("dirname", "readlink", "find", "head", "sed", "flock")) {
            String folder = Files.exists(Path.of("/usr/bin", tool)) ? "/usr/bin/" : "/bin/";
            program(tool, "#!/bin/sh\nexec " + folder + tool + " \"$@\"\n");
        }
        String path = dir.resolve("bin").toString();
        assertThat(exit(start("exit 0", "yes", path, new String[] {"up"}))).isEqualTo(1);
        assertThat(Files.readString(dir.resolve("output")))
                .contains("mvn is not on the PATH", "apt-get install maven", "java -jar fanfare.jar up");
        assertThat(exit(start("exit 0", "yes", path, new String[] {"bench", "queue"})))
                .isEqualTo(1);
        assertThat(Files.readString(dir.resolve("output"))).contains("java -jar fanfare-bench.jar bench");
    }

    @Test
    void noOtherEndIsMadeGood() throws Exception {
        for (int status : new int[] {0, 1, 2, 134, 137}) {
            Files.deleteIfExists(dir.resolve("starts"));
            assertThat(exit(start("exit " + status, "up"))).isEqualTo(status);
            assertThat(starts()).hasSize(1);
        }
    }

    @Test
    void aSignalReachesTheServiceOnceAndItsStatusIsTheScripts() throws Exception {
        Process script = start(
                "trap 'echo TERM >> \"$PLACE/signals\"; exit 5' TERM; touch \"$PLACE/ready\"; while :; do /bin/sleep 0.05; done",
                "up");
        Awaitility.await().atMost(WAIT_MAX).until(() -> Files.exists(dir.resolve("ready")));

        script.destroy();

        assertThat(exit(script)).isEqualTo(5);
        assertThat(Files.readAllLines(dir.resolve("signals"))).containsExactly("TERM");
        assertThat(starts()).hasSize(1);
    }

    @Test
    void aCommandOrASupervisedServiceReplacesTheScript() throws Exception {
        Process command = start("exit 3", "admin", "queue", "stats");
        assertThat(exit(command)).isEqualTo(3);
        assertThat(starts()).singleElement().satisfies(line -> assertThat(line).startsWith(command.pid() + " "));

        Files.delete(dir.resolve("starts"));
        Process supervised = start("exit 3", "no", new String[] {"up"});
        assertThat(exit(supervised)).isEqualTo(3);
        assertThat(starts()).singleElement().satisfies(line -> assertThat(line).startsWith(supervised.pid() + " "));
    }

    @Test
    void optionsForJavaBeforeTheCommandAreStrongerThanTheDefaultsAndWeakerThanTheOperators() throws Exception {
        assertThat(exit(start("exit 0", "-Xmx1g", "-Dfanfare.data=place", "version")))
                .isZero();

        assertThat(starts())
                .singleElement()
                .asString()
                .containsSubsequence("-Xmx512m", "-Xmx1g", "-Dfanfare.data=place", "-jar")
                .endsWith(" version");
    }

    @Test
    void aServiceEndsWithAScriptThatIsKilled() throws Exception {
        Path data = dir.resolve("data");
        Process script = new ProcessBuilder("/bin/sh", "-c", "while :; do /bin/sleep 1; done").start();
        try (FanfareProcess up =
                FanfareProcess.withJavaOption("-Dfanfare.supervisor=" + script.pid(), data, "up", "--port", "0")) {
            up.awaitOutput("Ctrl-C finishes what is under way");
            script.destroyForcibly();

            assertThat(up.awaitExit(WAIT_MAX)).isEqualTo(137);
        }
    }

    @Test
    void itBuildsWithoutTestsAndChecksWhenNoJarIsCurrentAndOnlyThen() throws Exception {
        program("javac", "#!/bin/sh\n");
        Path packaged = dir.resolve("app/target/fanfare.jar");
        Path launched = dir.resolve("app/target/launch/fanfare.jar");
        Files.delete(packaged);
        program("mvn", """
                #!/bin/sh
                echo "$*" >> "$PLACE/builds"
                mkdir -p app/target/launch && touch app/target/launch/fanfare.jar
                """);

        assertThat(exit(start("exit 0", "version"))).isZero();
        assertThat(exit(start("exit 0", "version"))).isZero();
        assertThat(starts()).hasSize(2).allSatisfy(line -> assertThat(line).endsWith("-jar " + launched + " version"));

        Files.createFile(packaged);
        assertThat(exit(start("exit 0", "version"))).isZero();
        assertThat(starts()).last().asString().endsWith("-jar " + packaged + " version");
        assertThat(Files.readAllLines(dir.resolve("builds")))
                .containsExactly("-pl !bench -q -B -ntp -T 1C -Dfanfare.launch process-classes");
    }

    @Test
    void benchAndReplayRunFromAJarThatIsBuiltForThemAlone() throws Exception {
        program("javac", "#!/bin/sh\n");
        program("mvn", """
                #!/bin/sh
                echo "$*" >> "$PLACE/builds"
                mkdir -p app/target/launch && touch app/target/launch/fanfare.jar
                case "$*" in *!bench*) ;; *) mkdir -p bench/target/launch && touch bench/target/launch/fanfare-bench.jar ;; esac
                """);
        Path launched = dir.resolve("bench/target/launch/fanfare-bench.jar");
        Path packaged = dir.resolve("bench/target/fanfare-bench.jar");

        assertThat(exit(start("exit 0", "version"))).isZero();
        assertThat(dir.resolve("builds")).doesNotExist();
        for (String command : List.of("bench", "replay")) {
            assertThat(exit(start("exit 0", command, "--help"))).isZero();
            assertThat(starts()).last().asString().endsWith("-jar " + launched + " " + command + " --help");
        }
        assertThat(Files.readAllLines(dir.resolve("builds")))
                .containsExactly("-q -B -ntp -T 1C -Dfanfare.launch process-classes");

        Files.createFile(packaged);
        assertThat(exit(start("exit 0", "bench"))).isZero();
        assertThat(starts()).last().asString().endsWith("-jar " + packaged + " bench");
    }

    @Test
    void aSourceOfBenchMakesItsJarOldAndNotTheProducts() throws Exception {
        Path source = Files.createDirectories(dir.resolve("bench/src/main")).resolve("Bench.java");
        Files.createFile(source);
        Path packaged = dir.resolve("app/target/fanfare.jar");
        FileTime built = Files.getLastModifiedTime(packaged);
        Files.setLastModifiedTime(source, FileTime.from(built.toInstant().plusSeconds(60)));

        assertThat(exit(start("exit 0", "version"))).isZero();
        assertThat(starts()).last().asString().endsWith("-jar " + packaged + " version");

        Files.createFile(dir.resolve("bench/target/fanfare-bench.jar"));
        program("javac", "#!/bin/sh\n");
        program("mvn", "#!/bin/sh\nexit 1\n");
        assertThat(exit(start("exit 0", "bench"))).isEqualTo(1);
        assertThat(Files.readString(dir.resolve("output"))).contains("the build failed");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(dir.resolve("bin").resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** @param does what java does, as lines of a shell */
    private Process start(String does, String... arguments) throws IOException {
        return start(does, "yes", arguments);
    }

    private Process start(String does, String restart, String[] arguments) throws IOException {
        return start(does, restart, dir.resolve("bin") + ":" + System.getenv("PATH"), arguments);
    }

    private Process start(String does, String restart, String path, String[] arguments) throws IOException {
        Files.writeString(dir.resolve("does"), does + "\n");
        List<String> line = new ArrayList<>(List.of(dir.resolve("fanfare").toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder script = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("output").toFile());
        script.environment().remove("JAVA_HOME");
        script.environment().keySet().removeIf(name -> name.startsWith("FANFARE_"));
        script.environment().put("FANFARE_RESTART", restart);
        script.environment().put("PATH", path);
        script.environment().put("PLACE", dir.toString());
        return script.start();
    }

    private int exit(Process process) throws Exception {
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private List<String> starts() throws IOException {
        return Files.readAllLines(dir.resolve("starts"), StandardCharsets.UTF_8);
    }
}
