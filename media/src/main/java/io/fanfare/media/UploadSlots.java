package io.fanfare.media;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How many requests with files a process receives at a time: {@code media.uploads-at-once}, of which one user has a
 * quarter. So their files take a bounded part of the disk. Half of the slots are for users who hold none. When all are
 * taken, the slowest upload is ended for a user who holds none. An upload slower than {@code media.upload-speed-min}
 * over {@code media.upload-speed-time} is ended in any case. Safe for every thread; a call holds the lock for a look at
 * each slot at most.
 */
public final class UploadSlots {
    private static final int USER_PART = 4;
    private static final int SURPLUS_PART = 2;
    private static final int RETRY_SECONDS = 5;

    /** An upload that made room should not push the next one out at once. */
    private static final int ENDED_RETRY_SECONDS = 60;

    /** Samples that make up {@code media.upload-speed-time}. */
    private static final int SAMPLES = 10;

    /** Samples after which an upload has a speed, so that nobody holds a place by beginning again and again. */
    private static final int KNOWN_SAMPLES = 2;

    /** The time of an upload whose speed is not known yet, or that is whole. */
    private static final long NOT_SLOW = Long.MAX_VALUE;

    private final int max;
    private final int speedMin;
    private final Duration speedTime;
    private final Set<Slot> taken = new LinkedHashSet<>();

    /** Slots by user. */
    private final Map<Long, Integer> ofUser = new HashMap<>();

    public UploadSlots(Settings.Media settings) {
        this.max = settings.uploadsAtOnce();
        this.speedMin = settings.uploadSpeedMin();
        this.speedTime = settings.uploadSpeedTime();
    }

    /**
     * Takes one; refuses ({@code OVERLOADED}) what is over a bound.
     *
     * @param nanos elapsed time at the moment
     * @param onEnded called at most once, by any thread, when the upload has to end, with the answer to its client. The
     *     slot is given back then.
     */
    public Slot take(long user, long nanos, Consumer<Refusal> onEnded) {
        Slot slot = new Slot(user, nanos, onEnded);
        Optional<Slot> slowest;
        synchronized (this) {
            int own = ofUser.getOrDefault(user, 0);
            boolean fits = own == 0 || (own < Math.max(1, max / USER_PART) && surplus() < max / SURPLUS_PART);
            boolean full = taken.size() >= max;
            slowest = fits && full && own == 0 ? slowest() : Optional.empty();
            slowest.ifPresent(this::remove);
            if (!fits || taken.size() >= max) {
                throw Refusal.overloaded(
                        "Too many files are being received at the moment: try again in a few seconds.", RETRY_SECONDS);
            }
            taken.add(slot);
            ofUser.merge(user, 1, Integer::sum);
        }
        slowest.ifPresent(ended -> ended.onEnded.accept(Refusal.overloaded(
                "The upload was ended for another one, because it was the slowest: try again in a minute, over a faster"
                        + " line or with a smaller file.",
                ENDED_RETRY_SECONDS)));
        return slot;
    }

    /** How many are taken. */
    public synchronized int size() {
        return taken.size();
    }

    /** Slots beyond the first one of each user. */
    private int surplus() {
        return taken.size() - ofUser.size();
    }

    private Optional<Slot> slowest() {
        // The only upload of a user is ended last.
        return taken.stream()
                .filter(slot -> slot.speed != NOT_SLOW)
                .min(Comparator.comparing((Slot slot) -> ofUser.getOrDefault(slot.user, 1) == 1)
                        .thenComparingLong(slot -> slot.speed));
    }

    /** Whether it was still taken. */
    @CanIgnoreReturnValue
    private synchronized boolean remove(Slot slot) {
        boolean removed = taken.remove(slot);
        if (removed) {
            ofUser.computeIfPresent(slot.user, (same, left) -> left == 1 ? null : left - 1);
        }
        return removed;
    }

    /**
     * The slot of one upload, and the speed of that. Time in which the server does not read is not counted, nor is time
     * in which its event loop does not turn. Confined to one event loop, apart from what {@link UploadSlots} reads.
     */
    public final class Slot {
        private final long user;
        private final Consumer<Refusal> onEnded;
        private final long[] samples = new long[SAMPLES];

        /** Samples taken so far. */
        private long sampled;

        private long sampledNanos;
        private long bytes;

        /** Whether the server does not read at the moment, or did not at some time since the last sample. */
        private boolean paused;

        private boolean pausedLately;

        /**
         * Bytes of as many samples as there are at most, at the speed of the last ones; {@link #NOT_SLOW} before there
         * are enough of them.
         */
        private volatile long speed = NOT_SLOW;

        private Slot(long user, long nanos, Consumer<Refusal> onEnded) {
            this.user = user;
            this.sampledNanos = nanos;
            this.onEnded = onEnded;
        }

        /** How often {@link #sample} is to be called. */
        public Duration sampleTime() {
            return speedTime.dividedBy(SAMPLES);
        }

        /** So many bytes have come from the client. */
        public void received(int more) {
            bytes += more;
        }

        /** The server does not read from now on, or reads again. */
        public void pause(boolean now) {
            paused = now;
            pausedLately = true;
        }

        /** Looks at what came since the last time; ends the upload when it is too slow. */
        public void sample(long nanos) {
            // Of an event loop that stood still the timers come together.
            if (nanos - sampledNanos < sampleTime().toNanos() / 2) {
                return;
            }
            sampledNanos = nanos;
            if (!pausedLately) {
                samples[(int) (sampled++ % SAMPLES)] = bytes;
            }
            bytes = 0;
            pausedLately = paused;
            if (sampled >= KNOWN_SAMPLES) {
                long sum = 0;
                for (long sample : samples) {
                    sum += sample;
                }
                speed = sum * SAMPLES / Math.min(sampled, SAMPLES);
                boolean slow = sampled >= SAMPLES && sum < speedMin * speedTime.toMillis() / 1000;
                if (slow && remove(this)) {
                    onEnded.accept(
                            new Refusal(
                                    Refusal.Reason.TOO_SLOW,
                                    "The upload is too slow: less than " + speedMin
                                            + " bytes a second have come. Send a smaller file, or try again over a faster line."));
                }
            }
        }

        /** All of it has come: it is not ended any more. */
        public void whole() {
            speed = NOT_SLOW;
        }

        /** Gives it back. May be called again. */
        public void giveBack() {
            remove(this);
        }
    }
}
