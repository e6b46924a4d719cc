package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.fanfare.bench.report.Report;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * The stages of a request in which the event loops of a process spend their processor time, by samples of their stacks
 * ({@code jdk.ExecutionSample}, {@code jdk.NativeMethodSample}). A sample belongs to the innermost frame that a stage
 * knows. Threads that compile or collect garbage have no samples. For the main thread of the process.
 */
public final class StageProfile {
    /** Begins a profile. */
    public static final String BEGIN = "profile";

    /** Ends it; the answer is for {@link #report}. */
    public static final String END = "end of the profile";

    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final String EVENT_LOOP = "vert.x-eventloop";

    /** Waits for events; no processor time. */
    private static final String IDLE = "epollWait";

    /** A stage, and the beginnings of the names of classes that belong to it, with the method where that decides. */
    private enum Stage {
        AUTHORISE("authorise", "io.fanfare.server.http.Authentication", "io.fanfare.common.auth."),
        RATE_LIMIT("rate limit", "io.fanfare.api.endpoint.RateLimit", "io.fanfare.server.http.TokenBucket"),
        RENDER(
                "render",
                "io.fanfare.common.view.",
                "io.fanfare.api.render.",
                "io.fanfare.common.event.body.",
                "com.fasterxml.jackson."),
        HYDRATE(
                "hydrate",
                "io.fanfare.core.view.",
                "io.fanfare.core.feed.",
                "io.fanfare.common.store.",
                "io.fanfare.common.model."),
        EVENT("append the event", "io.fanfare.common.event.", "io.fanfare.core.post."),
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
        READ("read from sockets", "io.netty.channel.unix.FileDescriptor.read", "io.netty.channel.unix.Socket.recv"),
        WRITE("write to sockets", "io.netty.channel.unix.FileDescriptor.write", "io.netty.channel.unix.Socket.send"),
        OTHER("Vert.x, Netty");

        private final String label;
        private final Pattern frames;

        Stage(String label, String... frames) {
            this.label = label;
            this.frames = Pattern.compile(
                    Arrays.stream(frames).map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")")));
        }

        private boolean has(String frame) {
            return this != OTHER && frames.matcher(frame).lookingAt();
        }
    }

    private Recording recording;

    /** Answers {@link #BEGIN} and {@link #END}; null for other questions. */
    public String answer(String question) {
        if (question.equals(BEGIN)) {
            recording = new Recording();
            recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
            recording.enable("jdk.NativeMethodSample").withPeriod(PERIOD);
            recording.start();
            return "a sample each " + PERIOD.toMillis() + " ms";
        }
        return question.equals(END) ? end() : null;
    }

    private String end() {
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

    private static Map<Stage, Long> count(Path file) throws IOException {
        Map<Stage, Long> samples = new EnumMap<>(Stage.class);
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (isOfEventLoop(event)) {
                    List<String> frames = event.getStackTrace().getFrames().stream()
                            .map(StageProfile::name)
                            .toList();
                    if (frames.stream().limit(2).noneMatch(frame -> frame.contains(IDLE))) {
                        samples.merge(stage(frames), 1L, Long::sum);
                    }
                }
            }
        }
        return samples;
    }

    private static boolean isOfEventLoop(RecordedEvent event) {
        return event.hasField("sampledThread")
                && event.getStackTrace() != null
                && event.getThread("sampledThread").getJavaName() != null
                && event.getThread("sampledThread").getJavaName().startsWith(EVENT_LOOP);
    }

    private static String name(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    /** @param frames names of classes and methods, the innermost first */
    private static Stage stage(List<String> frames) {
        for (String frame : frames) {
            for (Stage stage : Stage.values()) {
                if (stage.has(frame)) {
                    return stage;
                }
            }
        }
        return Stage.OTHER;
    }

    /**
     * Adds a sentence for each stage to a report.
     *
     * @param answer of the process to {@link #END}
     * @param micros processor microseconds of the process a unit
     */
    public static void report(Report report, String answer, double micros) {
        Map<Stage, Long> samples = new EnumMap<>(Stage.class);
        Arrays.stream(answer.split(" ", -1)).filter(part -> !part.isEmpty()).forEach(part -> {
            String[] stage = part.split("=", 2);
            samples.put(Stage.valueOf(stage[0]), Long.parseLong(stage[1]));
        });
        long all = samples.values().stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            throw new BenchFailed("the profile has no samples: give it more time with --seconds N");
        }
        report.sentence(String.format(
                Locale.ROOT, "Stages of the %.1f us of the server, by %,d samples of its event loops:", micros, all));
        samples.forEach((stage, count) -> {
            double share = (double) count / all;
            report.figure(
                    "stage-" + stage.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-us",
                    share * micros,
                    String.format(Locale.ROOT, "  %-18s %5.1f %%  %6.1f us", stage.label, share * 100, share * micros));
        });
    }
}
