package io.fanfare.app;

import io.fanfare.app.listen.ListenCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The product: the services, and the commands that operate them. */
@Command(
        name = "fanfare",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Runs and operates a self-hosted social-feed server.")
public final class Main {
    private static final Program PROGRAM = new Program(Main::new, commands(), Map.of());

    /** The sub-commands of the other program, which measures this one. */
    private static final Set<String> OF_BENCH = Set.of("bench", "replay");

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("up", UpCommand::new);
        commands.put("api", RoleCommand.Api::new);
        commands.put("worker", RoleCommand.Worker::new);
        commands.put("stream", RoleCommand.Stream::new);
        commands.put("listen", () -> new ListenCommand(System.out, System.err));
        commands.put("admin", AdminCommand::new);
        commands.put("cluster", ClusterCommand::new);
        commands.put("top", TopCommand::new);
        commands.put("doctor", DoctorCommand::new);
        commands.put("size", SizeCommand::new);
        commands.put("backup", BackupCommand::new);
        commands.put("restore", RestoreCommand::new);
        commands.put("migrate", MigrateCommand::new);
        commands.put("prepare", PrepareCommand::new);
        commands.put("config", ConfigCommand::new);
        commands.put("version", VersionCommand::new);
        return commands;
    }

    public static void main(String[] args) {
        Program.prepareProcess();
        System.exit(execute(args));
    }

    /** Runs the sub-command that the arguments name; its status. */
    static int execute(String... args) {
        if (args.length > 0 && OF_BENCH.contains(args[0])) {
            System.err.println("fanfare: " + args[0] + " is in a jar of its own: start java -jar fanfare-bench.jar "
                    + args[0] + " with fanfare.jar in the same folder, or ./fanfare " + args[0] + " in a checkout");
            return ExitStatus.WRONG_USAGE;
        }
        return PROGRAM.execute(args);
    }

    /** The command line of {@link Program#commandLine}. */
    public static CommandLine commandLine(String... args) {
        return PROGRAM.commandLine(args);
    }
}
