package io.fanfare.media;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Programs of the system that bound a child process which decodes files of strangers, as far as this machine has them
 * and allows them: {@code choom} makes it the first process to end when memory runs out, {@code nice} lets others go
 * first, {@code unshare} takes the network away, {@code prlimit} bounds its resources. Immutable.
 */
public final class Confinement {
    private static final Logger LOG = LoggerFactory.getLogger(Confinement.class);

    /** The bounds that {@code fanfare doctor} names, by the program that sets them. */
    private static final Map<String, String> BOUNDS = new LinkedHashMap<>();

    static {
        BOUNDS.put("choom", "ends first when memory runs out");
        BOUNDS.put("nice", "low priority");
        BOUNDS.put("unshare", "no network");
        BOUNDS.put("prlimit", "limits of memory, files and processor time");
    }

    /** A program that only exists to set a bound and run another answers at once; a loaded machine may take longer. */
    private static final long PROBE_SECONDS = 20;

    private final Map<String, List<String>> held;

    private Confinement(Map<String, List<String>> held) {
        this.held = held;
    }

    /**
     * Runs each program once around {@code true}, and keeps those that the system allows. Blocks, for some milliseconds
     * on an idle machine.
     *
     * @param path directories with colons between, in which programs are
     */
    public static Confinement probe(String path) {
        Map<String, List<String>> held = new LinkedHashMap<>();
        Optional<Path> nothing = program(path, "true");
        if (nothing.isEmpty()) {
            return new Confinement(held);
        }
        keep(held, path, "choom", nothing.get(), List.of("-n", "1000", "--"));
        keep(held, path, "nice", nothing.get(), List.of("-n", "15"));
        // Who is not root needs a namespace of users for it; mapped to itself, the process gains no capability.
        keep(held, path, "unshare", nothing.get(), List.of("--net", "--"));
        keep(held, path, "unshare", nothing.get(), List.of("--map-current-user", "--net", "--"));
        keep(held, path, "prlimit", nothing.get(), List.of("--core=0"));
        return new Confinement(held);
    }

    /** The same, probed by the first thread that needs it. */
    static Supplier<Confinement> once(String path) {
        FutureTask<Confinement> probing = new FutureTask<>(() -> {
            Confinement found = probe(path);
            LOG.info("confinement of decoders held={} missing={}", found.held(), found.missing());
            return found;
        });
        return () -> {
            // Runs once, whatever thread comes first.
            probing.run();
            try {
                return probing.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the bounds of decoders are probed", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("the bounds of decoders cannot be probed", e);
            }
        };
    }

    private static void keep(
            Map<String, List<String>> held, String path, String name, Path nothing, List<String> options) {
        Optional<Path> program = program(path, name);
        if (program.isEmpty() || held.containsKey(name)) {
            return;
        }
        List<String> prefix = new ArrayList<>();
        prefix.add(program.get().toString());
        prefix.addAll(options);
        List<String> command = new ArrayList<>(prefix);
        command.add(nothing.toString());
        if (runs(command)) {
            held.put(name, List.copyOf(prefix));
        }
    }

    private static boolean runs(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        try {
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                return process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                Process unused = process.destroyForcibly();
            }
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The command within all bounds that hold.
     *
     * @param limits options of {@code prlimit}
     */
    List<String> around(List<String> limits, List<String> command) {
        List<String> whole = new ArrayList<>();
        held.forEach((name, prefix) -> {
            whole.addAll(prefix);
            if (name.equals("prlimit")) {
                whole.addAll(limits);
            }
        });
        whole.addAll(command);
        return whole;
    }

    /** The bounds that hold, in words. */
    public List<String> held() {
        return BOUNDS.keySet().stream()
                .filter(held::containsKey)
                .map(BOUNDS::get)
                .toList();
    }

    /** The bounds that do not hold, in words, each with the program that would set it. */
    public List<String> missing() {
        return BOUNDS.entrySet().stream()
                .filter(bound -> !held.containsKey(bound.getKey()))
                .map(bound -> bound.getValue() + " (" + bound.getKey() + ")")
                .toList();
    }

    /** The first program of this name in the directories; empty = there is none. */
    static Optional<Path> program(String path, String name) {
        return Stream.of(path.split(Pattern.quote(File.pathSeparator)))
                .filter(folder -> !folder.isEmpty() && Path.of(folder).isAbsolute())
                .map(folder -> Path.of(folder, name))
                .filter(Confinement::isProgram)
                .findFirst();
    }

    /** A folder is executable, too. */
    static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
