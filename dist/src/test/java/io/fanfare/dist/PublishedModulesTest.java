package io.fanfare.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each module that a program may use has the files that Maven's repositories want. */
class PublishedModulesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>(\\w+)</module>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    @Test
    void eachModuleHasItsJarItsSourcesAndItsJavadoc() throws IOException {
        for (String module : published()) {
            String name = "fanfare-" + module + "-" + version(ROOT.resolve("pom.xml"));
            Path target = ROOT.resolve(module).resolve("target");
            assertThat(entries(target.resolve(name + ".jar"))).anyMatch(entry -> entry.endsWith(".class"));
            assertThat(entries(target.resolve(name + "-sources.jar"))).anyMatch(entry -> entry.endsWith(".java"));
            assertThat(entries(target.resolve(name + "-javadoc.jar"))).contains("index.html");
        }
    }

    @Test
    void theBomListsEachModuleAndHasTheVersionOfTheBuild() throws IOException {
        Path bom = Path.of("bom/pom.xml");
        Set<String> listed = new TreeSet<>();
        Matcher artifact = Pattern.compile("<artifactId>fanfare-(\\w+)</artifactId>\\s*<version>\\$\\{project.version}")
                .matcher(Files.readString(bom));
        while (artifact.find()) {
            listed.add(artifact.group(1));
        }
        assertThat(listed).isEqualTo(published());
        assertThat(version(bom)).isEqualTo(version(ROOT.resolve("pom.xml")));
    }

    /** The modules of every build, but for those that are not published. */
    private static Set<String> published() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        Matcher module = MODULE.matcher(pom.substring(0, pom.indexOf("</modules>")));
        Set<String> published = new TreeSet<>();
        while (module.find()) {
            String own = Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml"));
            if (!own.contains("<maven.deploy.skip>true")) {
                published.add(module.group(1));
            }
        }
        assertThat(published).contains("redis", "app").doesNotContain("bench");
        return published;
    }

    private static String version(Path pom) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(pom));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private static Set<String> entries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Set<String> names = new TreeSet<>();
            file.stream().forEach(entry -> names.add(entry.getName()));
            return names;
        }
    }
}
