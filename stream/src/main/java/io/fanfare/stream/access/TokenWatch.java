package io.fanfare.stream.access;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Revocations;
import io.fanfare.common.auth.Tokens;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ends connections whose token is revoked or expires while they are open, within a second: reads four times a second
 * which lists of tokens have lost some, and checks those of them that are in use here. That is one short command,
 * however many connections there are. Since a process may die between a revocation and its announcement, each token is
 * also checked once a minute. An outage of Redis ends no connection. Confined to one event loop.
 */
final class TokenWatch {
    private static final long EVERY_MILLIS = 250;

    /** Reads in which every token is checked once, a share in each. */
    private static final int ROUND = 240;

    /** Longest timer; the clock may be set meanwhile. */
    private static final long EXPIRY_MILLIS_MAX = Duration.ofHours(1).toMillis();

    private final Vertx vertx;
    private final Tokens tokens;
    private final Revocations revocations;
    private final Map<String, Watched> byId = new HashMap<>();
    private final Map<String, Set<Watched>> byList = new HashMap<>();

    /** All connections, the one checked longest ago first; and some that have left. */
    private final ArrayDeque<Watched> round = new ArrayDeque<>();

    private final Set<Watched> unanswered = new HashSet<>();

    /** Up to where revocations have been read; null while nothing is watched. */
    private String seen;

    private boolean reading;
    private long timer = -1;

    /** A token and what was opened with it here. */
    private static final class Watched {
        final Principal principal;
        final Set<Connection> connections = new LinkedHashSet<>();
        long expiry = -1;

        Watched(Principal principal) {
            this.principal = principal;
        }
    }

    TokenWatch(Vertx vertx, Tokens tokens, Revocations revocations) {
        this.vertx = vertx;
        this.tokens = tokens;
        this.revocations = revocations;
    }

    /** @param until when the token expires; null = never */
    void add(Principal principal, Instant until, Connection connection) {
        Watched known = byId.get(principal.tokenId());
        Watched token = known == null ? watch(principal) : known;
        token.connections.add(connection);
        connection.whenEnded(() -> leave(token, connection));
        if (known == null && until != null) {
            // The token may have expired since it was checked: that ends the connection, which must be there by now.
            watchExpiry(token, until);
        }
        if (byId.get(principal.tokenId()) != token) {
            // It has ended already.
            return;
        }
        if (timer < 0) {
            timer = vertx.setPeriodic(EVERY_MILLIS, tick -> tick());
            tick();
        } else if (seen != null) {
            // That it was good may have been known for a moment, in which it was revoked.
            ask(token);
        }
    }

    private Watched watch(Principal principal) {
        Watched token = new Watched(principal);
        byId.put(principal.tokenId(), token);
        byList.computeIfAbsent(Tokens.listOf(principal), none -> new HashSet<>())
                .add(token);
        round.add(token);
        return token;
    }

    private void leave(Watched token, Connection connection) {
        token.connections.remove(connection);
        if (!token.connections.isEmpty() || !byId.remove(token.principal.tokenId(), token)) {
            return;
        }
        vertx.cancelTimer(token.expiry);
        unanswered.remove(token);
        String list = Tokens.listOf(token.principal);
        Set<Watched> ofList = byList.get(list);
        ofList.remove(token);
        if (ofList.isEmpty()) {
            byList.remove(list);
        }
        if (byId.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = -1;
            seen = null;
            round.clear();
        }
    }

    private void tick() {
        List.copyOf(unanswered).forEach(this::ask);
        for (int n = (round.size() + ROUND - 1) / ROUND; n > 0; n--) {
            Watched token = round.poll();
            if (byId.get(token.principal.tokenId()) == token) {
                round.add(token);
                ask(token);
            }
        }
        if (!reading) {
            reading = true;
            read();
        }
    }

    /**
     * Reads the revocations. Streams that were opened before the place to read from was known are checked once it is.
     */
    private void read() {
        if (seen == null) {
            revocations.newest().onComplete(newest -> {
                reading = false;
                if (newest.succeeded() && timer >= 0) {
                    seen = newest.result();
                    new ArrayList<>(byId.values()).forEach(this::ask);
                }
            });
        } else {
            revocations.after(seen).onComplete(page -> {
                reading = false;
                if (page.succeeded() && seen != null) {
                    take(page.result());
                }
            });
        }
    }

    private void take(Revocations.Page page) {
        seen = page.upTo();
        for (String list : Set.copyOf(page.lists())) {
            List.copyOf(byList.getOrDefault(list, Set.of())).forEach(this::ask);
        }
        if (!page.last() && !reading) {
            reading = true;
            read();
        }
    }

    private void ask(Watched token) {
        unanswered.remove(token);
        tokens.stands(token.principal)
                .onComplete(
                        stands -> {
                            if (!stands) {
                                tokens.trustNoLonger();
                                end(token);
                            }
                        },
                        away -> unanswered.add(token));
    }

    private void end(Watched token) {
        List.copyOf(token.connections).forEach(connection -> connection.evict(Disconnect.TOKEN_REVOKED));
    }

    private void watchExpiry(Watched token, Instant until) {
        long left = tokens.left(until).toMillis();
        if (left < 0) {
            end(token);
        } else {
            token.expiry = vertx.setTimer(Math.min(left + 1, EXPIRY_MILLIS_MAX), over -> watchExpiry(token, until));
        }
    }
}
