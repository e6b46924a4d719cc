package io.fanfare.stream.session;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.stream.match.InvalidFilter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much the filters of open streams may hold, in terms ({@link io.fanfare.stream.match.FilterSpec#weight}): those of
 * one user, or of one address for listeners without one, and those of the process. Safe for every thread: the event
 * loops of a process share it.
 */
public final class FilterBudget {
    /** Stands for all holders together; no user or address has this name. */
    private static final String PROCESS = "";

    private final int perHolderMax;
    private final int termsMax;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    public FilterBudget(Settings.Stream settings) {
        this.perHolderMax = settings.perUserTerms();
        this.termsMax = settings.termsMax();
    }

    /** A filter's part of the budget. */
    public static final class Reservation {
        public static final Reservation NOTHING = new Reservation(0, () -> {});

        private final int terms;
        private Runnable release;

        private Reservation(int terms, Runnable release) {
            this.terms = terms;
            this.release = release;
        }

        int terms() {
            return terms;
        }

        /** Gives it back, once. */
        public void release() {
            Runnable once = release;
            release = () -> {};
            once.run();
        }
    }

    /**
     * Takes a filter's part. Throws {@link InvalidFilter} when its holder has too little left,
     * {@code Refusal(OVERLOADED)} when the process has.
     *
     * @param holder user or address; null = counted for the process only
     */
    public Reservation reserve(String holder, int terms) {
        if (terms == 0) {
            return Reservation.NOTHING;
        }
        if (!take(PROCESS, terms, termsMax)) {
            throw new Refusal(
                    Refusal.Reason.OVERLOADED, "No more filters can be held here at the moment: try again later.");
        }
        if (holder != null && !take(holder, terms, perHolderMax)) {
            release(PROCESS, terms);
            throw InvalidFilter.tooLarge(perHolderMax, taken.getOrDefault(holder, 0), terms);
        }
        return new Reservation(terms, () -> {
            release(PROCESS, terms);
            if (holder != null) {
                release(holder, terms);
            }
        });
    }

    private boolean take(String who, int terms, int max) {
        boolean done = false;
        while (!done) {
            Integer before = taken.get(who);
            int after = (before == null ? 0 : before) + terms;
            if (after < terms || after > max) {
                return false;
            }
            // Another event loop may have been first.
            done = before == null ? taken.putIfAbsent(who, after) == null : taken.replace(who, before, after);
        }
        return true;
    }

    private void release(String who, int terms) {
        taken.computeIfPresent(who, (same, held) -> held == terms ? null : held - terms);
    }
}
