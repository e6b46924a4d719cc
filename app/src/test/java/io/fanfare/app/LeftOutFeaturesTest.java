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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A feature can be left out of a build: without its folders and its lines in the lists, {@code api}, {@code worker} and
 * {@code app} compile. So no other feature names a class of it.
 *
 * <p>A source that names no class and no package of the feature compiles as it did, unless it uses another one that
 * does not compile any more, which does name them. So only the sources that name one are compiled, with the classes of
 * the others.
 */
@Tag("programs")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LeftOutFeaturesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final List<String> MODULES = List.of("api", "worker", "app");

    private static final List<Source> SOURCES = sources();

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

        private boolean contains(Source source) {
            return Stream.of(paths.split(" "))
                    .anyMatch(own -> own.endsWith("/")
                            ? source.path().startsWith(own)
                            : source.path().equals(own));
        }
    }

    /** A source file of the modules, by its path below their source folders. */
    private record Source(String path, String text) {
        private String type() {
            return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
        }

        private String inPackage() {
            return path.substring(0, path.lastIndexOf('/')).replace('/', '.');
        }

        private String name() {
            return inPackage() + "." + type();
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
        assertThat(errorsWithout(feature::contains))
                .as("errors without %s: pass what others need through ApiLoop or a method of ApiFeature", feature)
                .isEmpty();
    }

    /** Else the tests of the others prove nothing. */
    @Test
    void aBuildWithoutAFeatureThatOthersNeedDoesNotCompile() throws IOException {
        assertThat(errorsWithout(source -> source.path().startsWith("io/fanfare/api/oauth/")))
                .isNotEmpty();
    }

    private static List<String> errorsWithout(Predicate<Source> feature) throws IOException {
        List<Source> own = SOURCES.stream().filter(feature).toList();
        assertThat(own).as("files of the feature").isNotEmpty();
        List<Source> others = SOURCES.stream().filter(feature.negate()).toList();
        Set<String> remaining = others.stream().map(Source::inPackage).collect(Collectors.toSet());
        Stream<String> packages =
                own.stream().map(Source::inPackage).distinct().filter(name -> !remaining.contains(name));
        Pattern types = words(own.stream().map(Source::type));
        Pattern names = words(Stream.concat(own.stream().map(Source::type), packages));
        List<Source> affected = others.stream()
                .filter(source -> names.matcher(source.text()).find())
                .map(source -> LISTS.contains(source.path()) ? without(source, types) : source)
                .toList();
        assertThat(affected).as("files that name the feature").isNotEmpty();
        return errors(affected, own.stream().map(Source::name).collect(Collectors.toSet()));
    }

    private static Pattern words(Stream<String> words) {
        return Pattern.compile(words.map(Pattern::quote).collect(Collectors.joining("|", "\\b(?:", ")\\b")));
    }

    /** The list without the lines that name a class of the feature. */
    private static Source without(Source list, Pattern types) {
        String text =
                list.text().lines().filter(line -> !types.matcher(line).find()).collect(Collectors.joining("\n"));
        return new Source(list.path(), text);
    }

    private static List<Source> sources() {
        List<Source> sources = new ArrayList<>();
        for (String module : MODULES) {
            Path folder = ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> sources.add(read(folder, file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(sources);
    }

    private static Source read(Path folder, Path file) {
        try {
            String path = folder.relativize(file).toString().replace(File.separatorChar, '/');
            return new Source(path, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The errors of a compilation, which writes no file and does not find the classes that are missing. */
    private static List<String> errors(List<Source> sources, Set<String> missing) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-implicit:none",
                    "-nowarn",
                    "--release",
                    "17",
                    "-classpath",
                    System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            null,
                            new Without(files, missing),
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

    /** Files without some classes and those inside them; drops the classes that are made. */
    private static final class Without extends ForwardingJavaFileManager<JavaFileManager> {
        private final Set<String> missing;

        Without(JavaFileManager files, Set<String> missing) {
            super(files);
            this.missing = missing;
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            Iterable<JavaFileObject> all = super.list(location, packageName, kinds, recurse);
            return StreamSupport.stream(all.spliterator(), false)
                    .filter(file -> {
                        String name = inferBinaryName(location, file);
                        return name == null || !missing.contains(name.split("\\$", 2)[0]);
                    })
                    .toList();
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
