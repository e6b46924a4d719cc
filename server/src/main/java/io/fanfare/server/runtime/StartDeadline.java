package io.fanfare.server.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Ends a process that is not ready after {@code management.start-max}, with a sentence that names the stages that the
 * start is in. Nothing has been acknowledged to anybody by then, so the process halts; a redis-server of its own ends
 * with it. Closing it says that the process is ready, or ends for another reason.
 *
 * <p>Time is counted as in {@link LoopWatchdog}, in looks of a thread of its own: a process that stood still has looked
 * once at most meanwhile. For any thread.
 */
public final class StartDeadline implements AutoCloseable {
    /** Another one than of a full memory, and of an event loop that hangs. */
    static final int STATUS = 5;

    static final Duration PERIOD = Duration.ofSeconds(1);

    private final Duration max;
    private final ScheduledExecutorService thread;
    private final Consumer<String> late;

    /** In the order in which they began. */
    private final Queue<Stage> stages = new ConcurrentLinkedQueue<>();

    // Of the thread that looks.
    private long looksLeft;

    private StartDeadline(Duration max, ScheduledExecutorService thread, Consumer<String> late) {
        this.max = max;
        this.looksLeft = Math.max(1, max.dividedBy(PERIOD));
        this.thread = thread;
        this.late = late;
    }

    /** One part of a start; several may be under way at once. */
    public final class Stage {
        private final String name;
        private final boolean limited;

        private Stage(String name, boolean limited) {
            this.name = name;
            this.limited = limited;
        }

        /** It is done. */
        public void end() {
            if (stages.remove(this)) {
                StartPhases.ended(name);
            }
        }
    }

    /**
     * Begins to count.
     *
     * @param max how long the start may take; zero = as long as it takes
     */
    public static StartDeadline begin(Duration max) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watch = new Thread(task, "start-deadline");
            watch.setDaemon(true);
            return watch;
        });
        return begin(max, thread, StartDeadline::halt);
    }

    /**
     * The same on a thread of the caller's, which is ended with it.
     *
     * @param late receives the sentence
     */
    static StartDeadline begin(Duration max, ScheduledExecutorService thread, Consumer<String> late) {
        StartDeadline deadline = new StartDeadline(max, thread, late);
        if (!max.isZero()) {
            // Not at a fixed rate, which makes up for the looks that a process has missed while it was stopped.
            ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                    deadline::look, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
        return deadline;
    }

    /**
     * A stage begins.
     *
     * @param name what the process is doing, such as {@code connecting to Redis}
     */
    public Stage enter(String name) {
        return enter(name, /* limited= */ true);
    }

    /** The same for a stage whose time does not count, since it has a limit of its own or grows with the data. */
    public Stage enterUnlimited(String name) {
        return enter(name, /* limited= */ false);
    }

    private Stage enter(String name, boolean limited) {
        Stage stage = new Stage(name, limited);
        stages.add(stage);
        return stage;
    }

    private void look() {
        List<Stage> now = List.copyOf(stages);
        if (now.stream().allMatch(stage -> stage.limited) && --looksLeft <= 0) {
            late.accept("not ready after " + max.toSeconds() + " s (management.start-max), the start was still "
                    + (now.isEmpty()
                            ? "between two stages"
                            : now.stream().map(stage -> stage.name).collect(Collectors.joining(", "))));
        }
    }

    private static void halt(String sentence) {
        System.err.println("fanfare: " + sentence + "; ending with status " + STATUS
                + ". On a slow machine give it more time: --set management.start-max=15m");
        System.err.flush();
        Runtime.getRuntime().halt(STATUS);
    }

    /** From now on the start may take as long as it takes. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
