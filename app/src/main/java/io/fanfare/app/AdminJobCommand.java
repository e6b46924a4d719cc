package io.fanfare.app;

import io.fanfare.app.operate.JobSearch;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Id;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin queue job ID}: where the jobs of a status or an account are. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        description =
                "Shows where jobs are that name a status or an account: in which lane and behind how many, in whose"
                        + " batch, delayed, suspect or dead.")
final class AdminJobCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "ID", description = "Of a status or an account.")
    private String text;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.ofCommand();
        long id = Id.parse(text);
        if (id <= 0) {
            throw new ParameterException(spec.commandLine(), "ID must be the number of a status or an account");
        }
        try (RemoteStores.Session session = RemoteStores.open(options.joining())) {
            JobSearch search = new JobSearch(session, id);
            List<JobSearch.Place> places = search.run();
            System.out.println(json ? search.json().encodePrettily() : text(places, search));
        }
        return 0;
    }

    private static String text(List<JobSearch.Place> places, JobSearch search) {
        String lines = places.stream()
                .map(place -> "shard " + place.shard() + "  " + place.where() + "  "
                        + Terminal.printable(place.remark()) + "  [" + Terminal.printable(place.job()) + ']'
                        + System.lineSeparator())
                .collect(Collectors.joining());
        return lines + places.size() + " found in " + search.looked() + " jobs"
                + (search.sawAll() ? "" : "; there are more jobs that were not looked at");
    }
}
