package io.fanfare.core.queue;

/** How often, and how soon, a job whose handler failed is tried again, in proportion to the settings of the queue. */
public enum RetryClass {
    /**
     * An edge with its terms, or a deletion: until the job is done, two sides differ. A dead letter leaves them so
     * until an operator acts, and no later job repairs it. So it has twice as many tries.
     */
    REPAIR(2, 1),
    /** A delivery with the other consequences of a status; a picture, whose handler gives up by itself. */
    DELIVERY(1, 1),
    /** An event and nothing else: worth little when it is late. The same number of tries, closer together. */
    EVENT(1, 10);

    private final int attemptsFactor;
    private final int delayDivisor;

    RetryClass(int attemptsFactor, int delayDivisor) {
        this.attemptsFactor = attemptsFactor;
        this.delayDivisor = delayDivisor;
    }

    /** Multiplies {@code queue.attempts-max}. */
    public int attemptsFactor() {
        return attemptsFactor;
    }

    /** Divides {@code queue.retry-max}. */
    public int delayDivisor() {
        return delayDivisor;
    }
}
