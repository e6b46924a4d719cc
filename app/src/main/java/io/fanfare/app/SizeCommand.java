package io.fanfare.app;

import io.fanfare.app.size.Costs;
import io.fanfare.app.size.Simulation;
import io.fanfare.app.size.Site;
import io.fanfare.app.size.Size;
import io.fanfare.app.size.SizeJson;
import io.fanfare.app.size.SizeText;
import io.fanfare.app.size.Sizing;
import io.fanfare.common.settings.SettingsLoader;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare size}: the processors, memory, disk and network that a site needs. */
@Command(
        name = "size",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Reckons the processors, memory, disk and network that a site of a given size needs, from the costs that the benchmarks have measured. Contacts no service. The settings give the bounds of homes, log and processes.")
final class SizeCommand implements Callable<Integer> {
    /** The same accounts are in the same shards each time. */
    private static final long SEED = 1;

    /** As many as 100 columns of text have room for. */
    private static final int COLUMNS_MAX = 4;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--users",
            paramLabel = "N",
            split = ",",
            description = "Accounts, 1 to 10000000000; up to four numbers with commas between, for a column each.")
    private List<Long> users = new ArrayList<>();

    @Option(
            names = "--posts-per-user-day",
            paramLabel = "X",
            defaultValue = "0.2",
            description = "Posts of an average account in a day. Default: ${DEFAULT-VALUE}.")
    private double postsPerUserDay;

    @Option(
            names = "--follows",
            paramLabel = "X",
            defaultValue = "100",
            description = "Accounts that an average account follows. Default: ${DEFAULT-VALUE}.")
    private double follows;

    @Option(
            names = "--reads-per-user-day",
            paramLabel = "X",
            defaultValue = "10",
            description = "Pages of its home that an average account reads in a day. Default: ${DEFAULT-VALUE}.")
    private double readsPerUserDay;

    @Option(
            names = "--active-share",
            paramLabel = "X",
            defaultValue = "0.3",
            description =
                    "Share of the accounts that have opened their home within feeds.inactive-days, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double activeShare;

    @Option(
            names = "--online-share",
            paramLabel = "X",
            defaultValue = "0.02",
            description = "Share of the accounts with an open stream at the peak, 0 to 1. Default: ${DEFAULT-VALUE}.")
    private double onlineShare;

    @Option(
            names = "--streams",
            paramLabel = "N",
            description = "Open streams of homes at the peak, in place of --online-share.")
    private Double streams;

    @Option(
            names = "--pictures-per-post",
            paramLabel = "X",
            defaultValue = "0.1",
            description = "Pictures of an average post. Default: ${DEFAULT-VALUE}.")
    private double picturesPerPost;

    @Option(
            names = "--picture-bytes",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Bytes of an average picture. Default: ${DEFAULT-VALUE}.")
    private long pictureBytes;

    @Option(
            names = "--peak-factor",
            paramLabel = "X",
            defaultValue = "3",
            description = "Load at the peak as a multiple of the mean, from 1. Default: ${DEFAULT-VALUE}.")
    private double peakFactor;

    @Option(
            names = "--retention-days",
            paramLabel = "N",
            defaultValue = "30",
            description = "Days for which posts stay in Redis, as with archive.days. Default: ${DEFAULT-VALUE}.")
    private int retentionDays;

    @Option(
            names = "--simulate",
            description =
                    "Instead of the size: deliveries by kind of author, the balance of shards, and the node of the event log.")
    private boolean simulate;

    @Option(names = "--costs", description = "Instead of a size: each cost with its source.")
    private boolean showsCosts;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        Costs costs = Costs.load();
        if (showsCosts) {
            return print(costs.json(), SizeText.of(costs));
        }
        List<Site> sites = sites();
        Sizing sizing = new Sizing(costs, SettingsLoader.load(options.layers()));
        List<Size> sizes = sites.stream().map(sizing::of).toList();
        if (!simulate) {
            return print(SizeJson.of(sizes), SizeText.of(sizes, sizing));
        }
        if (sizes.size() > 1) {
            throw wrong("--simulate takes one number of --users");
        }
        Simulation simulation = Simulation.of(sizes.get(0), sizing, new Random(SEED));
        return print(SizeJson.of(simulation), SizeText.of(simulation, sites.get(0), costs));
    }

    private int print(JsonObject forPrograms, String forPeople) {
        System.out.println(json ? forPrograms.encodePrettily() : forPeople.stripTrailing());
        return ExitStatus.DONE;
    }

    private List<Site> sites() {
        if (users.isEmpty() || users.size() > COLUMNS_MAX) {
            throw wrong("--users must be 1 to " + COLUMNS_MAX + " numbers of accounts, with commas between");
        }
        try {
            Site.check("--online-share", onlineShare, 0, 1);
            return users.stream().map(this::site).toList();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private Site site(long accounts) {
        return new Site(
                accounts,
                postsPerUserDay,
                follows,
                readsPerUserDay,
                activeShare,
                streams == null ? accounts * onlineShare : streams,
                picturesPerPost,
                pictureBytes,
                peakFactor,
                retentionDays);
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
