package io.fanfare.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The archives as somebody has them who has a Java runtime, and neither the sources nor a compiler. */
class ReleaseArchiveTest {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern READY = Pattern.compile("Fanfare is ready after \\S+ s: (\\S+)");
    private static final Duration WAIT_MAX = Duration.ofMinutes(2);
    private static final Set<String> OF_MAINTAINERS = Set.of("fixture", "release");
    private static final long BYTES_MAX = 60_000_000;

    @TempDir
    static Path place;

    private static Path installed;

    @BeforeAll
    static void unpack() throws Exception {
        installed = unpacked(System.getProperty("os.arch").equals("aarch64") ? "linux-aarch64" : "linux-x86_64");
    }

    @Test
    void anArchiveServesWithAJavaRuntimeAndNothingElse() throws Exception {
        Path data = place.resolve("data");
        Path output = place.resolve("output");
        Process up = fanfare(output, "up", "--port", "0", "--data", data.toString());
        try {
            String base = await("ready", () -> {
                Matcher ready = READY.matcher(text(output));
                return ready.find() ? ready.group(1) : null;
            });
            String token = send(
                            base,
                            "POST",
                            "/api/v1/accounts",
                            "username=ada&email=ada%40example.org&agreement=true&password=correct%20horse%20battery",
                            "")
                    .path("access_token")
                    .asText();
            // Words that only the dictionaries of ICU find in a text without spaces; fanfare.jar has a part of its
            // data.
            JsonNode post = send(base, "POST", "/api/v1/statuses", "status=" + encoded("ภาษาไทยสวยงาม 서울에서 만나"), token);
            for (String term : List.of("ไทย", "서울")) {
                String found = await(term + " is found", () -> {
                    String id = send(base, "GET", "/api/v2/search?type=statuses&q=" + encoded(term), "", token)
                            .at("/statuses/0/id")
                            .asText();
                    return id.isEmpty() ? null : id;
                });
                assertThat(found).isEqualTo(post.path("id").asText());
            }
            assertThat(run("admin", "queue", "stats", "--data", data.toString()))
                    .contains("waiting");
            assertThat(run("version")).startsWith("fanfare ").contains(" (commit ");
        } finally {
            up.destroy();
            assertThat(up.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(up.exitValue()).as(text(output)).isZero();
    }

    @Test
    void anArchiveNeverBuilds() throws Exception {
        assertThat(Files.readString(installed.resolve("fanfare"))).doesNotContain("mvn", "pom.xml");
        assertThat(run("bench")).contains("is in a jar of its own");
    }

    @ParameterizedTest
    @CsvSource({"linux-x86_64, x86_64, amd64", "linux-aarch64, aarch64, arm64"})
    void anArchiveHasTheNativesOfItsPlatformAlone(String platform, String processor, String redis) throws Exception {
        assertThat(Files.size(archive(platform))).isLessThanOrEqualTo(BYTES_MAX);
        Path jar = unpacked(platform).resolve("lib/fanfare.jar");
        try (JarFile file = new JarFile(jar.toFile())) {
            Set<String> names = file.stream().map(entry -> entry.getName()).collect(Collectors.toSet());
            assertThat(names.stream().filter(name -> name.startsWith("org/sqlite/native/") && !name.endsWith("/")))
                    .containsExactlyInAnyOrder(
                            "org/sqlite/native/Linux/" + processor + "/libsqlitejdbc.so",
                            "org/sqlite/native/Linux-Musl/" + processor + "/libsqlitejdbc.so");
            assertThat(names.stream().filter(name -> name.startsWith("redis-server-")))
                    .singleElement()
                    .asString()
                    .endsWith("-linux-" + redis);
            assertThat(names.stream().filter(name -> name.matches("META-INF/native/libnetty.*\\.so")))
                    .isNotEmpty()
                    .allMatch(name -> name.replace("aarch_64", "aarch64").contains(processor));
            assertThat(names).noneMatch(name -> name.startsWith("io/fanfare/bench/"));
        }
    }

    @Test
    void anArchiveHasSettingsUnitsLicencesAndAPageOfTheManualForEachCommand() throws IOException {
        assertThat(installed)
                .isDirectoryRecursivelyContaining("glob:**/config/fanfare.yaml")
                .isDirectoryRecursivelyContaining("glob:**/config/systemd/fanfare.service")
                .isDirectoryRecursivelyContaining("glob:**/config/proxy/Caddyfile")
                .isDirectoryRecursivelyContaining("glob:**/licenses/icu4j.txt")
                .isDirectoryRecursivelyContaining("glob:**/completion/fanfare.bash");
        try (Stream<Path> config = Files.list(Path.of("../config"))) {
            assertThat(config.map(path -> path.getFileName().toString()).filter(name -> !OF_MAINTAINERS.contains(name)))
                    .allSatisfy(name -> assertThat(installed.resolve("config").resolve(name))
                            .exists());
        }
        Set<String> pages = new TreeSet<>();
        for (String command : List.of("up", "admin-queue-stats", "doctor", "backup", "config-print")) {
            pages.add("fanfare-" + command + ".1");
        }
        assertThat(installed.resolve("man/man1").toFile().list())
                .containsAll(pages)
                .contains("fanfare.1");
    }

    /** The class path of this test has every library of the product. */
    @Test
    void theBillOfMaterialsListsEveryLibraryOfTheJar() throws IOException {
        JsonNode bill = JSON.readTree(installed.resolve("fanfare.cdx.json").toFile());
        Set<String> listed = new TreeSet<>();
        bill.path("components")
                .forEach(one -> listed.add(
                        one.path("name").asText() + "-" + one.path("version").asText()));
        List<String> libraries = Stream.of(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .map(path -> Path.of(path).getFileName().toString())
                .filter(name -> name.endsWith(".jar"))
                .map(name -> name.substring(0, name.length() - ".jar".length()))
                .filter(name -> !name.startsWith("fanfare"))
                .filter(
                        name -> !name.matches(
                                "(junit|vertx-junit5|awaitility|hamcrest|assertj|opentest4j|apiguardian|surefire|byte-buddy|picocli-codegen).*"))
                .toList();

        assertThat(libraries).hasSizeGreaterThan(40);
        assertThat(libraries).allSatisfy(library -> assertThat(listed)
                .anyMatch(each -> library.equals(each) || library.startsWith(each + "-")));
    }

    private static Path archive(String platform) throws IOException {
        try (Stream<Path> files = Files.list(TARGET)) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().endsWith("-" + platform + ".tar.gz"))
                    .toList();
            assertThat(found).as("archives of " + platform + " in " + TARGET).hasSize(1);
            return found.get(0);
        }
    }

    private static Path unpacked(String platform) throws Exception {
        Path folder = place.resolve(platform);
        if (!Files.exists(folder)) {
            Files.createDirectories(folder);
            Process tar = new ProcessBuilder(
                            "tar", "-x", "-f", archive(platform).toString(), "-C", folder.toString())
                    .inheritIO()
                    .start();
            assertThat(tar.waitFor()).isZero();
        }
        try (Stream<Path> roots = Files.list(folder)) {
            return roots.toList().get(0);
        }
    }

    private static Process fanfare(Path output, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(installed.resolve("fanfare").toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        // A runtime has java, and no javac.
        Path runtime = Files.createDirectories(place.resolve("runtime/bin"));
        Path java = runtime.resolve("java");
        if (!Files.exists(java)) {
            Files.writeString(
                    java, "#!/bin/sh\nexec " + Path.of(System.getProperty("java.home"), "bin", "java") + " \"$@\"\n");
            assertThat(java.toFile().setExecutable(true)).isTrue();
        }
        builder.environment().put("JAVA_HOME", runtime.getParent().toString());
        return builder.start();
    }

    private static String run(String... arguments) throws Exception {
        Path output = Files.createTempFile(place, "command", ".txt");
        Process process = fanfare(output, arguments);
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return text(output);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static JsonNode send(String base, String method, String path, String form, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(WAIT_MAX)
                .method(
                        method,
                        form.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(form));
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(path, e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static String await(String what, Callable<String> value) {
        return Awaitility.await(what)
                .atMost(WAIT_MAX)
                .pollInterval(Duration.ofMillis(100))
                .until(value, Objects::nonNull);
    }
}
