package io.fanfare.app.fuzz;

import com.sun.management.ThreadMXBean;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures the cost of the server in this JVM: the bytes that all threads but the test's allocate, and the longest time
 * without a break for which an event loop was held. That time is processor time of the loop's thread, which a busy
 * machine does not lengthen. A task on each loop reads the clock every millisecond; the longest interval between two
 * readings bounds a turn of the loop, at most a millisecond too high.
 */
final class Meter implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A loop that is held for longer counts as hung. */
    private static final long HUNG_SECONDS = 90;

    /** A server without anything to do allocates less than this in so long. */
    private static final long QUIET_BYTES = 256 << 10;

    private static final long QUIET_MILLIS = 200;
    private static final int QUIET_TIMES = 3;

    private final List<LoopClock> clocks = new ArrayList<>();
    private final Set<Long> own = new HashSet<>();

    /** The thread that calls is the test's. */
    Meter(Vertx vertx) {
        for (EventExecutor loop : ((VertxInternal) vertx).nettyEventLoopGroup()) {
            clocks.add(new LoopClock(loop));
        }
        leaveOut(Thread.currentThread());
    }

    /** Counts the thread as the test's from here on. */
    synchronized void leaveOut(Thread thread) {
        own.add(thread.getId());
    }

    /**
     * The cost of an exchange.
     *
     * @param allocated bytes
     * @param heldNanos the longest stretch on one loop
     */
    record Cost(long allocated, long heldNanos) {
        long heldMillis() {
            return TimeUnit.NANOSECONDS.toMillis(heldNanos);
        }

        /** The lesser of each: what was not the noise of one of the two. */
        Cost min(Cost other) {
            return new Cost(Math.min(allocated, other.allocated), Math.min(heldNanos, other.heldNanos));
        }
    }

    /** Something that may fail to get an answer, which is no failure here. */
    interface Exchange {
        void run() throws Exception;
    }

    /** Runs it and says what it cost the server until every loop is through with it. */
    Cost cost(Exchange exchange) throws Exception {
        for (LoopClock clock : clocks) {
            clock.restart();
        }
        Map<Long, Long> before = allocated();
        exchange.run();
        // Twice: what one loop does may be continued on another.
        long held = 0;
        for (int i = 0; i < 2; i++) {
            for (LoopClock clock : clocks) {
                held = Math.max(held, clock.held());
            }
        }
        long allocated = 0;
        for (Map.Entry<Long, Long> thread : allocated().entrySet()) {
            allocated += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
        }
        return new Cost(allocated, held);
    }

    /** Bytes outside of the heap that buffers take. */
    static long directBytes() {
        long bytes = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            bytes += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        return bytes;
    }

    /** Bytes that are held, on the heap and outside of it. */
    static long retainedBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory() + directBytes());
        }
        return least;
    }

    /** Waits until the server does next to nothing any more, for so long at most. */
    void awaitQuiet(long millisMax) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
        for (int quiet = 0; quiet < QUIET_TIMES && System.nanoTime() < until; ) {
            long before = total();
            long direct = directBytes();
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
            quiet = total() - before < QUIET_BYTES && directBytes() == direct ? quiet + 1 : 0;
        }
    }

    private long total() {
        return allocated().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        clocks.forEach(LoopClock::stop);
    }

    private synchronized Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0 && !own.contains(ids[i])) {
                allocated.put(ids[i], bytes[i]);
            }
        }
        return allocated;
    }

    /** The stretches of one loop; only its thread touches the fields. */
    private static final class LoopClock {
        private final EventExecutor loop;
        private final ScheduledFuture<?> beat;
        private long looked;
        private long held;

        LoopClock(EventExecutor loop) {
            this.loop = loop;
            this.beat = loop.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.MILLISECONDS);
        }

        private void look() {
            long now = THREADS.getCurrentThreadCpuTime();
            held = Math.max(held, now - looked);
            looked = now;
        }

        void restart() throws Exception {
            on(() -> {
                looked = THREADS.getCurrentThreadCpuTime();
                held = 0;
            });
        }

        long held() throws Exception {
            on(this::look);
            return held;
        }

        private void on(Runnable task) throws ExecutionException, InterruptedException {
            try {
                // Its future also makes what the loop wrote visible here.
                loop.submit(task).get(HUNG_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new AssertionError("an event loop hangs: no turn for " + HUNG_SECONDS + " s", e);
            }
        }

        void stop() {
            beat.cancel(false);
        }
    }
}
