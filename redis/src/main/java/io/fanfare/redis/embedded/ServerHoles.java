package io.fanfare.redis.embedded;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which servers have published holes, as known on {@value #AS_OF}: of each line that still gets fixes the oldest
 * release that has them all. By their release notes; a release of Fanfare brings this up to date (docs/operate/jar.md).
 */
final class ServerHoles {
    static final String AS_OF = "2026-11-22";

    /**
     * CVE-2026-23479, -25243 and -23631 (May 2026), and what was mended before: CVE-2025-49844, -46817, -46818, -46819,
     * CVE-2024-46981, -31449.
     */
    private static final List<String> REDIS = List.of("7.4.9", "8.2.6", "8.4.3", "8.6.3");

    /** CVE-2026-56684 and -63639 (July 2026), and what was mended before. */
    private static final List<String> VALKEY = List.of("8.0.11", "8.1.9", "9.0.5", "9.1.1");

    private static final List<Path> OF_DISTRIBUTION = List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"));

    private ServerHoles() {}

    /** The known vulnerabilities of a server, as a sentence for the log at its start; empty when none is known. */
    static Optional<String> of(ServerBinary program) {
        List<String> fixed = program.product().equalsIgnoreCase("Valkey") ? VALKEY : REDIS;
        if (isAtLeast(program.version(), fixed)) {
            return Optional.empty();
        }
        String advice = "install " + fixed.get(fixed.size() - 1) + " of " + program.product()
                + ", or one that your system keeps patched (Debian and Ubuntu: apt-get install redis-server or valkey-server); fanfare takes it from the PATH";
        if (program.bundled()) {
            return Optional.of(
                    "the bundled redis-server has published holes, open since 2024: those in its Lua (CVE-2024-31449, CVE-2024-46981, CVE-2025-46817, CVE-2025-46818, CVE-2025-46819, CVE-2025-49844, CVE-2026-23631) take a user who may load scripts, which the service's may not; others too. No newer one can be bundled: "
                            + advice);
        }
        return Optional.of("this version had published holes when it was released: "
                + (isOfDistribution(program.path())
                        ? "systems patch it without another version, so ask your system whether it is up to date (Debian and Ubuntu: apt-get install --only-upgrade redis-server valkey-server)"
                        : advice));
    }

    /** Whether a message is worth a warning: a system's own program is probably patched. */
    static boolean isOpen(ServerBinary program) {
        return program.bundled() || !isOfDistribution(program.path());
    }

    private static boolean isOfDistribution(Path program) {
        return OF_DISTRIBUTION.contains(program.toAbsolutePath().normalize().getParent());
    }

    /** Whether the version has the fix of its own line, or belongs to a line newer than all of those. */
    private static boolean isAtLeast(String version, List<String> fixed) {
        int[] has = numbers(version);
        for (String each : fixed) {
            int[] wants = numbers(each);
            if (has[0] == wants[0] && has[1] == wants[1]) {
                return has[2] >= wants[2];
            }
        }
        int[] newest = numbers(fixed.get(fixed.size() - 1));
        return has[0] > newest[0] || (has[0] == newest[0] && has[1] > newest[1]);
    }

    private static int[] numbers(String version) {
        int[] numbers = Arrays.stream(version.split("[^0-9]+"))
                .filter(part -> !part.isEmpty())
                .limit(3)
                .mapToInt(Integer::parseInt)
                .toArray();
        return Arrays.copyOf(numbers, 3);
    }
}
