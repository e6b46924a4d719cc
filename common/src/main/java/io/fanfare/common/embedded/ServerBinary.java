package io.fanfare.common.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A redis-server program that can be started here.
 *
 * @param path the executable
 * @param product {@code Redis} or {@code Valkey}
 * @param version as the program says, for example {@code 7.0.15}
 * @param allocator for example {@code jemalloc-5.3.0}; with {@code libc} reads run at about half the speed
 * @param bundled whether it came with the jar and not from the machine
 */
public record ServerBinary(Path path, String product, String version, String allocator, boolean bundled) {
    private static final String BUNDLED_VERSION = "7.0.15";
    private static final Pattern VERSION_LINE =
            Pattern.compile("(?i)(\\w+) server v=(\\d+)([.\\w-]*).*?malloc=(\\S+).*");

    /** The first valkey-server or redis-server of at least 7.0 on the PATH, else the bundled one; an {@link IllegalStateException} says what is missing. */
    public static ServerBinary find() {
        return onPath("valkey-server").or(() -> onPath("redis-server")).orElseGet(ServerBinary::bundledOne);
    }

    /** This program; an {@link IllegalStateException} when it does not start or is older than 7.0. */
    public static ServerBinary at(Path program) {
        return inspect(program, false)
                .orElseThrow(() ->
                        new IllegalStateException(program + " is no redis-server or valkey-server of at least 7.0"));
    }

    /** The program that comes with the class path (org.signal:embedded-redis), copied once to {@code ~/.cache/fanfare}. */
    public static ServerBinary bundledOne() {
        String name = "redis-server-" + BUNDLED_VERSION + "-" + platform();
        Path program = unpack(name);
        return inspect(program, true)
                .orElseThrow(() -> new IllegalStateException(
                        program + " does not run on this machine: install redis-server or valkey-server 7.0 or newer"));
    }

    @Override
    public String toString() {
        return product + " " + version + " (" + allocator + (bundled ? ", bundled" : ", " + path) + ")";
    }

    private static Optional<ServerBinary> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String dir : path.split(File.pathSeparator, -1)) {
            Path candidate = Path.of(dir).resolve(program);
            if (!dir.isEmpty() && Files.isExecutable(candidate)) {
                return inspect(candidate, false);
            }
        }
        return Optional.empty();
    }

    /** Empty when the program does not start, or is older than 7.0. */
    private static Optional<ServerBinary> inspect(Path program, boolean bundled) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                String line = out.readLine();
                Matcher matcher = VERSION_LINE.matcher(line == null ? "" : line);
                if (!process.waitFor(5, TimeUnit.SECONDS)
                        || !matcher.matches()
                        || Integer.parseInt(matcher.group(2)) < 7) {
                    return Optional.empty();
                }
                return Optional.of(new ServerBinary(
                        program, matcher.group(1), matcher.group(2) + matcher.group(3), matcher.group(4), bundled));
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch");
        return switch (arch) {
            case "amd64", "x86_64" -> os + "-amd64";
            case "aarch64", "arm64" -> os + "-arm64";
            default ->
                throw new IllegalStateException(
                        "no bundled Redis for " + arch + ": install redis-server or valkey-server 7.0 or newer");
        };
    }

    private static Path unpack(String name) {
        try (InputStream in = ServerBinary.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "no redis-server or valkey-server of at least 7.0 on the PATH, and none is bundled here: install one, or set redis.url");
            }
            Path dir = cacheDir();
            Path program = dir.resolve(name);
            if (!Files.isExecutable(program)) {
                Path part = Files.createTempFile(
                        dir,
                        name,
                        ".part",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
                // Atomic, so that processes which start at the same time never run half a file.
                Files.move(part, program, StandardCopyOption.ATOMIC_MOVE);
            }
            return program;
        } catch (IOException e) {
            throw new IllegalStateException("cannot unpack the bundled redis-server: " + e, e);
        }
    }

    /** A directory that only this user can write to: what is run from it must be ours. */
    private static Path cacheDir() throws IOException {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path dir = cache == null || cache.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache", "fanfare")
                : Path.of(cache, "fanfare");
        try {
            Files.createDirectories(dir);
            Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
            return dir;
        } catch (IOException e) {
            return Files.createTempDirectory("fanfare-redis");
        }
    }
}
