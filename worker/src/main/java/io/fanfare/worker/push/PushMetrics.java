package io.fanfare.worker.push;

import io.fanfare.core.queue.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics of Web Push; {@code docs/operate/monitoring.md} lists the names. None has the name of a push service,
 * which users choose. Those of all event loops of a process are the same.
 */
public final class PushMetrics {
    /** Why a job was put off. */
    static final String BUSY = "too many pushes are under way";

    static final String FAILED = "a push service did not take the message";
    static final String SLOW = "a push service takes its time";

    /** The reason why a notification is not pushed. */
    enum Reason {
        /** The notification is too old. */
        OLD,
        /** The subscription or its access token has ended. */
        UNSUBSCRIBED,
        /** The notification is not shown to the account any more, or the account does not want it. */
        UNWANTED,
        /** The push service does not know the subscription any more. */
        GONE,
        /** The push service does not take the message, or its address is none that messages are sent to. */
        REFUSED,
        /** It has failed until it was given up. */
        FAILED,
        /** There was no room until it was given up. */
        BUSY
    }

    private final Counter sent;
    private final Map<String, Counter> retried;
    private final Map<Reason, Counter> dropped = new EnumMap<>(Reason.class);
    private final Counter gone;
    private final Counter failing;

    public PushMetrics(MeterRegistry registry) {
        sent = registry.counter("fanfare.pushes.sent");
        retried = Stream.of(BUSY, FAILED, SLOW)
                .collect(Collectors.toMap(
                        sentence -> sentence,
                        sentence -> registry.counter(
                                "fanfare.pushes.retried",
                                "reason",
                                sentence.equals(BUSY) ? "busy" : sentence.equals(SLOW) ? "slow" : "failed")));
        Arrays.stream(Reason.values())
                .forEach(reason -> dropped.put(
                        reason,
                        registry.counter(
                                "fanfare.pushes.dropped",
                                "reason",
                                reason.name().toLowerCase(Locale.ROOT))));
        gone = registry.counter("fanfare.pushes.ended", "reason", "gone");
        failing = registry.counter("fanfare.pushes.ended", "reason", "failing");
    }

    /** A push service has taken a message. */
    void sent() {
        sent.increment();
    }

    /** Counts a job that comes again. */
    void putOff(Outcome outcome) {
        if (outcome instanceof Outcome.Retry retry) {
            Counter counter = retried.get(retry.reason());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    void dropped(Reason reason) {
        dropped.get(reason).increment();
    }

    /** A subscription was removed. */
    void ended(boolean isGone) {
        (isGone ? gone : failing).increment();
    }
}
