package io.fanfare.app;

import io.fanfare.common.queue.DeadLetter;
import io.fanfare.common.queue.DeadLetters;
import io.fanfare.common.queue.JobQueue;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        description = "Dead letters: jobs that were given up, with the reason.")
final class AdminDeadCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows dead letters, the newest first: time of death, shard, reason, job.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description =
                                    "At most so many, 1 to " + DeadLetters.LIST_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects.") boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > DeadLetters.LIST_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + DeadLetters.LIST_MAX);
        }
        List<DeadLetter> letters =
                RemoteStores.ask(options.joining(), queue -> queue.deadLetters().newest(max));
        System.out.println(json ? json(letters).encodePrettily() : text(letters));
        return 0;
    }

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description =
                    "Lets dead letters wait again as if they were new, the longest dead first. Handlers are idempotent: replaying is safe.")
    int replay(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "At most so many per shard. Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs.") boolean json) {
        Logging.ofCommand();
        int sum = RemoteStores.ask(options.joining(), queue -> inAllShards(queue, max, DeadLetters::replay));
        System.out.println(json ? new JsonObject().put("replayed", sum).encode() : sum + " dead letters wait again");
        return 0;
    }

    @Command(
            name = "drop",
            mixinStandardHelpOptions = true,
            description = "Lets go of dead letters for good, the longest dead first.")
    int drop(
            @Mixin SettingsOptions options,
            @Option(names = "--max", required = true, paramLabel = "N", description = "At most so many per shard.")
                    int max,
            @Option(names = "--json", description = "For programs.") boolean json) {
        Logging.ofCommand();
        int sum = RemoteStores.ask(options.joining(), queue -> inAllShards(queue, max, DeadLetters::drop));
        System.out.println(json ? new JsonObject().put("dropped", sum).encode() : sum + " dead letters dropped");
        return 0;
    }

    /** Does something to up to {@code max} letters of a shard and answers to how many. */
    private interface Action {
        Future<Integer> of(DeadLetters letters, int shard, int max);
    }

    private static Future<Integer> inAllShards(JobQueue queue, int max, Action action) {
        DeadLetters letters = queue.deadLetters();
        return Future.all(IntStream.range(0, queue.shardCount())
                        .mapToObj(shard -> action.of(letters, shard, max))
                        .toList())
                .map(all ->
                        all.<Integer>list().stream().mapToInt(Integer::intValue).sum());
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

    private static JsonArray json(List<DeadLetter> letters) {
        JsonArray lines = new JsonArray();
        letters.forEach(letter -> lines.add(new JsonObject()
                .put("shard", letter.shard())
                .put("died_at", Terminal.time(letter.diedAtMillis()))
                .put("reason", letter.reason())
                .put("job", letter.job())));
        return lines;
    }
}
