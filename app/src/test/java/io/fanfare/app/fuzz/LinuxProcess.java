package io.fanfare.app.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The resources of a process as Linux reports them. */
record LinuxProcess(long pid) {
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    /** In which Linux counts. */
    private static final long TICK_MILLIS = 10;

    /** The most memory that was ever resident, in bytes; 0 when the process is gone. */
    long residentPeak() {
        try {
            Matcher peak = PEAK.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
            return peak.find() ? Long.parseLong(peak.group(1)) << 10 : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    /** Milliseconds of processor time by thread. */
    Map<String, Long> processorMillis() throws IOException {
        Map<String, Long> millis = new TreeMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                add(millis, thread);
            }
        }
        return millis;
    }

    private static void add(Map<String, Long> millis, Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int end = stat.lastIndexOf(')');
            String[] fields = stat.substring(end + 2).split(" ", 14);
            long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            millis.put(stat.substring(stat.indexOf('(') + 1, end) + " " + thread.getFileName(), ticks * TICK_MILLIS);
        } catch (IOException ended) {
            // A thread that has ended since is not busy.
        }
    }
}
