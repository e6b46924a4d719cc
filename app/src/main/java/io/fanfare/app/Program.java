package io.fanfare.app;

import io.fanfare.common.settings.InvalidSettings;
import io.fanfare.common.store.DataSetRefused;
import io.fanfare.common.store.Release;
import io.fanfare.redis.RedisError;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;

/**
 * A command line of sub-commands. The program runs one of them and exits with its status: 0 = done, 1 = it failed, 2 =
 * the arguments or settings are wrong. An operator's mistake is a sentence on stderr; a stack trace means a mistake of
 * ours. There are two programs: the product ({@link Main}), and the benchmarks in a jar of their own. Immutable.
 */
public final class Program {
    private final Supplier<Object> root;
    private final Map<String, Supplier<Object>> commands;
    private final Map<Class<? extends Exception>, Integer> failures;

    /**
     * @param root the command above all others, annotated with {@link CommandLine.Command}
     * @param commands the sub-commands by name, in the order in which help lists them
     * @param failures the exceptions whose message is a sentence for the operator, beyond those of a service, each with
     *     the exit status
     */
    public Program(
            Supplier<Object> root,
            Map<String, Supplier<Object>> commands,
            Map<Class<? extends Exception>, Integer> failures) {
        this.root = root;
        this.commands = commands;
        Map<Class<? extends Exception>, Integer> all = new HashMap<>(failures);
        all.put(StartFailed.class, ExitStatus.FAILED);
        all.put(DataSetRefused.class, ExitStatus.FAILED);
        all.put(RedisError.class, ExitStatus.FAILED);
        this.failures = Map.copyOf(all);
    }

    /** Prepares the process: its log, its TLS, its end with the script that started it. Before anything else. */
    public static void prepareProcess() {
        // A service sets its log up again once it knows its settings.
        Logging.ofCommand();
        ServerTls.refuseRenegotiation();
        leaveOutEvents();
        Supervisor.endWithIt();
    }

    /** Netty's events for JFR would load the recorder at every start, recording or not: 3 % of what it takes. */
    private static void leaveOutEvents() {
        if (System.getProperty("io.netty.jfr.enabled") == null) {
            System.setProperty("io.netty.jfr.enabled", "false");
        }
    }

    /** Runs the sub-command that the arguments name; its status. */
    public int execute(String... args) {
        return commandLine(args).execute(args);
    }

    /** A command of many sub-commands, of which a command line describes those that its arguments name. */
    public interface Group {
        /** The classes of the sub-commands, in the order in which help lists them. */
        List<Class<?>> commands();
    }

    /**
     * The command line of the sub-command that the first argument names, or of all sub-commands if it names none; the
     * same holds for the second argument in a {@link Group}. To describe all of them takes a tenth of the time of a
     * start.
     */
    public CommandLine commandLine(String... args) {
        Supplier<Object> named = args.length == 0 ? null : commands.get(args[0]);
        CommandLine line = new CommandLine(root.get());
        if (named == null) {
            commands.values().forEach(command -> line.addSubcommand(described(command.get(), "")));
        } else {
            line.addSubcommand(described(named.get(), args.length == 1 ? "" : args[1]));
        }
        ExitStatus.describe(line);
        describeVersion(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, arguments) -> explain(failure));
    }

    private static CommandLine described(Object command, String name) {
        CommandLine line = new CommandLine(command);
        if (command instanceof Group group) {
            List<Class<?>> named = group.commands().stream()
                    .filter(each ->
                            each.getAnnotation(CommandLine.Command.class).name().equals(name))
                    .toList();
            (named.isEmpty() ? group.commands() : named).forEach(line::addSubcommand);
        }
        return line;
    }

    private static void describeVersion(CommandLine line) {
        line.getCommandSpec().versionProvider(new Version());
        line.getSubcommands().values().forEach(Program::describeVersion);
    }

    private int explain(Exception failure) {
        if (failure instanceof InvalidSettings invalid) {
            invalid.problems().forEach(problem -> System.err.println("fanfare: " + problem));
            System.err.println("fanfare: every setting is explained in config/fanfare.yaml");
            return ExitStatus.WRONG_USAGE;
        }
        if (failure instanceof EventLoop.StepFailed && failure.getCause() instanceof Exception cause) {
            return explain(cause);
        }
        Integer status = failures.get(failure.getClass());
        if (status != null) {
            System.err.println("fanfare: " + failure.getMessage());
            return status;
        }
        LoggerFactory.getLogger(Program.class).error("this is a mistake in Fanfare", failure);
        return ExitStatus.FAILED;
    }

    /** For {@code --version}. */
    private static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"fanfare " + Release.running()};
        }
    }
}
