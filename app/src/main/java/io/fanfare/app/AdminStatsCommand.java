package io.fanfare.app;

import io.fanfare.app.operate.MemoryReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.settings.Settings;
import io.fanfare.verify.MemorySurvey;
import io.fanfare.verify.MemorySurvey.BigKey;
import io.fanfare.verify.MemorySurvey.Part;
import io.fanfare.verify.MemorySurvey.Result;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin stats}: what a running service takes. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows what a running service takes.")
final class AdminStatsCommand {
    private static final int SAMPLE_MAX = 10_000_000;
    private static final int TOP_MAX = 1000;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "memory",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Shows the memory of Redis by family of keys, the largest shards and the largest keys.",
                "Looks at some keys of each master, whose order is that of SCAN, and multiplies. Needs a user of Redis who may SCAN and MEMORY; beside `up` that is its administrator."
            })
    int memory(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--sample",
                            paramLabel = "N",
                            defaultValue = "100000",
                            description =
                                    "Keys that are looked at on each master, 1 to 10000000. Default: ${DEFAULT-VALUE}.")
                    int sample,
            @Option(
                            names = "--top",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "Shards and keys that are named, 1 to 1000. Default: ${DEFAULT-VALUE}.")
                    int top,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        check(sample >= 1 && sample <= SAMPLE_MAX, "--sample must be 1 to " + SAMPLE_MAX);
        check(top >= 1 && top <= TOP_MAX, "--top must be 1 to " + TOP_MAX);
        Settings.Redis joined = options.joining().redis();
        Settings.Redis redis = options.administrator().map(joined::at).orElse(joined);
        Result result =
                RemoteStores.askData(redis.options(), link -> new MemorySurvey(link, Instant.now(), sample, top).run());
        System.out.println(json ? MemoryReport.json(result).encodePrettily() : text(result));
        return 0;
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static String text(Result result) {
        StringBuilder text = new StringBuilder();
        long ofKeys = result.families().stream().mapToLong(Part::bytes).sum();
        text.append(
                String.format("used       %,15d bytes, of which keys and their values %,d%n", result.used(), ofKeys));
        text.append(String.format("keys       %,15d%s%n", result.keys(), estimate(result)));
        text.append(String.format("%n%-22s %13s %16s %9s %7s%n", "family", "keys", "bytes", "each", "share"));
        for (Part family : result.families()) {
            text.append(String.format(
                    "%-22s %,13d %,16d %,9d %6.1f%%%n",
                    family.name(), family.keys(), family.bytes(), each(family), 100.0 * family.bytes() / ofKeys));
        }
        text.append(String.format("%n%-22s %13s %16s%n", "largest shards", "keys", "bytes"));
        for (Part shard : result.shards()) {
            text.append(String.format("%-22s %,13d %,16d%n", shard.name(), shard.keys(), shard.bytes()));
        }
        text.append(String.format("%n%-36s %16s", "largest keys", "bytes"));
        for (BigKey key : result.bigKeys()) {
            text.append(String.format("%n%-36s %,16d", Terminal.printable(key.key()), key.bytes()));
        }
        return text.toString();
    }

    private static String estimate(Result result) {
        return result.sampled() < result.keys()
                ? String.format(", estimated from %,d; the largest keys are those of these", result.sampled())
                : ", all looked at";
    }

    private static long each(Part part) {
        return part.keys() == 0 ? 0 : part.bytes() / part.keys();
    }
}
