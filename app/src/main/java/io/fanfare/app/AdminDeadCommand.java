package io.fanfare.app;

import io.fanfare.app.operate.DeadSweep;
import io.fanfare.app.operate.Terminal;
import io.fanfare.core.queue.DeadLetter;
import io.fanfare.core.queue.DeadLetters;
import io.fanfare.core.queue.DeadLetters.Filter;
import io.fanfare.server.runtime.Signals;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin queue dead}: jobs that were given up. */
@Command(
        name = "dead",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, replays and drops dead letters: jobs that were given up, with the reason.")
final class AdminDeadCommand {
    /** Which letters: the same for every command. */
    static final class Which {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec;

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                defaultValue = "",
                description = "Only jobs of this type, for example fan_out.")
        private String type;

        @Option(
                names = "--author",
                paramLabel = "ID|NAME",
                description = "Only jobs of this account: whose post, follow, block, mute or like they are about.")
        private String author;

        @Option(
                names = "--error",
                paramLabel = "TEXT",
                defaultValue = "",
                description = "Only letters whose reason contains this text.")
        private String error;

        @Option(
                names = "--job",
                paramLabel = "LINE",
                defaultValue = "",
                description = "Only the job of this line, as `list` shows it between brackets.")
        private String job;

        private DeadSweep sweep(RemoteStores.Session session) {
            return new DeadSweep(session, new Filter(type, author == null ? 0 : session.account(author), error, job));
        }

        private void check() {
            require(type.matches("[a-z_]*"), "--type must be a word such as fan_out");
        }

        private void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new ParameterException(spec.commandLine(), otherwise);
            }
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows dead letters, the newest first: time of death, shard, reason, job.")
    int list(
            @Mixin SettingsOptions options,
            @Mixin Which which,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description =
                                    "At most so many, 1 to " + DeadLetters.LIST_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        which.check();
        which.require(max >= 1 && max <= DeadLetters.LIST_MAX, "--max must be 1 to " + DeadLetters.LIST_MAX);
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            DeadSweep sweep = which.sweep(session);
            List<DeadLetter> letters = sweep.newest(max);
            System.out.println(json ? DeadSweep.json(letters).encodePrettily() : text(letters));
            if (sweep.more() > 0 || !sweep.sawAll()) {
                System.err.println("fanfare: " + more(sweep) + ", not shown; see --max, --type and --author");
            }
        }
        return 0;
    }

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description =
                    "Lets dead letters wait again as if they were new, in each shard the longest dead first. Handlers are idempotent: replaying is safe. Ctrl-C ends it between two steps.")
    int replay(
            @Mixin SettingsOptions options,
            @Mixin Which which,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "At most so many. Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(
                            names = "--rate",
                            paramLabel = "N",
                            description = "At most so many per second. Default: as fast as Redis takes them.")
                    Integer rate,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        which.check();
        which.require(max >= 1, "--max must be 1 or more");
        which.require(rate == null || rate >= 1, "--rate must be 1 or more");
        CountDownLatch stop = new CountDownLatch(1);
        if (rate != null) {
            Signals.on("INT", stop::countDown);
            Signals.on("TERM", stop::countDown);
        }
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            DeadSweep sweep = which.sweep(session);
            int done = sweep.take(DeadLetters::replay, max, rate == null ? 0 : rate, stop);
            print(json, "replayed", done, " dead letters wait again", sweep);
        }
        return 0;
    }

    @Command(
            name = "drop",
            mixinStandardHelpOptions = true,
            description = "Drops dead letters for good, in each shard the longest dead first.")
    int drop(
            @Mixin SettingsOptions options,
            @Mixin Which which,
            @Option(names = "--max", required = true, paramLabel = "N", description = "At most so many.") int max,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        which.check();
        which.require(max >= 1, "--max must be 1 or more");
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            DeadSweep sweep = which.sweep(session);
            int done = sweep.take(DeadLetters::drop, max, 0, new CountDownLatch(1));
            print(json, "dropped", done, " dead letters dropped", sweep);
        }
        return 0;
    }

    private static void print(boolean json, String name, int done, String sentence, DeadSweep sweep) {
        System.out.println(
                json
                        ? sweep.json(name, done).encode()
                        : done + sentence + (sweep.more() > 0 || !sweep.sawAll() ? "; " + more(sweep) : ""));
    }

    private static String more(DeadSweep sweep) {
        return sweep.sawAll() ? sweep.more() + " more match" : "at least " + sweep.more() + " more match";
    }

    private static String text(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return "no dead letters";
        }
        return letters.stream()
                .map(letter -> Terminal.time(letter.diedAtMillis()) + "  shard " + letter.shard() + "  "
                        + letter.reason() + "  [" + Terminal.printable(letter.job()) + ']')
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
