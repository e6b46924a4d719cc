package io.fanfare.junit5;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The class path of the server, and its loaded classes in a file, which halves the time of a start. The first start of
 * a version on a machine makes the file ({@code fanfare prepare}); the JVM ignores a file that does not fit it.
 */
final class KeptClasses {
    private static final String MAIN = "io/fanfare/app/Main.class";

    /** {@code prepare} gives up after two minutes by itself. */
    private static final long PREPARE_SECONDS_MAX = 150;

    private static final Duration KEPT = Duration.ofDays(30);

    private final List<Path> jars;

    KeptClasses() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<Path> all = Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(Files::exists)
                .toList();
        // The folders are those of the program under test. A build of Fanfare itself has its classes in folders, too.
        boolean ownBuild = all.stream().anyMatch(entry -> Files.exists(entry.resolve(MAIN)));
        this.jars = ownBuild ? all : all.stream().filter(Files::isRegularFile).toList();
    }

    String classPath() {
        return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
    }

    /** Options of the JVM; none when there is no file. */
    List<String> options(Path java) {
        // The JVM maps no classes when a folder is on the class path.
        if (jars.stream().anyMatch(Files::isDirectory)) {
            return List.of();
        }
        try {
            Path folder = Path.of(System.getProperty("user.home"), ".cache", "fanfare-junit5");
            Path file = folder.resolve(digest() + ".jsa");
            if (!Files.exists(file)) {
                Path unused = Files.createDirectories(folder);
                removeOld(folder);
                prepare(java, file);
            }
            return Files.exists(file)
                    ? List.of("-XX:SharedArchiveFile=" + file, "-Xshare:auto", "-Xlog:cds*=off", "-Xlog:class+path=off")
                    : List.of();
        } catch (IOException e) {
            // A home that cannot be written: starts take longer.
            return List.of();
        }
    }

    /** Files of 40 MB of former versions. */
    private static void removeOld(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (Files.getLastModifiedTime(file)
                        .toInstant()
                        .isBefore(Instant.now().minus(KEPT))) {
                    boolean unused = Files.deleteIfExists(file);
                }
            }
        }
    }

    private void prepare(Path java, Path file) throws IOException {
        Process process = new ProcessBuilder(
                        java.toString(), "-cp", classPath(), "io.fanfare.app.Main", "prepare", "--to", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            boolean unused = process.waitFor(PREPARE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Process unused = process.destroyForcibly();
        }
    }

    /** Another one for each JVM and each version of a jar. */
    private String digest() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((System.getProperty("java.home") + System.getProperty("java.vm.version"))
                    .getBytes(StandardCharsets.UTF_8));
            for (Path jar : jars) {
                BasicFileAttributes read = Files.readAttributes(jar, BasicFileAttributes.class);
                String line = jar + " " + read.size() + " " + read.lastModifiedTime();
                digest.update(line.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
