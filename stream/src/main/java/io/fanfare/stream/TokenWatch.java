package io.fanfare.stream;

import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends streams whose token is revoked or expires while they are open, within two seconds: asks about each token once a second. An outage of Redis is nobody's verdict. Also ends
 * the oldest of a token that has too many. Confined to one event loop.
 */
final class TokenWatch {
    private static final long EVERY_MILLIS = 1000;

    private final Vertx vertx;
    private final Tokens tokens;
    private final Map<String, Set<Subscriber>> streams = new HashMap<>();
    private final int perTokenMax;
    private long timer = -1;

    /** Watches for one event loop. */
    TokenWatch(Vertx vertx, Tokens tokens, int perTokenMax) {
        this.vertx = vertx;
        this.tokens = tokens;
        this.perTokenMax = perTokenMax;
    }

    void add(String token, Subscriber subscriber) {
        Set<Subscriber> open = streams.computeIfAbsent(token, t -> new LinkedHashSet<>());
        open.removeIf(Subscriber::ended);
        open.add(subscriber);
        if (open.size() > perTokenMax) {
            // The oldest goes: it may be the one whose client is gone without a word.
            open.iterator().next().end(Disconnect.ADMIN_LOGOUT).onFailure(gone -> {});
        }
        if (timer < 0) {
            timer = vertx.setPeriodic(EVERY_MILLIS, tick -> ask());
        }
    }

    private void ask() {
        streams.values().removeIf(TokenWatch::allEnded);
        if (streams.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = -1;
            return;
        }
        for (String token : List.copyOf(streams.keySet())) {
            tokens.verify(token).onFailure(cause -> judge(token, cause));
        }
    }

    private void judge(String token, Throwable cause) {
        if (!(cause instanceof Refusal)) {
            return;
        }
        for (Subscriber subscriber : List.copyOf(streams.getOrDefault(token, Set.of()))) {
            subscriber.end(Disconnect.TOKEN_REVOKED).onFailure(gone -> {});
        }
        streams.remove(token);
    }

    private static boolean allEnded(Set<Subscriber> subscribers) {
        subscribers.removeIf(Subscriber::ended);
        return subscribers.isEmpty();
    }
}
