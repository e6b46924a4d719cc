package io.fanfare.app.listen;

import io.fanfare.client.Fanfare;
import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.Cursor;
import io.fanfare.client.stream.EventStream;
import io.fanfare.client.stream.Filter;
import io.fanfare.client.stream.StreamBuilder;
import io.fanfare.client.stream.StreamEvent;
import io.fanfare.server.runtime.DefaultPlaces;
import io.fanfare.server.runtime.RuntimeFile;
import io.fanfare.server.runtime.Signals;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare listen}: prints a stream, one event a line, for as long as it is wanted. */
@Command(
        name = "listen",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:Ctrl-C, or all events of --max or of a negative --count were received",
            "1:the first connection failed, or the server refuses (401, 403, 404)",
            "2:the request was wrong (406 and the like), or the arguments are"
        },
        description = {
            "Listens to a stream: one line per event on standard output, everything else on standard error.",
            "Connects again when the connection ends, and goes on right after the last event."
        })
public final class ListenCommand implements Callable<Integer> {
    /**
     * The character that Java substitutes for bytes that its locale cannot decode. No post would match such a phrase.
     */
    private static final String UNREADABLE = "\ufffd";

    private static final Set<String> STREAMS = Set.of("firehose", "sample", "filter", "home");
    private static final String URL_DEFAULT = "http://127.0.0.1:8080";
    private static final int PORT_MAX = 65_535;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    @Parameters(
            arity = "0..1",
            paramLabel = "STREAM",
            description =
                    "firehose, sample, filter or home. Default: filter with --track, --follow or --locations, sample with --rate alone, else firehose.")
    private String stream;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "The server; repeat the option for several: when one goes, the next is tried. Default: the service that runs on --data, else "
                            + URL_DEFAULT + ".")
    private List<URI> urls;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "Access token. Default: FANFARE_TOKEN of the environment, which other users of the machine cannot see.")
    private String token;

    @Option(
            names = "--track",
            paramLabel = "PHRASES",
            description = "Keywords: commas between phrases; may be repeated.")
    private List<String> track;

    @Option(names = "--follow", paramLabel = "ACCOUNTS", description = "Ids or names, commas between; may be repeated.")
    private List<String> follow;

    @Option(
            names = "--locations",
            paramLabel = "BOXES",
            description =
                    "Longitude and latitude of the south-west corner and of the north-east one, commas between; may be repeated.")
    private List<String> locations;

    @Option(names = "--rate", paramLabel = "PERCENT", description = "A sample of so much, above 0 to 100.")
    private String rate;

    @Option(names = "--since", paramLabel = "TIME", description = "From a moment on, such as 2026-01-02T03:04:05Z.")
    private String since;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "The last N events first; a negative number ends after them.")
    private String count;

    @Option(names = "--cursor", paramLabel = "ID", description = "After this event: its id, as --json shows it.")
    private String cursor;

    @Option(names = "--max", paramLabel = "N", description = "Ends with 0 after so many events.")
    private long max = Long.MAX_VALUE;

    @Option(names = "--json", description = "For programs: one object per event, with event, id and data.")
    private boolean json;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DefaultPlaces.DATA,
            description = "Data folder of a service on this machine. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Spec
    private CommandSpec spec;

    private final PrintStream out;
    private final PrintStream err;
    private long printed;

    /** {@code out} is where events go, {@code err} everything else. */
    public ListenCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try (EventStream events = checked()) {
            Signals.on("INT", events::close);
            Signals.on("TERM", events::close);
            print(events);
            return 0;
        } catch (ApiException e) {
            boolean barred = e.status() == 401 || e.status() == 403 || e.status() == 404;
            String hint = e.status() == 401 ? " Show an access token with --token or in FANFARE_TOKEN." : "";
            err.println("listen: the server answers " + e.status() + ": " + e.sentence() + hint);
            return barred ? FAILED : WRONG_USAGE;
        } catch (FanfareException e) {
            err.println("listen: " + e.getMessage());
            return FAILED;
        } finally {
            out.flush();
        }
    }

    /** The library explains an argument that it does not take. */
    private EventStream checked() {
        try {
            return open();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private EventStream open() {
        checkReadable("--track", track);
        checkReadable("--follow", follow);
        boolean filters = track != null || follow != null || locations != null;
        String named = stream != null ? stream : filters ? "filter" : rate != null ? "sample" : "firehose";
        check(STREAMS.contains(named), "there is no stream '" + named + "': take firehose, sample, filter or home");
        check(!filters || named.equals("filter"), "--track, --follow and --locations go with filter only");
        check(max >= 1, "--max is a whole number from 1");
        Fanfare.Builder server = Fanfare.at(
                        servers().stream().map(URI::toString).toArray(String[]::new))
                .token(token());
        Fanfare fanfare = authority()
                .map(TrustedFile::context)
                .map(server::tls)
                .orElse(server)
                .build();
        StreamBuilder request =
                switch (named) {
                    case "filter" -> fanfare.stream(filter());
                    case "home" -> fanfare.home();
                    case "sample" ->
                        rate == null ? fanfare.sample() : fanfare.sample().parameter("rate", rate);
                    default -> fanfare.firehose();
                };
        put(request, "since", since);
        put(request, "count", count);
        return request.from(new Cursor(cursor))
                .failFast()
                .onReconnect(this::remark)
                .onGap(this::gap)
                .open();
    }

    private Filter filter() {
        Filter filter = Filter.empty();
        filter = track == null ? filter : filter.parameter("track", String.join(",", track));
        filter = follow == null ? filter : filter.parameter("follow", String.join(",", follow));
        filter = locations == null ? filter : filter.parameter("locations", String.join(",", locations));
        return rate == null ? filter : filter.parameter("rate", rate);
    }

    private static void put(StreamBuilder request, String name, String valueOrNull) {
        if (valueOrNull != null) {
            StreamBuilder unused = request.parameter(name, valueOrNull);
        }
    }

    /** Ends also when nobody reads any more, as behind {@code | head}. */
    private void print(EventStream events) {
        for (Batch batch : events) {
            for (StreamEvent event : batch.events()) {
                if (event instanceof StreamEvent.Warned || event instanceof StreamEvent.Limited) {
                    remark(event.name() + ": " + event.json());
                } else if (!(event instanceof StreamEvent.Hello || event instanceof StreamEvent.Gap)) {
                    out.println(json ? EventText.json(event) : EventText.line(event));
                    printed++;
                    if (printed >= max || out.checkError()) {
                        return;
                    }
                }
            }
        }
    }

    private void gap(StreamEvent.Gap gap) {
        remark("gap: " + (gap.missed() == null ? "an unknown number of" : gap.missed())
                + " events cannot be had any more (" + gap.reason() + ")");
    }

    private void remark(String sentence) {
        err.println("listen: " + sentence);
    }

    private List<URI> servers() {
        if (urls == null) {
            return List.of(
                    URI.create(RuntimeFile.read(data).map(RuntimeFile::httpUrl).orElse(URL_DEFAULT)));
        }
        for (URI url : urls) {
            check(isWeb(url), "--url " + url + " is no address: write http://HOST:PORT or https://HOST");
        }
        return urls;
    }

    /** The certificate file of the service on this machine: this machine's own file needs nobody else's word. */
    private Optional<Path> authority() {
        return urls != null
                ? Optional.empty()
                : RuntimeFile.read(data)
                        .map(running -> running.settings().getOrDefault("http.tls.certificate", ""))
                        .filter(file -> !file.isEmpty())
                        .map(Path::of)
                        .filter(Files::isReadable);
    }

    private static boolean isWeb(URI url) {
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        return http && url.getHost() != null && url.getPort() <= PORT_MAX;
    }

    private String token() {
        String given = token != null ? token : System.getenv("FANFARE_TOKEN");
        String shown = given == null ? "" : given.strip();
        // It would be refused in words that show it.
        check(
                shown.chars().allMatch(c -> c > ' ' && c < 0x7f),
                "the access token has a character that no token has: look at --token or FANFARE_TOKEN");
        return shown;
    }

    private void checkReadable(String option, List<String> valuesOrNull) {
        boolean readable = valuesOrNull == null || valuesOrNull.stream().noneMatch(value -> value.contains(UNREADABLE));
        check(readable, option + " holds what this locale cannot write: start with LC_ALL=C.UTF-8");
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
