package io.fanfare.bench.replay;

import io.fanfare.bench.input.EdgeListReader;
import io.fanfare.bench.input.Skips;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.Authors;
import io.fanfare.bench.report.Count;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.server.runtime.StartFailed;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code fanfare replay}: reads the input, runs one {@link Replay}, prints what it found. Exit status 0 = no
 * difference, 1 = differences, or it could not be carried through, 2 = the input or the arguments will not do.
 */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Posts real messages over a real graph, then compares every home timeline and the stream with what was acknowledged.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no difference",
            "1:differences, the first of them printed, or it could not be carried through",
            "2:the input or the arguments are wrong"
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    private static final int RATE_MAX = 1_000_000;

    @Option(
            names = "--graph",
            required = true,
            paramLabel = "FILE",
            description =
                    "Edge list, 'u v' per line: u follows v. Names are whole numbers. Further columns and # comments are ignored; may be gzip.")
    private Path graphFile;

    @Option(
            names = "--messages",
            required = true,
            paramLabel = "FILE",
            description = "Texts: .csv, .tsv or .jsonl with a text column, anything else one per line; may be gzip.")
    private Path messagesFile;

    @Option(
            names = "--text-column",
            paramLabel = "NAME",
            description = "Column, or path in JSON, that holds the text. Default: text, content or message.")
    private String textColumn;

    @Option(names = "--undirected", description = "Each line is two follow edges, one each way.")
    private boolean undirected;

    @Option(names = "--reverse", description = "v follows u.")
    private boolean reverse;

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "2147483647",
            converter = Count.class,
            description = "Keeps the first N users met in the file, and the edges among them. Default: all.")
    private int users;

    @Option(
            names = "--posts",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Count.class,
            description = "Posts in all; messages repeat when there are fewer. Default: ${DEFAULT-VALUE}.")
    private int posts;

    @Option(
            names = "--votes",
            paramLabel = "FILE",
            description =
                    "Votes, 'voter article time' per line: publishes the articles after the posts, casts the votes and compares every count and ranking. May be gzip.")
    private Path votesFile;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Posts per second, whatever the server does. Default: as fast as answers come.")
    private double rate;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "16",
            converter = Count.class,
            description = "Requests under way at most. Default: ${DEFAULT-VALUE}.")
    private int atOnce;

    @Option(
            names = "--authors",
            paramLabel = "HOW",
            defaultValue = "followers",
            description =
                    "Who posts: 'uniform', or 'followers' (f followers: f + 1 times as often). Default: ${DEFAULT-VALUE}.")
    private Authors authors;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draws the authors. Default: a random one, which is printed.")
    private Long seed;

    @Option(
            names = "--run",
            paramLabel = "NAME",
            description = "Part of the user names (r<run>_<node>), up to 10 of a-z and 0-9. Default: a random one.")
    private String run;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "60",
            converter = Count.class,
            description = "How long the server may be away. Default: ${DEFAULT-VALUE}.")
    private int patienceSeconds;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "How long homes and stream may take after the last post. Default: ${DEFAULT-VALUE}.")
    private int settleSeconds;

    @Option(names = "--url", paramLabel = "URL", description = "The server. Without --data everything goes over HTTP.")
    private URI url;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Data directory of a running 'fanfare up': accounts and edges are made through its stores, homes compared as they are stored. Default: ./data when something runs there and no --url is given.")
    private Path data;

    @Spec
    private CommandSpec spec;

    private final PrintStream out;

    /** {@code out} is where the results go. */
    public ReplayCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        try {
            return replay();
        } catch (IOException e) {
            System.err.println("replay: " + e.getMessage());
            return EXIT_USAGE;
        } catch (EventLoop.StepFailed | StartFailed e) {
            System.err.println("replay: not carried through: " + e.getMessage());
            return EXIT_FAILED;
        }
    }

    private int replay() throws IOException {
        check(rate >= 0 && rate <= RATE_MAX, "--rate is from 0 to " + RATE_MAX + " posts a second");
        check(settleSeconds >= 0, "--settle is 0 seconds or more");
        check(
                run == null || run.matches("[a-z0-9]{1,10}"),
                "--run is 1 to 10 of a-z and 0-9: it is a part of user names");
        SecureRandom random = new SecureRandom();
        String name = run == null ? Long.toString(random.nextLong(1L << 30), Character.MAX_RADIX) : run;
        long drawn = seed == null ? random.nextInt(Integer.MAX_VALUE) : seed;
        out.printf("replay     run %s, seed %d, authors %s%n", name, drawn, authors);
        SocialGraph graph = readGraph();
        Messages messages = readMessages();
        Votes votes = readVotes(graph);
        Plan plan = new Plan(
                name,
                drawn,
                posts + votes.articles(),
                votes.articles(),
                authors == Authors.FOLLOWERS,
                rate,
                atOnce,
                Duration.ofSeconds(patienceSeconds),
                Duration.ofSeconds(settleSeconds));
        Target target = RunningServer.at(url, data);
        try (EventLoop loop = new EventLoop()) {
            Outcome outcome = new Replay(loop, target, plan, graph, messages, votes, out).run();
            ReplayReport.print(outcome, plan, out);
            return outcome.isPerfect() ? 0 : EXIT_FAILED;
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private SocialGraph readGraph() throws IOException {
        EdgeListReader reader = new EdgeListReader(undirected, reverse, users);
        SocialGraph graph = reader.read(graphFile);
        out.printf(
                "graph      %s: %,d users, %,d follow edges%n", graphFile.getFileName(), graph.users(), graph.edges());
        printSkips(reader.skips());
        if (graph.users() == 0) {
            throw new IOException("no edges in " + graphFile.getFileName());
        }
        return graph;
    }

    private Messages readMessages() throws IOException {
        MessageReader reader = new MessageReader(textColumn);
        Messages messages = reader.read(messagesFile);
        out.printf("messages   %s: %,d texts%n", messagesFile.getFileName(), messages.count());
        printSkips(reader.skips());
        return messages;
    }

    private Votes readVotes(SocialGraph graph) throws IOException {
        if (votesFile == null) {
            return Votes.NONE;
        }
        Votes votes = Votes.read(votesFile, graph);
        out.printf(
                "votes      %s: %,d votes on %,d articles%n",
                votesFile.getFileName(), votes.cast().size(), votes.articles());
        printSkips(votes.skips());
        return votes;
    }

    private void printSkips(Skips skips) {
        List<String> sentences = skips.sentences();
        sentences.forEach(sentence -> out.println("           " + sentence));
    }
}
