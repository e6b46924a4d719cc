package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A feature can be left out of a build: without its folder and its lines in the list of features, a module compiles.
 */
class LeftOutFeaturesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    Path output;

    @ParameterizedTest
    @CsvSource({
        "article, ArticleFeature",
        "export, ExportFeature",
        "media, MediaFeature",
        "push, PushFeature",
        "search, SearchFeature"
    })
    void theApiCompilesWithoutAFeature(String folder, String feature) throws IOException {
        assertThat(errorsWithout("api", "io/fanfare/api/ApiFeatures.java", "io/fanfare/api/" + folder, feature))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"media, MediaJobs", "push, PushJobs"})
    void theWorkerCompilesWithoutAFeature(String folder, String feature) throws IOException {
        assertThat(errorsWithout(
                        "worker", "io/fanfare/worker/WorkerFeatures.java", "io/fanfare/worker/" + folder, feature))
                .isEmpty();
    }

    @Test
    void aFeatureThatOthersNeedIsMissed() throws IOException {
        assertThat(errorsWithout("api", "io/fanfare/api/ApiFeatures.java", "io/fanfare/api/oauth", "OauthFeature"))
                .isNotEmpty();
    }

    /**
     * The errors of the compiler in a module without a folder, and without the lines of its list that name the feature.
     */
    private List<String> errorsWithout(String module, String list, String folder, String feature) throws IOException {
        Path sources = ROOT.resolve(module).resolve("src/main/java");
        Path leftOut = sources.resolve(folder);
        assertThat(leftOut).isDirectory();
        Path listed = sources.resolve(list);
        assertThat(Files.readString(listed)).contains("new " + feature + "(");

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null);
                Stream<Path> all = Files.walk(sources)) {
            List<Path> kept = all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.startsWith(leftOut) && !file.equals(listed))
                    .toList();
            List<JavaFileObject> units = new ArrayList<>();
            files.getJavaFileObjectsFromPaths(kept).forEach(units::add);
            units.add(new ListWithout(listed, feature));
            compiler.getTask(
                            null,
                            files,
                            found,
                            List.of("-proc:none", "-nowarn", "-d", output.toString(), "-cp", classPathWithout(module)),
                            null,
                            units)
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one -> one.toString().lines().findFirst().orElse(""))
                .toList();
    }

    /** The class path of this test, which has every module, without the module that is compiled. */
    private static String classPathWithout(String module) {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String place = ROOT.resolve(module) + File.separator;
        return Arrays.stream(whole.split(File.pathSeparator))
                .filter(path -> !path.startsWith(place) && !path.contains("fanfare-" + module + "-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The source of a list of features without the lines that name one. */
    private static final class ListWithout extends SimpleJavaFileObject {
        private final Path file;
        private final String feature;

        ListWithout(Path file, String feature) {
            super(URI.create("string:///" + file.getFileName()), Kind.SOURCE);
            this.file = file;
            this.feature = feature;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
            try (Stream<String> lines = Files.lines(file)) {
                return lines.filter(line -> !line.contains(feature + "(") && !line.endsWith("." + feature + ";"))
                        .collect(Collectors.joining("\n"));
            }
        }
    }
}
