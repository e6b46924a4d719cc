package io.fanfare.stream;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.http.Authentication;
import io.fanfare.common.model.Refusal;
import io.fanfare.stream.filter.Filtered;
import io.fanfare.stream.filter.Shielded;
import io.fanfare.stream.filter.StreamFilter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Who listens: by the token of the {@code Authorization} header (Bearer, or the password of Basic), of {@code access_token}, or by a ticket. Confined to one event loop.
 */
final class Listeners {
    private static final String SCOPE = "read:statuses";
    private static final String BASIC = "Basic ";

    private final Vertx vertx;
    private final StreamHub hub;
    private final Tokens tokens;
    private final Tickets tickets;
    private final TokenWatch watch;
    private final boolean anonymous;

    /** Streams of this process whose filter can be changed, by the name of the connection: the request to change one may come to another event loop. */
    private final LocalMap<String, Owned> changeable;

    /** A stream, and the event loop on which alone it may be touched. */
    private record Owned(long userId, Subscriber subscriber, Context loop) implements Shareable {
        Future<Void> change(Filtered filter) {
            Promise<Void> changed = Promise.promise();
            loop.runOnContext(turn -> {
                subscriber.change(filter);
                changed.complete();
            });
            return changed.future();
        }
    }

    Listeners(StreamParts parts) {
        this.vertx = parts.vertx();
        this.hub = parts.hub();
        this.tokens = parts.tokens();
        this.tickets = new Tickets(parts.redis(), parts.random());
        this.changeable = vertx.sharedData().getLocalMap("filter-streams");
        this.watch = new TokenWatch(vertx, tokens, parts.settings().perTokenMax());
        this.anonymous = parts.settings().anonymous();
    }

    /** Somebody with a token; both null for nobody. */
    record Listener(String token, Principal principal) {
        static final Listener NOBODY = new Listener(null, null);
    }

    /** Refuses a token that is bad or allows no reading, and nobody where somebody is due. */
    Future<Listener> identify(HttpServerRequest request, boolean userDue) {
        String ticket = request.getParam("ticket");
        if (ticket == null) {
            return identify(token(request), userDue);
        }
        return tickets.redeem(ticket).compose(token -> {
            if (token.isEmpty()) {
                throw new Refusal(
                        Refusal.Reason.UNAUTHENTICATED,
                        "The ticket has been used or is older than 30 s: ask for a new one.");
            }
            return identify(token.get(), userDue);
        });
    }

    Future<Listener> identify(String token, boolean userDue) {
        boolean needed = userDue || !anonymous;
        if (token == null && !needed) {
            return Future.succeededFuture(Listener.NOBODY);
        }
        Future<Principal> known = token == null ? Future.succeededFuture() : tokens.verify(token);
        return known.map(who -> new Listener(token, Authentication.require(who, needed, SCOPE)));
    }

    private static String token(HttpServerRequest request) {
        String bearer = Authentication.bearer(request);
        if (bearer != null) {
            return bearer;
        }
        String basic = basic(request.getHeader(HttpHeaders.AUTHORIZATION));
        return basic != null ? basic : request.getParam("access_token");
    }

    /** Twitter's clients speak Basic: user name and access token. Null when the header is something else. */
    private static String basic(String header) {
        if (header == null || !header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return null;
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8);
            return text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    Future<String> ticket(Listener listener) {
        return tickets.issue(listener.token());
    }

    /** What the listener is told of a filter's events: without what comes from whom the listener does not want to hear, or may not. */
    Future<StreamFilter> shielded(Listener listener, StreamFilter filter) {
        long viewer = listener.principal() == null ? 0 : listener.principal().userId();
        return viewer == 0
                ? Future.succeededFuture(filter)
                : hub.shields().of(viewer).map(shield -> new Shielded(filter, shield));
    }

    /** Watches over the token of a stream that has been opened, and notes whose it is. */
    void opened(Listener listener, Subscriber subscriber) {
        if (listener.principal() != null) {
            subscriber.belongsTo(listener.principal().userId());
        }
        if (listener.token() != null) {
            watch.add(listener.token(), subscriber);
        }
        if (subscriber.isFiltered() && listener.principal() != null) {
            String conn = subscriber.conn();
            changeable.put(conn, new Owned(listener.principal().userId(), subscriber, vertx.getOrCreateContext()));
            subscriber.whenEnded(() -> changeable.remove(conn));
        }
    }

    /** Refuses ({@code NOT_FOUND}) a stream that is not open here, or not the listener's. */
    Future<Void> change(String conn, Listener listener, Filtered filter) {
        Owned owned = changeable.get(conn);
        if (owned == null || owned.userId() != listener.principal().userId()) {
            throw new Refusal(
                    Refusal.Reason.NOT_FOUND,
                    "No stream of yours has this name here: take conn from the hello of a filter stream, and the server that serves it.");
        }
        return owned.change(filter);
    }
}
