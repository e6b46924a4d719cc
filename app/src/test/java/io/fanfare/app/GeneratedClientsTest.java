package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.embedded.PrivateFiles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that openapi-generator makes of /openapi.yaml compile whole, and read every answer to a person's usual
 * requests without a loss. What each does is in a script of ours, {@code src/test/clients/generated.*}; docs/clients.md
 * says what they need.
 */
@Tag("clients")
class GeneratedClientsTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final String PYTHON = "/usr/bin/python3";

    /** The clients profile of pom.xml copies the generator there, and what a generated Java client needs. */
    private static final Path GENERATOR =
            Path.of("target/generator/openapi-generator-cli.jar").toAbsolutePath();

    private static final String LIBRARIES = GENERATOR.resolveSibling("java") + "/*";

    @TempDir
    static Path dir;

    private static FanfareProcess up;

    @BeforeAll
    static void start() {
        up = FanfareProcess.up(dir.resolve("data"), "--set", "limits.enabled=false");
    }

    @AfterAll
    static void stop() {
        up.close();
    }

    @Test
    void typeScript() throws Exception {
        Path folder = generate("typescript", "typescript-fetch", "--additional-properties=importFileExtension=.js");
        ClientScripts.copy(folder, "generated.ts", "checks.mjs", "tsconfig.json");
        Path compiler = ClientScripts.node(dir).resolve("node_modules/typescript/bin/tsc");
        ClientScripts.run(dir, "tsc", folder, "node", compiler.toString());
        assertThat(script("typescript", folder, "node", "compiled/generated.js"))
                .isGreaterThanOrEqualTo(90);
    }

    @Test
    void python() throws Exception {
        String version =
                ClientScripts.run(dir, "pydantic", dir, PYTHON, "-c", "import pydantic; print(pydantic.VERSION)");
        boolean old = version.startsWith("1.");
        Path folder = generate("python", old ? "python-pydantic-v1" : "python", "--package-name=fanfare_client");
        ClientScripts.copy(folder, "generated.py", "checks.py");
        if (old) {
            ClientScripts.copy(folder, "aenum.py");
        }
        assertThat(script("python", folder, PYTHON, "-B", "generated.py")).isGreaterThanOrEqualTo(96);
    }

    @Test
    void java() throws Exception {
        Path folder = generate(
                "java",
                "java",
                "--library=native",
                "--invoker-package=fanfare.client",
                "--api-package=fanfare.client.api",
                "--model-package=fanfare.client.model",
                "--additional-properties=containerDefaultToNull=true");
        ClientScripts.copy(folder, "Generated.java");
        List<String> sources = new ArrayList<>(List.of("Generated.java"));
        try (Stream<Path> all = Files.walk(folder.resolve("client/src/main/java"))) {
            all.filter(path -> path.toString().endsWith(".java"))
                    .map(path -> folder.relativize(path).toString())
                    .forEach(sources::add);
        }
        Files.write(folder.resolve("sources"), sources);
        ClientScripts.run(
                dir, "javac", folder, JAVA + "c", "-proc:none", "-cp", LIBRARIES, "-d", "classes", "@sources");
        assertThat(script("java", folder, JAVA, "-cp", "classes:" + LIBRARIES, "Generated"))
                .isGreaterThanOrEqualTo(95);
    }

    /**
     * A folder in which the folder client is what was generated; it stays for whoever looks for the cause of a failure.
     */
    private static Path generate(String language, String generator, String... options) throws Exception {
        Path folder = ClientScripts.node(dir).resolve("generated").resolve(language);
        PrivateFiles.remove(folder);
        Files.createDirectories(folder);
        List<String> line = new ArrayList<>(List.of(
                JAVA,
                "-jar",
                GENERATOR.toString(),
                "generate",
                "--input-spec=" + up.runtime().httpUrl() + "/openapi.yaml",
                "--generator-name=" + generator,
                "--output=client",
                "--openapi-normalizer=REF_AS_PARENT_IN_ALLOF=true",
                "--global-property=apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"));
        line.addAll(List.of(options));
        ClientScripts.run(dir, "generate-" + language, folder, line.toArray(String[]::new));
        return folder;
    }

    /** Runs a script for two people, whom it signs up; how many checks it made, all of which held. */
    private static int script(String language, Path folder, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(
                URI.create(up.runtime().httpUrl()).getAuthority(),
                "ann_" + language,
                "bob_" + language,
                Client.PASSWORD));
        return ClientScripts.checks(language, ClientScripts.run(dir, language, folder, line.toArray(String[]::new)));
    }
}
