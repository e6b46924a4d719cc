package io.fanfare.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each module that a program may use has the files that Maven's repositories want. */
class PublishedModulesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>([\\w/]+)</module>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>fanfare-(\\w+)</artifactId>");

    @Test
    void eachModuleHasItsJarItsSourcesAndItsJavadoc() throws IOException {
        for (Map.Entry<String, Path> module : published().entrySet()) {
            String name = "fanfare-" + module.getKey() + "-" + version(ROOT.resolve("pom.xml"));
            Path target = module.getValue().resolve("target");
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
        assertThat(listed).isEqualTo(published().keySet());
        assertThat(version(bom)).isEqualTo(version(ROOT.resolve("pom.xml")));
    }

    /** The folders of the modules by their names, but for those that are not published, and for the BOM. */
    private static Map<String, Path> published() throws IOException {
        Matcher module = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
        Map<String, Path> published = new TreeMap<>();
        while (module.find()) {
            Path folder = ROOT.resolve(module.group(1));
            String own = Files.readString(folder.resolve("pom.xml"));
            Matcher artifact = ARTIFACT.matcher(own);
            if (artifact.find() && !own.contains("<maven.deploy.skip>true")) {
                Path unused = published.put(artifact.group(1), folder);
            }
        }
        assertThat(published.keySet())
                .contains("redis", "app", "client", "junit5")
                .doesNotContain("bench", "bom");
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
