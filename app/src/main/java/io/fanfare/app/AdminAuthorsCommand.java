package io.fanfare.app;

import io.fanfare.app.operate.AuthorsReport;
import io.fanfare.app.operate.AuthorsReport.Author;
import io.fanfare.app.operate.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fanfare admin queue authors}: whose jobs wait. */
@Command(
        name = "authors",
        mixinStandardHelpOptions = true,
        description =
                "Shows whose jobs wait: the accounts with the most jobs in lanes, among the suspects and delayed, and"
                        + " of which types. Reads at most a million jobs.")
final class AdminAuthorsCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "10",
            description = "At most so many, 1 to " + AuthorsReport.SHOWN_MAX + ". Default: ${DEFAULT-VALUE}.")
    private int max;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.ofCommand();
        if (max < 1 || max > AuthorsReport.SHOWN_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + AuthorsReport.SHOWN_MAX);
        }
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            AuthorsReport report = new AuthorsReport(session);
            List<Author> authors = report.run(max);
            Map<Long, String> names =
                    session.names(authors.stream().map(Author::id).toList());
            System.out.println(
                    json ? report.json(authors, names).encodePrettily() : table(authors, names) + foot(report));
        }
        return 0;
    }

    private static String table(List<Author> authors, Map<Long, String> names) {
        StringBuilder text =
                new StringBuilder(row("JOBS", "HIGH", "NORMAL", "LOW", "SUSPECT", "DELAYED", "AUTHOR", "TYPES"));
        for (Author author : authors) {
            Object[] columns = new Object[AuthorsReport.LISTS.size() + 3];
            columns[0] = number(author.jobs());
            for (int i = 0; i < AuthorsReport.LISTS.size(); i++) {
                columns[i + 1] = number(author.byList().getOrDefault(AuthorsReport.LISTS.get(i), 0));
            }
            String name = names.get(author.id());
            columns[columns.length - 2] = author.id() + (name == null ? "" : " @" + Terminal.printable(name));
            columns[columns.length - 1] = author.byType().entrySet().stream()
                    .map(type -> Terminal.printable(type.getKey()) + " " + number(type.getValue()))
                    .collect(Collectors.joining(", "));
            text.append(System.lineSeparator()).append(row(columns));
        }
        return text.append(System.lineSeparator()).toString();
    }

    private static String row(Object... columns) {
        return String.format(Locale.ROOT, "%9s  %9s  %9s  %9s  %9s  %9s  %-32s  %s", columns)
                .stripTrailing();
    }

    private static String number(int count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static String foot(AuthorsReport report) {
        return number(report.looked()) + " jobs"
                + (report.sawAll() ? "" : "; there are more jobs that were not looked at");
    }
}
