package io.fanfare.app;

import io.fanfare.app.listen.ListenCommand;
import io.fanfare.app.replay.ReplayCommand;
import io.fanfare.bench.BenchCommand;
import io.fanfare.bench.input.InputFile;
import io.fanfare.bench.report.BenchFailed;
import java.util.LinkedHashMap;
import java.util.Map;
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
    private static final Program PROGRAM = new Program(
            Main::new,
            commands(),
            Map.of(
                    BenchFailed.class, ExitStatus.FAILED,
                    InputFile.Unreadable.class, ExitStatus.ASKED_WRONGLY));

    private static Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("up", UpCommand::new);
        commands.put("api", RoleCommand.Api::new);
        commands.put("worker", RoleCommand.Worker::new);
        commands.put("stream", RoleCommand.Stream::new);
        commands.put("listen", () -> new ListenCommand(System.out, System.err));
        commands.put("replay", () -> new ReplayCommand(System.out));
        commands.put("bench", BenchCommand::new);
        commands.put("admin", AdminCommand::new);
        commands.put("cluster", ClusterCommand::new);
        commands.put("doctor", DoctorCommand::new);
        commands.put("backup", BackupCommand::new);
        commands.put("restore", RestoreCommand::new);
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
        return PROGRAM.execute(args);
    }

    /** The line with the sub-command that comes first, or with all of them when it is none. */
    static CommandLine commandLine(String... args) {
        return PROGRAM.commandLine(args);
    }
}
