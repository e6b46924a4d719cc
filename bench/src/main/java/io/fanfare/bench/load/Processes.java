package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** The resources that Linux accounts to a process and its children. */
public final class Processes {
    private Processes() {}

    /** Processor seconds of the process and of its children that live. */
    public static double cpuSeconds(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .mapToDouble(each ->
                        each.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9)
                .sum();
    }

    /** Bytes of memory of the process and of its children, as {@code VmRSS} says. */
    public static long residentBytes(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .mapToLong(each -> kibibytes(Path.of("/proc/" + each.pid() + "/status"), "VmRSS:") << 10)
                .sum();
    }

    /**
     * Pages that the kernel holds for all TCP sockets of the machine, as bytes: what is on the way in either direction.
     */
    public static long kernelTcpBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/net/sockstat"))) {
                if (line.startsWith("TCP:")) {
                    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) << 12;
                }
            }
            return 0;
        } catch (IOException e) {
            throw new BenchFailed("this scenario needs Linux: " + e.getMessage());
        }
    }

    private static long kibibytes(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
            return 0;
        } catch (IOException e) {
            throw new BenchFailed("this scenario needs Linux: " + e.getMessage());
        }
    }
}
