package io.fanfare.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.client.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the manual, as they stand there. */
@Tag("programs")
@FanfareServer(settings = "stream.heartbeat=300ms")
@Timeout(240)
class ReadmeTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    Path dir;

    @Test
    void theFirstEventArrives(LocalServer server) throws Exception {
        String source = "import io.fanfare.client.*;\nclass First { public static void main(String[] args) {\n"
                + example("fanfare.accounts().signUp") + "}}";
        long begin = System.nanoTime();
        compile("First", source.replace("http://127.0.0.1:8080", server.url()));
        Process first = run("First");
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        System.out.println("first_event_ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        assertThat(Files.readString(dir.resolve("First.log")))
                .startsWith("status {")
                .contains("Hello, world");
    }

    @Test
    void theFurtherExamplesRun(LocalServer server) throws Exception {
        Person eve = server.person("eve");
        Status unused = eve.post("the late train #rail");
        Path picture = Files.write(dir.resolve("cat.png"), onePixel());
        String source = "import io.fanfare.client.*;\nimport io.fanfare.client.stream.*;\nimport java.nio.file.Path;\n"
                + "class Further { public static void main(String[] args) {\nvar ada = Fanfare.at(args[0]).token(args[1]).build();\n"
                + example("limit(100)") + example("ada.media().upload").replace("cat.png", picture.toString())
                + example("Filter.track(\"late train\"").replace(".andFollow(\"ada\")", "") + "}}";
        compile("Further", source);
        Process further = run("Further", server.url(), eve.token());
        assertThat(further.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String output = Files.readString(dir.resolve("Further.log"));
        assertThat(further.exitValue()).as(output).isZero();
        assertThat(output).contains("the late train");
    }

    @Test
    void theExampleOfATestCompiles() throws Exception {
        compile(
                "HomeTest",
                "import io.fanfare.junit5.*;\nimport org.junit.jupiter.api.Test;\n" + example("class HomeTest"));
    }

    @Test
    void theBotAnswersEachStatusOnceAlsoWhenItAndTheServerAreKilled(LocalServer server) throws Exception {
        String source = example("class Bot");
        assertThat(source.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(25);
        compile("Bot", source);
        Person polo = server.person("polo");
        Person marco = server.person("marco");
        Random random = new Random(7);
        List<Status> calls = new ArrayList<>();
        Path cursor = dir.resolve("cursor");
        Process bot = run("Bot", server.url(), polo.token(), cursor.toString());
        server.await("the bot listens", () -> Files.exists(cursor));
        for (int i = 0; i < 30; i++) {
            calls.add(marco.client()
                    .statuses()
                    .post(io.fanfare.client.NewStatus.text("marco " + i).idempotencyKey("call-" + i)));
            if (i % 6 == 3) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                assertThat(bot.destroyForcibly().waitFor()).isEqualTo(137);
                bot = run("Bot", server.url(), polo.token(), cursor.toString());
            }
            if (i % 15 == 10) {
                server.kill();
                server.startAgain();
            }
        }
        List<String> expected = calls.stream().map(Status::id).toList();
        server.await("each call has an answer", () -> answered(polo).containsAll(expected));
        assertThat(answered(polo)).containsExactlyInAnyOrderElementsOf(expected);
        bot.destroyForcibly();
    }

    private static List<String> answered(Person bot) {
        return bot.client().accounts().statuses(bot.id()).stream()
                .map(Status::inReplyToId)
                .collect(Collectors.toList());
    }

    private static String example(String contains) throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../java/README.md")));
        while (example.find()) {
            if (example.group(1).contains(contains)) {
                return example.group(1);
            }
        }
        throw new AssertionError("no example contains " + contains);
    }

    private void compile(String name, String source) throws IOException {
        Path file = Files.writeString(dir.resolve(name + ".java"), source);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", CLASS_PATH, "-proc:none", "-d", dir.toString(), file.toString());
        assertThat(status).as(source).isZero();
    }

    private Process run(String name, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                CLASS_PATH + java.io.File.pathSeparator + dir,
                name));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        dir.resolve(name + ".log").toFile()))
                .start();
    }

    private static byte[] onePixel() {
        return java.util.Base64.getDecoder()
                .decode(
                        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
    }
}
