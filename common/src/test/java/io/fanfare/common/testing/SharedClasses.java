package io.fanfare.common.testing;

import io.fanfare.redis.embedded.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Class path and archived classes of the Java processes that tests start. Most of what a short-lived process costs is
 * loading classes; from the archive, which a trial run writes as it ends, that takes half the time. The JVM takes no
 * archive where a folder is on the class path, so each folder becomes a jar first.
 *
 * <p>Made under {@code target}, once for these classes, by the first test that needs it: those of other JVMs wait for
 * it. Where it cannot be made, processes start without it.
 */
public final class SharedClasses {
    /** In the arguments of a trial: a folder of its own. */
    public static final String DATA = "{data}";

    /** Far beyond what the trial takes, since test machines may be busy. */
    private static final long TRIAL_MAX_SECONDS = 120;

    private static final ToolProvider JAR = ToolProvider.findFirst("jar").orElseThrow();

    /** The files that make a jar signed: without one, the digests in its manifest are not looked at. */
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");

    private static final Path FOLDER = Path.of("target", "shared-classes").toAbsolutePath();

    private final Path made;

    private SharedClasses(Path made) {
        this.made = made;
    }

    /**
     * The shared classes of this module's class path.
     *
     * @param name of the archive, one for each trial
     * @param java options of the trial; other processes should have the same garbage collector
     * @param trial main class and arguments of a run that ends by itself; {@link #DATA} stands for a folder
     */
    public static synchronized SharedClasses of(String name, List<String> java, List<String> trial) {
        List<Path> classPath = classPath();
        Path made = FOLDER.resolve(name + "-" + digest(classPath));
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel file = FileChannel.open(
                            FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                if (lock.isValid() && !Files.exists(made.resolve("complete"))) {
                    removeFormer(name);
                    make(made, classPath, java, trial);
                    Files.createFile(made.resolve("complete"));
                }
            }
            return new SharedClasses(made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Options of java: the class path, and the archive if there is one. A JVM that it does not suit ignores it. */
    public List<String> options() {
        return Stream.concat(withArchive(), Stream.of("-cp", read(made.resolve("path"))))
                .toList();
    }

    private Stream<String> withArchive() {
        Path archive = archive(made);
        return Files.exists(archive)
                ? Stream.of(
                        "-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds*=off", "-Xlog:class+path=off")
                : Stream.empty();
    }

    private static Path archive(Path made) {
        return made.resolve("classes.jsa");
    }

    private static List<Path> classPath() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        // An empty entry would be the working folder, in which this writes.
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    /** Another one after each change of a class, a library or the JVM. */
    private static String digest(List<Path> classPath) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(System.getProperty("java.home").getBytes(StandardCharsets.UTF_8));
            digest.update(System.getProperty("java.vm.version").getBytes(StandardCharsets.UTF_8));
            for (Path entry : classPath) {
                for (Path file : filesOf(entry)) {
                    BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
                    String line = file + " " + read.size() + " " + read.lastModifiedTime();
                    digest.update(line.getBytes(StandardCharsets.UTF_8));
                }
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A jar itself, or all files of a folder, in an order that is always the same. */
    private static List<Path> filesOf(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void removeFormer(String name) throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            for (Path former : all.filter(
                            folder -> folder.getFileName().toString().startsWith(name + "-"))
                    .toList()) {
                PrivateFiles.remove(former);
            }
        }
    }

    private static void make(Path made, List<Path> classPath, List<String> java, List<String> trial)
            throws IOException {
        Files.createDirectories(made);
        List<String> jars = new ArrayList<>();
        for (Path entry : classPath) {
            Path own = made.resolve(jars.size() + ".jar");
            jars.add(
                    Files.isDirectory(entry)
                            ? jar(entry, own)
                            : unsigned(entry, own).toString());
        }
        String path = String.join(File.pathSeparator, jars);
        Files.writeString(made.resolve("path"), path);
        Path data = made.resolve("data");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(java);
        line.addAll(List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + archive(made), "-cp", path));
        line.addAll(trial.stream()
                .map(argument -> argument.equals(DATA) ? data.toString() : argument)
                .toList());
        if (!run(line, made.resolve("trial.log"))) {
            boolean unused = Files.deleteIfExists(archive(made));
        }
        PrivateFiles.remove(data);
    }

    /** False when it has failed: then what there is of an archive is not whole. */
    private static boolean run(List<String> line, Path output) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("FANFARE_"));
        Process process = builder.start();
        try {
            boolean done = process.waitFor(TRIAL_MAX_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            if (!done) {
                System.out.println("processes start without archived classes, for want of a trial: " + read(output));
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Not compressed: that would cost more than it saves. */
    private static String jar(Path folder, Path jar) {
        int failed = JAR.run(System.out, System.err, "cfM0", jar.toString(), "-C", folder.toString(), ".");
        if (failed != 0) {
            throw new IllegalStateException("no jar can be made of " + folder);
        }
        return jar.toString();
    }

    /**
     * A copy without signatures of a jar that has some, as the jar of the service has none; otherwise the jar itself.
     * Each process would check them, and classes from a signed jar are in no archive.
     */
    private static Path unsigned(Path jar, Path copy) throws IOException {
        try (ZipFile from = new ZipFile(jar.toFile())) {
            if (from.stream().noneMatch(entry -> isSignature(entry.getName()))) {
                return jar;
            }
            try (ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(copy))) {
                to.setLevel(Deflater.NO_COMPRESSION);
                for (ZipEntry entry : Collections.list(from.entries())) {
                    if (!isSignature(entry.getName())) {
                        to.putNextEntry(new ZipEntry(entry.getName()));
                        try (InputStream in = from.getInputStream(entry)) {
                            long unused = in.transferTo(to);
                        }
                        to.closeEntry();
                    }
                }
            }
            return copy;
        }
    }

    private static boolean isSignature(String entry) {
        return SIGNATURE.matcher(entry).matches();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
