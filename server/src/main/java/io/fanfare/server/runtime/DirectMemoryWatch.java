package io.fanfare.server.runtime;

import io.fanfare.failure.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Ends a process that has no memory left outside of the heap, where all that goes to or comes from a socket lies:
 * nothing works without it, each try to get some makes an event loop sleep for half a second, and
 * {@code -XX:+ExitOnOutOfMemoryError} does not see it. Once a second a thread of its own allocates a little; when that
 * fails twice in a row, stacks and the largest classes go to standard error, and the process halts with the status that
 * the JVM has when the heap is full. Its supervisor starts it again.
 */
final class DirectMemoryWatch implements AutoCloseable {
    /** As with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int STATUS = 3;

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int REFUSALS_MAX = 2;

    /** As much as a chunk of Netty's allocator when it is about to grow. */
    private static final int PROBE_BYTES = 1 << 20;

    private static final int CLASSES_SHOWN = 30;

    private final ScheduledExecutorService thread;
    private final BooleanSupplier probe;
    private final Runnable end;
    private int refusals;

    private DirectMemoryWatch(ScheduledExecutorService thread, BooleanSupplier probe, Runnable end) {
        this.thread = thread;
        this.probe = probe;
        this.end = end;
    }

    /** Watches until it is closed. */
    static DirectMemoryWatch start() {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watch = new Thread(task, "direct-memory-watch");
            watch.setDaemon(true);
            return watch;
        });
        DirectMemoryWatch watch =
                new DirectMemoryWatch(thread, DirectMemoryWatch::allocates, () -> dumpAndHalt(System.err));
        // Now, while there is memory: the classes that this needs take some as well.
        watch.look();
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(watch::look, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        return watch;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look() {
        refusals = probe.getAsBoolean() ? 0 : refusals + 1;
        if (refusals == REFUSALS_MAX) {
            end.run();
        }
    }

    /** The way that Netty gets its memory. */
    private static boolean allocates() {
        try {
            ByteBuf bytes = Unpooled.directBuffer(PROBE_BYTES);
            return bytes.release();
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static void dumpAndHalt(PrintStream out) {
        try {
            out.println("fanfare: no memory is left outside of the heap (-XX:MaxDirectMemorySize), ending with status "
                    + STATUS);
            for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
                out.println(
                        "buffers " + pool.getName() + ": " + pool.getCount() + ", " + pool.getMemoryUsed() + " bytes");
            }
            ThreadDump.print(out);
            histogram().lines().limit(CLASSES_SHOWN).forEach(out::println);
        } catch (JMException | RuntimeException | OutOfMemoryError e) {
            out.println("fanfare: the rest cannot be written: " + Reason.of(e));
        } finally {
            out.flush();
            Runtime.getRuntime().halt(STATUS);
        }
    }

    /** The output of {@code jcmd PID GC.class_histogram}. */
    private static String histogram() throws JMException {
        return (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
    }
}
