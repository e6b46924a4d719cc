package io.fanfare.app.operate;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far a step has come: a bar on a terminal, else a line at each fifth, so that a log stays readable. One
 * thread.
 */
public final class Progress implements AutoCloseable {
    private static final int LINES = 5;
    private static final int BAR_UPDATE_MILLIS = 200;

    private final String what;
    private final long total;
    private final PrintStream out;
    private final ProgressBar bar;
    private long steps;

    private Progress(String what, long total, PrintStream out, ProgressBar bar) {
        this.what = what;
        this.total = total;
        this.out = out;
        this.bar = bar;
    }

    /**
     * Begins to show.
     *
     * @param total steps, 1 or more
     * @param out where lines go when there is no terminal; bars go to stderr
     */
    public static Progress of(String what, long total, PrintStream out) {
        ProgressBar bar = !isTerminal(2)
                ? null
                : new ProgressBarBuilder()
                        .setTaskName(what)
                        .setInitialMax(total)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(BAR_UPDATE_MILLIS)
                        .setConsumer(new ConsoleProgressBarConsumer(System.err))
                        .build();
        return new Progress(what, total, out, bar);
    }

    /**
     * Whether a descriptor of this process (1 = stdout, 2 = stderr) is a terminal. System.console() does not say: from
     * JDK 22 on it is there without one.
     */
    public static boolean isTerminal(int descriptor) {
        try {
            return Path.of("/proc/self/fd/" + descriptor).toRealPath().startsWith("/dev/pts");
        } catch (IOException e) {
            return false;
        }
    }

    /** One more of the total is done. */
    public void step() {
        steps++;
        if (bar != null) {
            bar.step();
        } else if (steps * LINES / total > (steps - 1) * LINES / total) {
            out.printf("  %s: %,d of %,d%n", what, steps, total);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
