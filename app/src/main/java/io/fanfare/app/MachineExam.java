package io.fanfare.app;

import static io.fanfare.app.Finding.error;
import static io.fanfare.app.Finding.ok;
import static io.fanfare.app.Finding.warning;

import io.fanfare.common.settings.Settings;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.media.DecoderCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checks of this machine by {@code fanfare doctor}. They examine the service's process if one runs; else their own,
 * which the same script starts with the same options.
 */
final class MachineExam {
    private static final String AREA = "machine";

    /** Files of the JVM and connections to Redis, beside those of clients. */
    private static final int OTHER_FILES = 1000;

    private static final long DISK_ERROR_BYTES = 256L << 20;

    /** The same bound on a small volume, as a part of it. */
    private static final int DISK_ERROR_PART = 16;

    private static final long DIRECT_BYTES = 256L << 20;

    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +(\\d+|unlimited) ");
    private static final Pattern MEM_TOTAL = Pattern.compile("(?m)^MemTotal: +(\\d+) kB");
    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([kKmMgG]?)");
    private static final Pattern DIRECT = Pattern.compile("-XX:MaxDirectMemorySize=(\\d+)([kKmMgG]?)");

    private final Path process;
    private final Path proc;

    /**
     * @param proc where the system shows processes
     * @param process {@code self}, or the id of the service's
     */
    MachineExam(Path proc, String process) {
        this.proc = proc;
        this.process = proc.resolve(process);
    }

    /**
     * @param ownRedis whether the service has a redis-server of its own, of which `up` makes half of the memory the
     *     bound
     */
    List<Finding> run(Settings settings, Path data, boolean ownRedis) {
        List<Finding> findings = new ArrayList<>();
        files(settings.http().connectionsMax()).ifPresent(findings::add);
        findings.add(disk(settings, data, ownRedis));
        memory(ownRedis).ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> files(int connections) {
        Matcher limit = OPEN_FILES.matcher(text(process.resolve("limits")));
        if (!limit.find()) {
            return Optional.empty();
        }
        long wanted = connections + (long) OTHER_FILES;
        String what = "a process may open " + limit.group(1) + " files (ulimit -n), and http.connections-max is "
                + connections;
        return Optional.of(
                limit.group(1).equals("unlimited") || Long.parseLong(limit.group(1)) >= wanted
                        ? ok(AREA, what)
                        : warning(
                                AREA,
                                what,
                                "allow " + wanted
                                        + " files (ulimit -n, or LimitNOFILE of the unit), or lower http.connections-max and stream.connections-max"));
    }

    private static Finding disk(Settings settings, Path data, boolean ownRedis) {
        Path redis = data.resolve("redis");
        DiskReserve reserve = new DiskReserve(
                settings.disk(),
                List.of(data),
                ownRedis && Files.isDirectory(redis) ? redis : null,
                DiskSpace.ofSystem(),
                InstantSource.system());
        reserve.look();
        return reserve.tightest()
                .map(disk -> ofDisk(data, disk))
                .orElseGet(() ->
                        error(AREA, "the data folder " + data + " cannot be read", "correct --data or its rights"));
    }

    static Finding ofDisk(Path data, DiskReserve.State disk) {
        String what = "the disk of the data folder " + data + " has " + mib(disk.free()) + " left, of which "
                + mib(disk.reserve()) + " are kept (disk.reserve-bytes)";
        String remedy =
                "make room: Redis refuses writes when its disk is full, and needs its data twice while it rewrites its file";
        if (disk.free() < Math.min(DISK_ERROR_BYTES, disk.total() / DISK_ERROR_PART)) {
            return error(AREA, what, remedy);
        }
        return disk.room() < 0 ? warning(AREA, what + ": uploads are refused", remedy) : ok(AREA, what);
    }

    private Optional<Finding> memory(boolean ownRedis) {
        Matcher total = MEM_TOTAL.matcher(text(proc.resolve("meminfo")));
        if (!total.find()) {
            return Optional.empty();
        }
        long machine = Long.parseLong(total.group(1)) << 10;
        return Optional.of(ofMemory(machine, heapBytes(), directBytes(), ownRedis ? machine / 2 : 0));
    }

    /** The bounds hold for the user and the shell of this command; a unit of systemd may allow the service others. */
    static Finding ofDecoder(DecoderCheck check) {
        if (check.trouble().isPresent()) {
            return error(
                    "pictures",
                    "the process that decodes pictures cannot be started ("
                            + check.trouble().get() + ")",
                    "leave 512 MiB of memory for it, and let the service start " + System.getProperty("java.home")
                            + "/bin/java");
        }
        return ok(
                "pictures",
                "pictures are decoded in a process of their own; bounds that hold for it: "
                        + (check.held().isEmpty() ? "none" : String.join(", ", check.held()))
                        + (check.missing().isEmpty() ? "" : "; that do not: " + String.join(", ", check.missing())));
    }

    /** The maximum size of the process's heap. */
    long heapBytes() {
        return size(HEAP, options()).orElse(Runtime.getRuntime().maxMemory());
    }

    /** The maximum size of the memory that the process may use outside of its heap. */
    long directBytes() {
        return size(DIRECT, options()).orElse(DIRECT_BYTES);
    }

    private String options() {
        return text(process.resolve("cmdline")).replace('\0', ' ');
    }

    static Finding ofMemory(long machine, long heap, long direct, long redisBytes) {
        String what = "the machine has " + mib(machine) + "; the service may use " + mib(heap) + " of heap (-Xmx) and "
                + mib(direct) + " outside of it" + (redisBytes == 0 ? "" : ", its Redis " + mib(redisBytes));
        return heap + direct + redisBytes > machine
                ? warning(
                        AREA,
                        what + ": together more than there is",
                        "lower -Xmx (FANFARE_JAVA_OPTS) or maxmemory, or add memory")
                : ok(AREA, what);
    }

    /** The last one counts, as for the JVM. */
    private static OptionalLong size(Pattern option, String options) {
        OptionalLong size = OptionalLong.empty();
        Matcher matcher = option.matcher(options);
        while (matcher.find()) {
            int shift =
                    switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
                        case "k" -> 10;
                        case "m" -> 20;
                        case "g" -> 30;
                        default -> 0;
                    };
            size = OptionalLong.of(Long.parseLong(matcher.group(1)) << shift);
        }
        return size;
    }

    static String mib(long bytes) {
        return (bytes >> 20) + " MiB";
    }

    /** Empty where the system has no such file. */
    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
