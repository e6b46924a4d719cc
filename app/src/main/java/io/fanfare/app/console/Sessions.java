package io.fanfare.app.console;

import io.fanfare.common.auth.Secrets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The sessions of this process. Each has a secret that only the browser knows; a digest is kept here. A session ends
 * with the process, after {@link #LIFE}, after {@link #IDLE} without a request, and when {@link #MAX_PER_ROLE} newer
 * ones of the same role have begun: viewers end no session of an operator. One event loop.
 */
final class Sessions {
    static final int MAX_PER_ROLE = 100;
    static final Duration LIFE = Duration.ofHours(12);
    static final Duration IDLE = Duration.ofHours(1);

    private static final int SECRET_BYTES = 32;
    private static final int NAME_BYTES = 6;

    private final SecureRandom random;
    private final LongSupplier nanos;
    private final Map<String, Session> byDigest = new LinkedHashMap<>();

    Sessions(SecureRandom random, LongSupplier nanos) {
        this.random = random;
        this.nanos = nanos;
    }

    private static final class Session {
        final Caller caller;
        final long beganNanos;
        long seenNanos;

        Session(Caller caller, long now) {
            this.caller = caller;
            this.beganNanos = now;
            this.seenNanos = now;
        }

        boolean isOver(long now) {
            return now - beganNanos > LIFE.toNanos() || now - seenNanos > IDLE.toNanos();
        }
    }

    /** A session that begins. */
    record Begun(String secret, Caller caller) {}

    Begun begin(Role role) {
        long now = nanos.getAsLong();
        byDigest.values().removeIf(session -> session.isOver(now));
        List<String> ofRole = byDigest.entrySet().stream()
                .filter(entry -> entry.getValue().caller.role() == role)
                .map(Map.Entry::getKey)
                .toList();
        if (ofRole.size() >= MAX_PER_ROLE) {
            byDigest.remove(ofRole.get(0));
        }
        String secret = Secrets.draw(random, SECRET_BYTES);
        Caller caller = new Caller(role, Secrets.draw(random, NAME_BYTES));
        byDigest.put(Secrets.digest(secret), new Session(caller, now));
        return new Begun(secret, caller);
    }

    /** The caller whose session has this secret; empty if the secret is unknown or the session is over. */
    Optional<Caller> find(String secret) {
        return live(secret).map(session -> {
            session.seenNanos = nanos.getAsLong();
            return session.caller;
        });
    }

    /** The same for what a page asks while nobody is at it: the session stays as idle as it is. */
    Optional<Caller> peek(String secret) {
        return live(secret).map(session -> session.caller);
    }

    private Optional<Session> live(String secret) {
        return Optional.ofNullable(byDigest.get(Secrets.digest(secret)))
                .filter(session -> !session.isOver(nanos.getAsLong()));
    }

    void end(String secret) {
        byDigest.remove(Secrets.digest(secret));
    }
}
