package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.ClassPath.Artifact;
import io.fanfare.redis.embedded.ServerBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares NOTICE with the libraries that the jar bundles. */
class NoticeTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern LINE = Pattern.compile("^(\\S+:\\S+) +([A-Z]\\S+) +(\\S.*)$", Pattern.MULTILINE);
    private static final Pattern TEXT = Pattern.compile("[Tt]ext (\\w+\\.txt)");

    /** On the class path of the tests, or of the compiler, and not in the jar. */
    private static final List<String> NOT_BUNDLED = List.of(
            "com.ethlo.time:itu",
            "com.google.errorprone:error_prone_annotations",
            "com.networknt:json-schema-validator",
            "com.tngtech.archunit:archunit*",
            "net.bytebuddy:byte-buddy",
            "org.apiguardian:apiguardian-api",
            "org.assertj:assertj-core",
            "org.awaitility:awaitility",
            "org.hamcrest:hamcrest",
            "org.junit.*:junit-*",
            "org.opentest4j:opentest4j");

    @Test
    void everyBundledArtifactHasALine() throws IOException {
        List<String> listed = new ArrayList<>(listed());
        listed.addAll(NOT_BUNDLED);
        assertThat(ClassPath.artifacts())
                .as("artifacts of the class path without a line in NOTICE")
                .hasSizeGreaterThan(50)
                .filteredOn(artifact -> listed.stream().noneMatch(artifact::is))
                .isEmpty();
    }

    @Test
    void everyLineNamesAnArtifactOfTheClassPath() throws IOException {
        List<Artifact> artifacts = ClassPath.artifacts();
        assertThat(listed())
                .as("lines of NOTICE without an artifact of the class path")
                .hasSizeGreaterThan(20)
                .doesNotHaveDuplicates()
                .filteredOn(line -> artifacts.stream().noneMatch(artifact -> artifact.is(line)))
                .isEmpty();
    }

    @Test
    void theTextsThatAreNamedAreThoseOfTheFolder() throws IOException {
        List<String> named = TEXT.matcher(notice())
                .results()
                .map(text -> text.group(1))
                .distinct()
                .toList();
        try (Stream<Path> files = Files.list(ROOT.resolve("licenses"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    @Test
    void theBundledServerIsTheOneThatIsNamed() throws IOException {
        assertThat(notice())
                .contains("redis-server " + ServerBinary.bundledOne().version() + ".");
    }

    private static List<String> listed() throws IOException {
        return LINE.matcher(notice()).results().map(line -> line.group(1)).toList();
    }

    private static String notice() throws IOException {
        return Files.readString(ROOT.resolve("NOTICE"));
    }
}
