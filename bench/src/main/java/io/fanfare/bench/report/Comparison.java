package io.fanfare.bench.report;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Lets contestants take turns, A B C A B C, so that whatever else the machine does meets all of them alike; figures are
 * medians of the rounds. Processor time is accounted per unit of work, because it survives a noisy machine better than
 * speed does.
 */
public final class Comparison {
    /**
     * Rounds of the usual 3 s until the API is compiled, which takes about 100,000 requests; a bare handler is sooner.
     */
    public static final int UNTIL_COMPILED = 5;

    private final Map<String, Contestant> contestants = new LinkedHashMap<>();
    private final Map<String, ToDoubleFunction<String>> processes = new LinkedHashMap<>();
    private int warmUps = 1;

    /** Takes part in a comparison. */
    public interface Contestant {
        /** Works for one round; answers how many units of work it did. */
        long work();

        /** Makes ready for a round; neither its time nor its processor time counts. */
        default void prepare() {}

        /** Cleans up after a round; does not count either. */
        default void finish() {}
    }

    /**
     * One round.
     *
     * @param cpuSeconds by process
     */
    record Round(long units, double seconds, Map<String, Double> cpuSeconds) {
        Round {
            cpuSeconds = new LinkedHashMap<>(cpuSeconds);
        }

        public double perSecond() {
            return units / seconds;
        }
    }

    /** All rounds of one contestant. */
    public record Result(String name, List<Round> rounds) {
        public Result {
            rounds = List.copyOf(rounds);
        }

        public double perSecond() {
            return median(Round::perSecond);
        }

        /** Processor microseconds of a process for each unit of work. */
        public double cpuMicros(String process) {
            return median(round -> round.cpuSeconds().get(process) / round.units() * 1e6);
        }

        /** How busy a process was: 1 = a whole core all the time. */
        public double busy(String process) {
            return median(round -> round.cpuSeconds().get(process) / round.seconds());
        }

        private double median(ToDoubleFunction<Round> figure) {
            return Comparison.median(rounds.stream().mapToDouble(figure).toArray());
        }
    }

    public static double median(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** A process whose time is accounted; {@code cpuSeconds} is what it has used so far. */
    public Comparison process(String name, DoubleSupplier cpuSeconds) {
        return processOf(name, contestant -> cpuSeconds.getAsDouble());
    }

    /** A part that another process plays for each contestant; the function takes the contestant's name. */
    public Comparison processOf(String part, ToDoubleFunction<String> cpuSeconds) {
        processes.put(part, cpuSeconds);
        return this;
    }

    /** Takes part from the next {@link #run} on. */
    public Comparison contestant(String name, Contestant contestant) {
        contestants.put(name, contestant);
        return this;
    }

    /**
     * So many rounds of each contestant do not count, at the beginning; one when nothing is said. A JVM goes on
     * compiling for a while, the longer the more code there is to run.
     */
    public Comparison warmUp(int rounds) {
        warmUps = rounds;
        return this;
    }

    List<String> processes() {
        return List.copyOf(processes.keySet());
    }

    /** The rounds that do not count, see {@link #warmUp}, then {@code rounds} rounds in turn. */
    public List<Result> run(int rounds) {
        for (int i = 0; i < warmUps; i++) {
            contestants.forEach(Comparison::warmUp);
        }
        Map<String, List<Round>> played = new LinkedHashMap<>();
        for (int i = 0; i < rounds; i++) {
            contestants.forEach((name, contestant) ->
                    played.computeIfAbsent(name, n -> new ArrayList<>()).add(play(name, contestant)));
        }
        List<Result> results = new ArrayList<>();
        played.forEach((name, all) -> results.add(new Result(name, all)));
        return results;
    }

    private static void warmUp(String name, Contestant contestant) {
        contestant.prepare();
        long units = contestant.work();
        contestant.finish();
        if (units == 0) {
            throw new BenchFailed(name + " did nothing in its round: give it more --seconds");
        }
    }

    private Round play(String contestantName, Contestant contestant) {
        contestant.prepare();
        double[] before = cpu(contestantName);
        long begin = System.nanoTime();
        long units = contestant.work();
        double seconds = (System.nanoTime() - begin) / 1e9;
        double[] after = cpu(contestantName);
        contestant.finish();
        Map<String, Double> used = new LinkedHashMap<>();
        int i = 0;
        for (String name : processes.keySet()) {
            used.put(name, after[i] - before[i]);
            i++;
        }
        return new Round(units, seconds, used);
    }

    private double[] cpu(String contestant) {
        return processes.values().stream()
                .mapToDouble(process -> process.applyAsDouble(contestant))
                .toArray();
    }

    /** Processor seconds that this JVM has used, all its threads. */
    public static double javaCpuSeconds() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean bean) {
            return bean.getProcessCpuTime() / 1e9;
        }
        throw new IllegalStateException("this JVM does not account its processor time");
    }
}
