package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A feature can be left out of a build: without its folders and its lines in the lists, {@code api}, {@code worker} and
 * {@code app} compile. So no other feature names a class of it.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LeftOutFeaturesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final List<String> MODULES = List.of("api", "worker", "app");

    /** Files that name features, one in a line. Nothing else of a feature may be in them. */
    private static final Set<String> LISTS = Set.of(
            "io/fanfare/api/ApiFeatures.java",
            "io/fanfare/worker/WorkerFeatures.java",
            "io/fanfare/app/ManagementSites.java",
            "io/fanfare/app/console/ConsoleFeatures.java",
            "io/fanfare/app/AdminCommand.java",
            "io/fanfare/app/AdminAccountsCommand.java",
            "io/fanfare/app/DoctorCommand.java");

    /** The features, with what belongs to them: folders end with a slash, files with {@code .java}. */
    private enum Feature {
        ARTICLES("io/fanfare/api/article/"),
        CHALLENGE("io/fanfare/api/challenge/"),
        SEARCH("io/fanfare/api/search/", "io/fanfare/app/AdminSearchCommand.java"),
        EXPORT(
                "io/fanfare/api/export/",
                "io/fanfare/app/AdminAccountsExportCommand.java",
                "io/fanfare/app/ExportRun.java"),
        FACTOR("io/fanfare/api/factor/", "io/fanfare/app/AdminAccountsFactorCommand.java"),
        HELD(
                "io/fanfare/api/held/",
                "io/fanfare/worker/held/",
                "io/fanfare/app/AdminHeldCommand.java",
                "io/fanfare/app/operate/HeldReport.java",
                "io/fanfare/app/console/HeldOperations.java"),
        MAIL(
                "io/fanfare/api/mail/",
                "io/fanfare/worker/mail/",
                "io/fanfare/app/AdminMailCommand.java",
                "io/fanfare/app/MailExam.java"),
        MEDIA("io/fanfare/api/media/", "io/fanfare/worker/media/"),
        MODERATION(
                "io/fanfare/api/moderation/",
                "io/fanfare/app/AdminAppealsCommand.java",
                "io/fanfare/app/operate/AppealReport.java",
                "io/fanfare/app/console/AppealOperations.java"),
        SITE(
                "io/fanfare/api/site/",
                "io/fanfare/app/SiteCommand.java",
                "io/fanfare/app/AdminRulesCommand.java",
                "io/fanfare/app/AdminTextsCommand.java",
                "io/fanfare/app/AdminAnnouncementsCommand.java"),
        SITE_BLOCKS(
                "io/fanfare/api/siteblock/",
                "io/fanfare/app/AdminBlocksCommand.java",
                "io/fanfare/app/operate/BlockReport.java",
                "io/fanfare/app/console/BlockOperations.java"),
        PUSH("io/fanfare/api/push/", "io/fanfare/worker/push/"),
        CONSOLE("io/fanfare/app/console/");

        private final String paths;

        Feature(String... paths) {
            this.paths = String.join(" ", paths);
        }

        private boolean has(String path) {
            return Stream.of(paths.split(" "))
                    .anyMatch(own -> own.endsWith("/") ? path.startsWith(own) : path.equals(own));
        }
    }

    /** A source file of the modules, by its path below their source folders. */
    private record Source(String path, String text) {
        private String type() {
            return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
        }

        private JavaFileObject file() {
            return new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return text;
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Feature.class)
    void aBuildWithoutTheFeatureCompiles(Feature feature) throws IOException {
        List<Source> sources = sources();
        List<Source> own =
                sources.stream().filter(source -> feature.has(source.path())).toList();
        assertThat(own).as("files of %s", feature).isNotEmpty();
        List<Source> kept = sources.stream()
                .filter(source -> !feature.has(source.path()))
                .map(source -> LISTS.contains(source.path()) ? without(source, own) : source)
                .toList();

        assertThat(errors(kept))
                .as("errors without %s: pass what others need through ApiLoop or a method of ApiFeature", feature)
                .isEmpty();
    }

    /** Else the tests of the others prove nothing. */
    @Test
    void aBuildWithoutAFeatureThatOthersNeedDoesNotCompile() throws IOException {
        List<Source> kept = sources().stream()
                .filter(source -> !source.path().startsWith("io/fanfare/api/oauth/"))
                .toList();

        assertThat(errors(kept)).isNotEmpty();
    }

    /** The list without the lines that name a class of the feature. */
    private static Source without(Source list, List<Source> own) {
        Pattern names =
                Pattern.compile("\\b(?:" + own.stream().map(Source::type).collect(Collectors.joining("|")) + ")\\b");
        String text =
                list.text().lines().filter(line -> !names.matcher(line).find()).collect(Collectors.joining("\n"));
        return new Source(list.path(), text);
    }

    private static List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (String module : MODULES) {
            Path folder = ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> sources.add(read(folder, file)));
            }
        }
        return sources;
    }

    private static Source read(Path folder, Path file) {
        try {
            String path = folder.relativize(file).toString().replace(File.separatorChar, '/');
            return new Source(path, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The errors of a compilation, which writes no file. */
    private static List<String> errors(List<Source> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            List<String> options =
                    List.of("-proc:none", "-implicit:none", "-nowarn", "--release", "17", "-classpath", classPath());
            boolean compiled = compiler.getTask(
                            null,
                            new Discarding(files),
                            found,
                            options,
                            null,
                            sources.stream().map(Source::file).toList())
                    .call();
            List<String> errors = found.getDiagnostics().stream()
                    .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                    .map(diagnostic -> diagnostic.toString())
                    .toList();
            assertThat(compiled).as("the compiler's answer: %s", errors).isEqualTo(errors.isEmpty());
            return errors;
        }
    }

    /** That of this test without the classes of the modules that are compiled here. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> MODULES.stream().noneMatch(module -> isOf(module, Path.of(entry))))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOf(String module, Path entry) {
        return entry.toAbsolutePath().startsWith(ROOT.resolve(module).resolve("target"))
                || entry.getFileName().toString().startsWith("fanfare-" + module + "-");
    }

    /** Drops the classes. */
    private static final class Discarding extends ForwardingJavaFileManager<JavaFileManager> {
        Discarding(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(
                    URI.create("string:///" + className.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return OutputStream.nullOutputStream();
                }
            };
        }
    }
}
