package io.fanfare.app;

import io.fanfare.app.listen.ListenCommand;
import io.fanfare.app.replay.ReplayCommand;
import io.fanfare.bench.BenchCommand;
import io.fanfare.bench.input.InputFile;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.settings.InvalidSettings;
import io.fanfare.common.store.DataFormat;
import io.fanfare.common.store.DataSetRefused;
import io.fanfare.redis.RedisError;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * Runs one sub-command and exits with its status: 0 = done, 1 = it failed, 2 = it was asked for wrongly (arguments,
 * settings). The operator's mistakes are sentences on stderr; a stack trace means a mistake of ours.
 */
@Command(
        name = "fanfare",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Runs and operates a self-hosted social-feed server.")
public final class Main {
    /** The sub-commands by name, as help lists them. */
    private static final Map<String, Supplier<Object>> COMMANDS = commands();

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
        // Services say otherwise once they know their settings.
        Logging.ofCommand();
        ServerTls.refuseRenegotiation();
        Supervisor.endWithIt();
        System.exit(execute(args));
    }

    /** Runs what the arguments ask for; its status. */
    static int execute(String... args) {
        return commandLine(args).execute(args);
    }

    /**
     * With the sub-command that comes first, or with all of them when it is none: to describe them all takes a tenth of
     * a start.
     */
    static CommandLine commandLine(String... args) {
        Supplier<Object> asked = args.length == 0 ? null : COMMANDS.get(args[0]);
        return commandLine(asked == null ? COMMANDS.values().stream() : Stream.of(asked));
    }

    private static CommandLine commandLine(Stream<Supplier<Object>> commands) {
        CommandLine line = new CommandLine(new Main());
        commands.forEach(command -> line.addSubcommand(command.get()));
        describe(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, arguments) -> explain(failure));
    }

    /** Gives each command a version to print and its exit statuses. */
    private static void describe(CommandLine line) {
        ExitStatus.describe(line);
        describeVersion(line);
    }

    private static void describeVersion(CommandLine line) {
        line.getCommandSpec().versionProvider(new Version());
        line.getSubcommands().values().forEach(Main::describeVersion);
    }

    private static int explain(Exception failure) {
        if (failure instanceof InvalidSettings invalid) {
            invalid.problems().forEach(problem -> System.err.println("fanfare: " + problem));
            System.err.println("fanfare: every setting is explained in config/fanfare.yaml");
            return ExitStatus.ASKED_WRONGLY;
        }
        if (failure instanceof EventLoop.StepFailed && failure.getCause() instanceof Exception cause) {
            return explain(cause);
        }
        if (failure instanceof InputFile.Unreadable) {
            System.err.println("fanfare: " + failure.getMessage());
            return ExitStatus.ASKED_WRONGLY;
        }
        if (failure instanceof StartFailed
                || failure instanceof BenchFailed
                || failure instanceof DataSetRefused
                || failure instanceof RedisError) {
            System.err.println("fanfare: " + failure.getMessage());
            return ExitStatus.FAILED;
        }
        LoggerFactory.getLogger(Main.class).error("this is a mistake in Fanfare", failure);
        return ExitStatus.FAILED;
    }

    /** As in the jar's manifest, or {@code development} when run from classes. */
    static String version() {
        return DataFormat.version();
    }

    /** For {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"fanfare " + version()};
        }
    }
}
