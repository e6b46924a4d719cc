package io.fanfare.redis.embedded;

import io.fanfare.failure.Reason;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

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
    private static final Logger log = LoggerFactory.getLogger(ServerBinary.class);
    static final String BUNDLED_VERSION = "7.0.15";

    /** SHA-256 of the bundled programs: what is run is what this release was made with. */
    private static final Map<String, String> DIGESTS = Map.of(
            "linux-amd64", "c0cdeef856b3410fd99d6ec6fc6a20302e69059b00ce5d6abab7b3e5069ea91e",
            "linux-arm64", "d5c7ff117caf45d7dc2f59c1f956e1830438779947d66aa5647c2cdcc16eca50",
            "darwin-amd64", "e22a3d9147802bba0724efb2e446c49e1e514e76ff8031bb6d44b8628400d8f3",
            "darwin-arm64", "07838a2eb6f5961c89d8e6f1f83482de355dfc6bb04e05bfb00ae1f137dee129");

    private static final Pattern VERSION_LINE =
            Pattern.compile("(?i)(\\w+) server v=(\\d+)([.\\w-]*).*?malloc=(\\S+).*");

    /**
     * The first valkey-server or redis-server of at least 7.0 on the PATH, else the bundled one; an
     * {@link IllegalStateException} says what is missing.
     */
    public static ServerBinary find() {
        return onPath("valkey-server").or(() -> onPath("redis-server")).orElseGet(ServerBinary::bundledOne);
    }

    /** This program; an {@link IllegalStateException} when it does not start or is older than 7.0. */
    public static ServerBinary at(Path program) {
        return inspect(program, false)
                .orElseThrow(() ->
                        new IllegalStateException(program + " is no redis-server or valkey-server of at least 7.0"));
    }

    /**
     * The program that comes with the class path (org.signal:embedded-redis), copied once to {@code ~/.cache/fanfare}.
     */
    public static ServerBinary bundledOne() {
        String platform = platform();
        Path program = unpack("redis-server-" + BUNDLED_VERSION + "-" + platform, DIGESTS.get(platform), cacheDir());
        return inspect(program, true)
                .orElseThrow(() -> new IllegalStateException(
                        program + " does not run on this machine: install redis-server or valkey-server 7.0 or newer"));
    }

    /** Says in the log what is known against it: a warning where somebody must act. */
    public void logVulnerabilities() {
        ServerHoles.of(this).ifPresent(holes -> log.atLevel(ServerHoles.isOpen(this) ? Level.WARN : Level.INFO)
                .log("redis-server program={}: {}", this, holes));
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

    /**
     * Writes the program into the folder and returns its path. A file with other bytes is replaced: the program runs
     * with the rights of the service.
     */
    static Path unpack(String name, String digest, Path dir) {
        try (InputStream in = ServerBinary.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "no redis-server or valkey-server of at least 7.0 on the PATH, and none is bundled here: install one, or set redis.url");
            }
            Path program = dir.resolve(name);
            if (!Files.isExecutable(program) || !digest.equals(sha256(program))) {
                Path part = Files.createTempFile(
                        dir,
                        name,
                        ".part",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
                if (!digest.equals(sha256(part))) {
                    Files.delete(part);
                    throw new IllegalStateException(
                            "the bundled " + name
                                    + " is not the one that this release was made with (its SHA-256 differs): get the jar again, or install redis-server or valkey-server");
                }
                // Atomic, so that processes which start at the same time never run half a file.
                Files.move(part, program, StandardCopyOption.ATOMIC_MOVE);
            }
            return program;
        } catch (IOException e) {
            throw new IllegalStateException("cannot unpack the bundled redis-server: " + Reason.of(e), e);
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The JVM reports {@code ?} as the home of a user without an entry in /etc/passwd, as in a container. */
    private static String home() {
        String home = System.getProperty("user.home");
        String environment = System.getenv("HOME");
        return "?".equals(home) && environment != null ? environment : home;
    }

    /** A directory that only this user can write to: what is run from it must be ours. */
    private static Path cacheDir() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path dir = cache == null || cache.isEmpty() ? Path.of(home(), ".cache", "fanfare") : Path.of(cache, "fanfare");
        try {
            Files.createDirectories(dir);
            Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
            return dir;
        } catch (IOException e) {
            try {
                return Files.createTempDirectory("fanfare-redis");
            } catch (IOException neither) {
                throw new IllegalStateException("there is no folder to unpack the bundled redis-server in: " + neither);
            }
        }
    }
}
