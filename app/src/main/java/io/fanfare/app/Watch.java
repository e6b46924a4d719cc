package io.fanfare.app;

import io.fanfare.app.operate.Progress;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisError;
import io.fanfare.server.runtime.Signals;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code --watch} and {@code --json}: how the commands that look at the queue show what they see, once or repeatedly.
 */
final class Watch {
    private static final int SECONDS_MAX = 60;

    private static final String REST_OF_SCREEN = "\u001b[J";

    /** Lines end at the edge of the window, instead of going on in the next row; and do so again. */
    private static final String CUT = "\u001b[?7l";

    private static final String WRAPPED = "\u001b[?7h";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = "2",
            paramLabel = "SECONDS",
            description =
                    "Repeats the output every SECONDS, 1 to 60, until Ctrl-C, or until nobody reads it. Default: 2.")
    private Integer seconds;

    @Option(names = "--json", description = "For programs: one object; with --watch one in each line.")
    private boolean json;

    /** Asks and prints; the exit status. */
    <T> int show(
            SettingsOptions options,
            Function<JobQueue, Future<T>> question,
            Function<T, JsonObject> forPrograms,
            Function<T, String> forPeople) {
        Logging.ofCommand();
        if (seconds != null && (seconds < 1 || seconds > SECONDS_MAX)) {
            throw new ParameterException(spec.commandLine(), "--watch must be 1 to " + SECONDS_MAX);
        }
        Settings settings = options.joining();
        if (seconds == null) {
            T answer = RemoteStores.ask(settings, question);
            System.out.println(json ? forPrograms.apply(answer).encodePrettily() : forPeople.apply(answer));
            return 0;
        }
        CountDownLatch stop = new CountDownLatch(1);
        Signals.on("INT", stop::countDown);
        Signals.on("TERM", stop::countDown);
        try (RemoteStores.Session session = RemoteStores.open(settings)) {
            Supplier<String> block = json
                    ? () -> line(session, question, forPrograms)
                    : () -> Terminal.time(Clock.systemUTC().millis()) + ", every " + seconds + " s"
                            + System.lineSeparator() + text(session, question, forPeople);
            repeat(block, System.out, json ? Style.LINES : forPeople(), () -> stop.await(seconds, TimeUnit.SECONDS));
        }
        return 0;
    }

    private static <T> String line(
            RemoteStores.Session session, Function<JobQueue, Future<T>> question, Function<T, JsonObject> forPrograms) {
        try {
            return forPrograms.apply(session.ask(question)).encode();
        } catch (RedisError e) {
            return new JsonObject().put("error", e.getMessage()).encode();
        }
    }

    private static <T> String text(
            RemoteStores.Session session, Function<JobQueue, Future<T>> question, Function<T, String> forPeople) {
        try {
            return forPeople.apply(session.ask(question));
        } catch (RedisError e) {
            // It may be back at the next look.
            return "the request failed: " + e.getMessage();
        }
    }

    /** How blocks follow each other. */
    enum Style {
        /** Each in the place of the one before, on a terminal. Of one that is too large the first rows and the last. */
        REDRAWN,
        /** With an empty line between. */
        BLOCKS,
        /** Each a line. */
        LINES
    }

    /** How people read blocks: redrawn on a terminal that can move its cursor. */
    static Style forPeople() {
        return forPeople(System.getenv("TERM"), Progress.isTerminal(1));
    }

    static Style forPeople(String term, boolean terminal) {
        return terminal && term != null && !term.equals("dumb") ? Style.REDRAWN : Style.BLOCKS;
    }

    /** Waits until the next look is due; true = there is to be none. */
    interface Pause {
        boolean ends() throws InterruptedException;
    }

    /** Prints blocks until the pause ends it, or nobody reads what is printed. */
    static void repeat(Supplier<String> block, PrintStream out, Style style, Pause pause) {
        try {
            boolean first = true;
            do {
                out.print(framed(block.get(), style, first));
                first = false;
            } while (!out.checkError() && !pause.ends());
            if (style == Style.REDRAWN) {
                out.println();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String framed(String block, Style style, boolean first) {
        return switch (style) {
            case REDRAWN -> redrawn(block);
            case BLOCKS -> (first ? "" : System.lineSeparator()) + block + System.lineSeparator();
            case LINES -> block + System.lineSeparator();
        };
    }

    /**
     * The window may have any size, and another one at the next block. A terminal takes a row below its last one for
     * the last one, so that no block scrolls it.
     */
    private static String redrawn(String block) {
        StringBuilder text = new StringBuilder(CUT);
        int row = 1;
        for (String line : block.lines().toList()) {
            // The cursor at the beginning of the row, which is emptied.
            text.append("\u001b[").append(row++).append(";1H\u001b[2K").append(line);
        }
        return text.append(REST_OF_SCREEN).append(WRAPPED).toString();
    }
}
