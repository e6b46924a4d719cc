package io.fanfare.app;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The exit statuses that commands have in common, and their place at the end of each help text. */
final class ExitStatus {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    /** The headline of the statuses in a help text. */
    static final String HEADING = "%nExit status:%n";

    private static final Map<String, String> COMMON = new LinkedHashMap<>();
    private static final Map<String, String> OF_SERVICE = new LinkedHashMap<>();

    /** Commands that run until a signal ends them. */
    private static final Set<String> SERVICES = Set.of("fanfare up", "fanfare api", "fanfare worker", "fanfare stream");

    static {
        COMMON.put(Integer.toString(DONE), "done");
        COMMON.put(Integer.toString(FAILED), "it failed; the reason is on stderr");
        COMMON.put(Integer.toString(WRONG_USAGE), "the arguments or settings are wrong");
        OF_SERVICE.put("0", "stopped by a signal, after a drain");
        OF_SERVICE.put("1", "the service could not start; the reason is on stderr");
        OF_SERVICE.put("2", "the arguments or settings are wrong");
        OF_SERVICE.put("3", "the memory was full (heap, or direct memory)");
        OF_SERVICE.put("4", "an event loop hung for management.hang-max");
        OF_SERVICE.put("5", "not ready after management.start-max");
        OF_SERVICE.put("130", "ended at once, by a third signal");
    }

    private ExitStatus() {}

    /** Gives each command of the line, at every depth, the statuses that its help text does not have yet. */
    static void describe(CommandLine line) {
        CommandSpec command = line.getCommandSpec();
        boolean isService = SERVICES.contains(command.qualifiedName());
        Map<String, String> described = new LinkedHashMap<>(isService ? OF_SERVICE : COMMON);
        described.putAll(command.usageMessage().exitCodeList());
        command.usageMessage().exitCodeListHeading(HEADING).exitCodeList(described);
        line.getSubcommands().values().forEach(ExitStatus::describe);
    }
}
