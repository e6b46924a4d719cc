package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.Report;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * The stages of a request in which the event loops of a process spend their processor time. Their time in the kernel is
 * one stage. Samples of Java stacks ({@code jdk.ExecutionSample}) divide the rest: a sample belongs to the innermost
 * frame that a stage knows. Samples of native calls are not used, because the profiler takes one of a single thread
 * each period, which is often a thread that waits. The work is done twice, because samples cost time themselves: once
 * for the times, and once for the samples. For the main thread of the process.
 */
public final class StageProfile {
    private static final String TIMES = "stages: times";
    private static final String BEGIN = "stages: take samples";
    private static final String END = "stages: samples";

    private static final Duration PERIOD = Duration.ofMillis(1);
    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String EVENT_LOOP = "vert.x-eventloop";

    /** A stage, and the beginnings of the names of classes that belong to it. */
    private enum Stage {
        AUTHORISE("authorise", "io.fanfare.server.http.Authentication", "io.fanfare.common.auth."),
        RATE_LIMIT("rate limit", "io.fanfare.api.endpoint.RateLimit", "io.fanfare.server.http.TokenBucket"),
        RENDER(
                "render",
                "io.fanfare.common.view.",
                "io.fanfare.api.render.",
                "io.fanfare.common.event.body.",
                "com.fasterxml.jackson."),
        HYDRATE("hydrate", "io.fanfare.core.view.", "io.fanfare.common.store.", "io.fanfare.common.model."),
        FEED("feeds and followers", "io.fanfare.core.feed.", "io.fanfare.core.graph."),
        EVENT("append the event", "io.fanfare.common.event.", "io.fanfare.core.post."),
        QUEUE("claim and settle jobs", "io.fanfare.core.queue.", "io.fanfare.common.queue."),
        JOB("handle jobs", "io.fanfare.worker."),
        STREAM("relay and match", "io.fanfare.stream."),
        REDIS("Redis", "io.fanfare.redis."),
        ANSWER(
                "encode the answer",
                "io.netty.handler.codec.http.HttpResponseEncoder",
                "io.netty.handler.codec.http.HttpObjectEncoder",
                "io.vertx.core.http.impl.",
                "io.fanfare.api.endpoint.Answer"),
        PARSE(
                "parse and route",
                "io.netty.handler.codec.http.",
                "io.fanfare.vertx.",
                "io.fanfare.server.http.",
                "io.fanfare.api.",
                "io.vertx.ext.web."),
        OTHER("Vert.x, Netty"),
        KERNEL("kernel");

        private final String label;
        private final Pattern frames;

