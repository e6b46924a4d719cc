package io.fanfare.bench.scenario;

import io.fanfare.bench.load.ReaderProcess;
import io.fanfare.bench.load.Sample;
import io.fanfare.bench.peer.StreamPeer;
import io.fanfare.bench.report.BenchOptions;
import io.fanfare.bench.report.Comparison;
import io.fanfare.bench.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A peer and its readers, which somebody else closes, connected all the time: each round publishes at a fixed rate and
 * waits until everybody has everything.
 */
final class StreamContestant implements Comparison.Contestant {
    /** How long the last deliveries of a round may take. */
    static final Duration TAIL_MAX = Duration.ofSeconds(10);

    private final String name;
    private final StreamPeer peer;
    private final ReaderProcess readers;
    private final Load load;
    private final List<Round> rounds = new ArrayList<>();

    /**
     * The load of each round.
     *
     * @param copies how many streams each event goes to
     * @param oneIn of so many streams one belongs to the {@link Sample}
     * @param gzip whether the streams are to come compressed
     */
    record Load(int streams, long events, double perSecond, long copies, int oneIn, boolean gzip) {
        static Load of(BenchOptions options, int streams, double perSecond, long copies, int oneIn) {
            long events = Math.max(1, (long) (options.nanosPerRound() / 1e9 * perSecond));
            return new Load(streams, events, perSecond, copies, oneIn, /* gzip= */ false);
        }

        Load compressed() {
            return new Load(streams, events, perSecond, copies, oneIn, /* gzip= */ true);
        }

        long deliveries() {
            return events * copies;
        }
    }

    private record Round(ReaderProcess.Figures figures, double delivered, int whole) {}

    /** One whose readers have {@link #open}ed their streams. */
    StreamContestant(String name, StreamPeer peer, ReaderProcess readers, Load load) {
        this.name = name;
        this.peer = peer;
        this.readers = readers;
        this.load = load;
    }

    /** Opens the streams of the load. */
    static ReaderProcess open(StreamPeer peer, Load load) {
        System.err.println("opening " + load.streams() + " streams: " + peer.name() + " ...");
        ReaderProcess readers = new ReaderProcess();
        if (load.gzip()) {
            readers.openCompressed(peer.port(), load.streams(), peer.path(), load.oneIn());
        } else {
            readers.open(peer.port(), load.streams(), peer.path(), load.oneIn());
        }
        return readers;
    }

    String name() {
        return name;
    }

    StreamPeer peer() {
        return peer;
    }

    ReaderProcess readers() {
        return readers;
    }

    @Override
    public void prepare() {
        readers.reset();
    }

    @Override
    public long work() {
        peer.publish(load.events(), load.perSecond());
        ReaderProcess.Figures figures = readers.await(load.deliveries(), TAIL_MAX);
        int whole = figures.published() == load.events() ? figures.whole() : 0;
        rounds.add(new Round(figures, (double) figures.events() / load.deliveries(), whole));
        return figures.events();
    }

    /**
     * Latencies and completeness of the rounds that counted, medians but for the latter; in the report under this
     * contestant's name.
     */
    void report(Report report, String key) {
        double p50 = median(round -> round.figures().p50Millis());
        double p99 = median(round -> round.figures().p99Millis());
        double delivered =
                counted().stream().mapToDouble(Round::delivered).min().orElse(0);
        report.figure(
                key + "-p50-ms",
                p50,
                String.format(
                        "%s: due -> read p50 %.2f ms, p99 %.2f ms, max %.2f ms; %.2f %% delivered, %.0f bytes each",
                        name,
                        p50,
                        p99,
                        median(round -> round.figures().maxMillis()),
                        delivered * 100,
                        median(round -> (double) round.figures().bytes()
                                / Math.max(1, round.figures().events()))));
        report.figure(key + "-p99-ms", p99, "");
        report.figure(key + "-delivered", delivered, "");
        if (load.copies() == load.streams()) {
            int whole = counted().stream().mapToInt(Round::whole).min().orElse(0);
            report.figure(
                    key + "-whole",
                    whole,
                    whole == load.streams()
                            ? ""
                            : name + ": only " + whole + " of " + load.streams()
                                    + " streams got each event once, and no other");
        }
    }

    /** The first one warmed up. */
    private List<Round> counted() {
        return rounds.subList(Math.min(1, rounds.size()), rounds.size());
    }

    private double median(ToDoubleFunction<Round> figure) {
        return Comparison.median(counted().stream().mapToDouble(figure).toArray());
    }
}
