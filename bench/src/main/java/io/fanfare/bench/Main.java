package io.fanfare.bench;

import io.fanfare.app.Program;
import io.fanfare.bench.input.InputFile;
import io.fanfare.bench.replay.ReplayCommand;
import io.fanfare.bench.report.BenchFailed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/**
 * The program that measures the product: its jar has the classes of this module alone, and uses the jar of the product
 * as it is.
 */
@Command(
        name = "fanfare",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures Fanfare, and replays real input through a running service.")
public final class Main {
    private static final Program PROGRAM = new Program(
            Main::new,
            commands(),
            Map.of(BenchFailed.class, ExitCode.SOFTWARE, InputFile.Unreadable.class, ExitCode.USAGE));

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("bench", BenchCommand::new);
        commands.put("replay", () -> new ReplayCommand(System.out));
        return commands;
    }

    public static void main(String[] args) {
        Program.prepareProcess();
        System.exit(execute(args));
    }

    /** Runs the sub-command that the arguments name; its status. */
    static int execute(String... args) {
        return PROGRAM.execute(args);
    }

    /** The command line of {@link Program#commandLine}. */
    static CommandLine commandLine(String... args) {
        return PROGRAM.commandLine(args);
    }
}
