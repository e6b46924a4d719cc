package io.fanfare.app;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The exit statuses that commands have in common, and their place at the end of each help text. */
final class ExitStatus {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int ASKED_WRONGLY = 2;

    /** The headline of the statuses in a help text. */
    static final String HEADING = "%nExit status:%n";

    // Those of a service, for annotations.
    static final String OF_SERVICE_DONE = "0:stopped by a signal, after a drain";
    static final String OF_SERVICE_FAILED = "1:the service could not start; the reason is on stderr";
    static final String OF_SERVICE_ASKED_WRONGLY = "2:the arguments or settings are wrong";
    static final String OF_SERVICE_MEMORY = "3:the memory was full (heap, or direct memory)";
    static final String OF_SERVICE_HUNG = "4:an event loop hung for management.hang-max";
    static final String OF_SERVICE_SLOW = "5:not ready after management.start-max";
    static final String OF_SERVICE_KILLED = "130:ended at once, by a third signal";

    private static final Map<String, String> COMMON = Map.of(
            Integer.toString(DONE), "done",
            Integer.toString(FAILED), "it failed; the reason is on stderr",
            Integer.toString(ASKED_WRONGLY), "the arguments or settings are wrong");

    private ExitStatus() {}

    /** Gives each command of the line, at every depth, the statuses that its help text does not have yet. */
    static void describe(CommandLine line) {
        CommandSpec command = line.getCommandSpec();
        Map<String, String> described = new LinkedHashMap<>();
        for (int status = DONE; status <= ASKED_WRONGLY; status++) {
            String key = Integer.toString(status);
            described.put(key, command.usageMessage().exitCodeList().getOrDefault(key, COMMON.get(key)));
        }
        described.putAll(command.usageMessage().exitCodeList());
        command.usageMessage().exitCodeListHeading(HEADING).exitCodeList(described);
        line.getSubcommands().values().forEach(ExitStatus::describe);
    }
}