        Stage(String label, String... frames) {
            this.label = label;
            this.frames = Pattern.compile(
                    Arrays.stream(frames).map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")")));
        }

        /** A stage without a class. */
        Stage(String label) {
            this.label = label;
            this.frames = Pattern.compile("(?!)");
        }

        private boolean has(String type) {
            return frames.matcher(type).lookingAt();
        }
    }

    private final long left;
    private Recording recording;

    /** A profile of all event loops of the process. */
    public StageProfile() {
        this(0);
    }

    /** @param left a thread to leave out, an event loop that is not part of the server */
    public StageProfile(long left) {
        this.left = left;
    }

    /** The answer to a question of {@link #during}; null for other questions. */
    public String answer(String question) {
        return switch (question) {
            case TIMES -> times();
            case BEGIN -> {
                recording = new Recording();
                recording.enable(SAMPLE).withPeriod(PERIOD);
                recording.start();
                yield "";
            }
            case END -> samples();
            default -> null;
        };
    }

    /** The nanoseconds of the event loops in user mode and in the kernel. */
    private String times() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long user = 0;
        long all = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && isEventLoop(thread.getThreadId(), thread.getThreadName())) {
                user += threads.getThreadUserTime(thread.getThreadId());
                all += threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return user + " " + (all - user);
    }

    /** The number of samples of each stage. */
    private String samples() {
        recording.stop();
        try {
            Path file = Files.createTempFile("fanfare-stages", ".jfr");
            try {
                recording.dump(file);
                return count(file).entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
            } finally {
                Files.delete(file);
                recording.close();
            }
        } catch (IOException e) {
            throw new BenchFailed("the profile cannot be written: " + Reason.of(e));
        }
    }

    private boolean isEventLoop(long id, String name) {
        return id != left && name != null && name.startsWith(EVENT_LOOP);
    }

    private Map<Stage, Long> count(Path file) throws IOException {
        Map<Stage, Long> samples = new EnumMap<>(Stage.class);
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.hasField("sampledThread")
                        && event.getStackTrace() != null
                        && event.getThread("sampledThread") != null
                        && isEventLoop(
                                event.getThread("sampledThread").getJavaThreadId(),
                                event.getThread("sampledThread").getJavaName())) {
                    samples.merge(stage(event.getStackTrace().getFrames()), 1L, Long::sum);
                }
            }
        }
        return samples;
    }

    /** @param frames the innermost first */
    private static Stage stage(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            String type = frame.getMethod().getType().getName();
            for (Stage stage : Stage.values()) {
                if (stage.has(type)) {
                    return stage;
                }
            }
        }
        return Stage.OTHER;
    }

    /**
     * Profiles processes while they do some work.
     *
     * @param processes their names, and for each a function that asks it; it answers with {@link #answer}
     * @param work is done twice; answers how many units
     */
    public static Map<String, Times> during(Map<String, UnaryOperator<String>> processes, LongSupplier work) {
        Map<String, String> before = ask(processes, TIMES);
        long units = work.getAsLong();
        Map<String, String> after = ask(processes, TIMES);
        Map<String, String> unusedAnswers = ask(processes, BEGIN);
        long unusedUnits = work.getAsLong();
        Map<String, Times> profiles = new LinkedHashMap<>();
        ask(processes, END)
                .forEach((process, samples) ->
                        profiles.put(process, Times.of(before.get(process), after.get(process), samples, units)));
        return profiles;
    }

    private static Map<String, String> ask(Map<String, UnaryOperator<String>> processes, String question) {
        Map<String, String> answers = new LinkedHashMap<>();
        processes.forEach((process, questions) -> answers.put(process, questions.apply(question)));
        return answers;
    }

    /** Processor microseconds of a unit by stage. */
    public static final class Times {
        private final long samples;
        private final Map<Stage, Double> micros;

        private Times(long samples, Map<Stage, Double> micros) {
            this.samples = samples;
            this.micros = micros;
        }

        private static Times of(String before, String after, String samples, long units) {
            Map<Stage, Long> counts = new EnumMap<>(Stage.class);
            Arrays.stream(samples.split(" ", -1))
                    .filter(part -> !part.isEmpty())
                    .forEach(part -> {
                        String[] stage = part.split("=", 2);
                        counts.put(Stage.valueOf(stage[0]), Long.parseLong(stage[1]));
                    });
            long all = counts.values().stream().mapToLong(Long::longValue).sum();
            Map<Stage, Double> micros = new EnumMap<>(Stage.class);
            counts.forEach((stage, count) -> micros.put(stage, micros(before, after, 0) / units * count / all));
            micros.put(Stage.KERNEL, micros(before, after, 1) / units);
            return new Times(all, micros);
        }

        private static double micros(String before, String after, int at) {
            return (Long.parseLong(after.split(" ", -1)[at]) - Long.parseLong(before.split(" ", -1)[at])) / 1e3;
        }

        /** The difference to a process that had nothing to do; no stage is less than nothing. */
        public Times minus(Times idle) {
            Map<Stage, Double> rest = new EnumMap<>(micros);
            idle.micros.forEach(
                    (stage, spent) -> rest.computeIfPresent(stage, (same, all) -> Math.max(0, all - spent)));
            return new Times(samples, rest);
        }

        /**
         * Adds a line for each stage to a report.
         *
         * @param prefix of the names of figures, empty when the report has one profile
         * @param process its name
         * @param unit such as "a post"
         */
        public void report(Report report, String prefix, String process, String unit) {
            if (samples == 0) {
                throw new BenchFailed("the profile has no samples: give it more time with --seconds N");
            }
            double all =
                    micros.values().stream().mapToDouble(Double::doubleValue).sum();
            report.sentence(String.format(
                    Locale.ROOT,
                    "Stages of %.2f us %s in the event loops of the %s, by %,d samples:",
                    all,
                    unit,
                    process,
                    samples));
            micros.forEach((stage, spent) -> report.figure(
                    prefix + "stage-" + process + "-"
                            + stage.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-us",
                    spent,
                    String.format(Locale.ROOT, "  %-22s %5.1f %%  %7.2f us", stage.label, spent * 100 / all, spent)));
        }
    }
}
