package io.fanfare.app;

import io.fanfare.app.operate.Progress;
import io.fanfare.app.operate.Terminal;
import io.fanfare.app.operate.VerifyRun;
import io.fanfare.common.settings.Settings;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import io.fanfare.verify.Difference;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin verify}: compares what Redis keeps twice, beside the running service, and repairs it. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Compares what Redis keeps twice while the service runs: both sides of follows, blocks, likes and comments, counters, lists, homes, keys and the rows of the archive.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {
            "0:nothing is wrong, or all of it was repaired; what jobs were changing meanwhile is printed as in flux",
            "1:differences are left and printed, or a request to Redis failed",
            "2:the arguments or settings are wrong"
        })
final class AdminVerifyCommand implements Callable<Integer> {
    private static final int SAMPLE_MAX = 1_000_000;
    private static final int SHOWN_MAX = 50;

    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--repair",
            description = "Repairs what is wrong. The deciding side of an edge, the sets and the statuses are taken for"
                    + " right; a wrong home is dropped, and the next read rebuilds it.")
    private boolean repair;

    @Option(
            names = "--account",
            paramLabel = "NAME",
            description = "Only this account: its counters, lists, edges, statuses and home.")
    private String account;

    @Option(
            names = "--sample",
            paramLabel = "N",
            description = "Only so many accounts, drawn at random, 1 to " + SAMPLE_MAX
                    + ". Keys are not listed, and rows of the archive are left out.")
    private Integer sample;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draws the accounts of --sample. Default: a random one, which is printed.")
    private Long seed;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.ofCommand();
        check(account == null || sample == null, "--account and --sample exclude each other");
        check(seed == null || sample != null, "--seed belongs to --sample");
        check(sample == null || (sample >= 1 && sample <= SAMPLE_MAX), "--sample must be 1 to " + SAMPLE_MAX);
        Settings settings = options.joining();
        long drawn = seed == null ? new SecureRandom().nextInt(Integer.MAX_VALUE) : seed;
        Shown shown = new Shown();
        try (EventLoop loop = new EventLoop()) {
            VerifyRun run = new VerifyRun(loop.vertx(), settings, options.administrator());
            Scope scope = new Scope(account == null ? 0 : idOf(account, run, loop), sample == null ? 0 : sample, drawn);
            Report report = report(loop, () -> run.run(scope, repair, shown), shown);
            System.out.println(json ? json(report, drawn).encodePrettily() : text(report, drawn));
            return report.leftCount() == 0 ? 0 : 1;
        }
    }

    private static Report report(EventLoop loop, Supplier<Future<Report>> run, Shown shown) {
        try {
            return loop.await(run);
        } finally {
            shown.end();
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static long idOf(String name, VerifyRun run, EventLoop loop) {
        return loop.await(() -> run.account(name.toLowerCase(Locale.ROOT)))
                .orElseThrow(() -> new StartFailed("no account has the name " + Terminal.printable(name)
                        + ": give it as it is in the address of its profile, without @"));
    }

    /** A bar, or lines, on stderr; and a line for each repair. Written on the event loop until that is done. */
    private static final class Shown implements Watcher {
        private Progress progress;

        @Override
        public void begin(long accounts) {
            progress = accounts == 0 ? null : Progress.of("accounts", accounts, System.err);
        }

        @Override
        public void account() {
            if (progress != null) {
                progress.step();
            }
        }

        @Override
        public void repaired(Difference difference) {
            System.err.println("repaired " + difference.kind().wire() + ": " + Terminal.printable(difference.detail()));
        }

        void end() {
            if (progress != null) {
                progress.close();
            }
        }
    }

    private String text(Report report, long drawn) {
        StringBuilder text = new StringBuilder();
        line(text, "looked at", looked(report) + (sample == null ? "" : "; seed " + drawn));
        Map<String, Long> looked = report.looked();
        if (looked.getOrDefault(Report.LEFTOVERS, 0L) > 0) {
            line(
                    text,
                    "leftovers",
                    String.format(
                            "%,d ids in homes and lists of likes that reads do not show",
                            looked.get(Report.LEFTOVERS)));
        }
        if (looked.getOrDefault(Report.COMMENTS_ON_DELETED, 0L) > 0) {
            line(
                    text,
                    "comments",
                    String.format("%,d stand under statuses that are deleted", looked.get(Report.COMMENTS_ON_DELETED)));
        }
        if (!report.keysNotRead().isEmpty()) {
            line(
                    text,
                    "keys",
                    "not listed: " + report.keysNotRead()
                            + ". Name a user of Redis who may, with FANFARE_REDIS_URL, or grant +scan");
        }
        if (!report.archiveNotRead().isEmpty()) {
            line(text, "archive", "not compared: " + report.archiveNotRead() + ". Run the command again later");
        }
        if (!report.byKind().isEmpty()) {
            text.append(String.format("%n%-20s %9s %9s %9s%n", "kind", "left", "in flux", "repaired"));
            report.byKind()
                    .forEach((kind, counts) -> text.append(String.format(
                            "%-20s %,9d %,9d %,9d%n", kind.wire(), counts.left(), counts.inFlux(), counts.repaired())));
        }
        examples(text, "left", report.left(), report.leftCount());
        examples(text, "in flux: jobs were changing it at every look", report.inFlux(), report.inFluxCount());
        remedies(text, report);
        return text.append(verdict(report)).toString();
    }

    /** The kinds of entries that the run checked, each with its count. */
    static String looked(Report report) {
        return report.looked().entrySet().stream()
                .filter(entry -> entry.getValue() > 0
                        && !entry.getKey().equals(Report.LEFTOVERS)
                        && !entry.getKey().equals(Report.COMMENTS_ON_DELETED))
                .map(entry -> String.format("%,d %s", entry.getValue(), entry.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-10s %s%n", name, value));
    }

    private static void examples(StringBuilder text, String what, List<Difference> first, long count) {
        if (count == 0) {
            return;
        }
        text.append(String.format("%n%s%n", what));
        first.stream()
                .limit(SHOWN_MAX)
                .forEach(difference -> text.append(String.format(
                        "  %s: %s%n", difference.kind().wire(), Terminal.printable(difference.detail()))));
        if (count > SHOWN_MAX) {
            text.append(String.format("  and %,d more%n", count - SHOWN_MAX));
        }
    }

    private void remedies(StringBuilder text, Report report) {
        if (!repair) {
            return;
        }
        report.byKind().forEach((kind, counts) -> {
            if (counts.left() > 0) {
                text.append(String.format("%n%s: %s%n", kind.wire(), remedy(kind)));
            }
        });
    }

    private static String remedy(Kind kind) {
        return kind.remedy().isEmpty() ? "still there after its repair: run the command again" : kind.remedy();
    }

    private String verdict(Report report) {
        String cut = report.isCut() ? "; one account has more than one run holds, so run it again" : "";
        if (report.leftCount() > 0) {
            return String.format(
                    "%n%,d differences left%s%s",
                    report.leftCount(), repair ? "" : "; --repair repairs what can be repaired", cut);
        }
        String flux = report.inFluxCount() == 0 ? "" : String.format(", %,d in flux", report.inFluxCount());
        return report.repairedCount() == 0
                ? "no differences" + flux
                : String.format("%nno differences left, %,d repaired%s%s", report.repairedCount(), flux, cut);
    }

    private JsonObject json(Report report, long drawn) {
        JsonObject looked = new JsonObject();
        report.looked().forEach((what, count) -> looked.put(what.replace(' ', '_'), count));
        JsonObject kinds = new JsonObject();
        report.byKind()
                .forEach((kind, counts) -> kinds.put(
                        kind.wire(),
                        new JsonObject()
                                .put("left", counts.left())
                                .put("in_flux", counts.inFlux())
                                .put("repaired", counts.repaired())));
        JsonObject all = new JsonObject()
                .put("clean", report.isClean())
                .put("left", report.leftCount())
                .put("in_flux", report.inFluxCount())
                .put("repaired", report.repairedCount())
                .put(
                        "keys_listed",
                        account == null
                                && sample == null
                                && report.keysNotRead().isEmpty())
                .put("archive_compared", report.looked().containsKey(Report.ARCHIVED))
                .put("cut", report.isCut())
                .put("looked_at", looked)
                .put("kinds", kinds)
                .put("differences", json(report.left()))
                .put("differences_in_flux", json(report.inFlux()))
                .put("differences_repaired", json(report.repaired()));
        return sample == null ? all : all.put("seed", drawn);
    }

    private static JsonArray json(List<Difference> differences) {
        JsonArray all = new JsonArray();
        for (Difference difference : differences) {
            all.add(new JsonObject()
                    .put("kind", difference.kind().wire())
                    .put("detail", difference.detail())
                    .put("remedy", difference.kind().remedy()));
        }
        return all;
    }
}
