package io.fanfare.stream.access;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Revocations;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.SiteSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.server.http.Authentication;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.SessionCookie;
import io.fanfare.stream.filter.HidingFilter;
import io.fanfare.stream.filter.MarkingFilter;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.filter.RepostFoldingFilter;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.session.Connection;
import io.fanfare.stream.session.EventLoops;
import io.fanfare.stream.session.FilterBudget;
import io.fanfare.stream.session.StreamHub;
import io.fanfare.stream.session.Subscriber;
import io.fanfare.stream.wire.Dialect;
import io.fanfare.stream.wire.Disconnect;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Admits listeners: identifies them by the token of the {@code Authorization} header (Bearer, or the password of
 * Basic), on Mastodon's streams by {@code access_token}, on native ones by the session of our own pages, or by a ticket
 * and the cookie that comes with it; and limits how many there may be, and how often they may come. Confined to one
 * event loop.
 */
public final class StreamAdmission {
    private static final String SCOPE = "read:statuses";

    /** The native stream that somebody reads like a timeline. */
    private static final String HOME = "home";

    private static final long RETRY_SECONDS = 1;

    private final Vertx vertx;
    private final StreamHub hub;
    private final Tokens tokens;
    private final Accounts accounts;
    private final Tickets tickets;
    private final TicketCookie cookies;
    private final SessionCookie sessions;
    private final TokenWatch watch;
    private final NetworkWatch networks;
    private final StreamLimits limits;
    private final ClientAddress addresses;
    private final boolean anonymous;
    private final KnownSwitches switches;

    /** Open streams of listeners without an account. */
    private final Set<Connection> ofNobody = new LinkedHashSet<>();

    private final boolean tokenInAddress;

    /**
     * Streams of this process whose filter can be changed, by the name of the connection: the request to change one may
     * come to another event loop.
     */
    private final LocalMap<String, Owned> changeable;

    /** A stream, and the event loop on which alone it may be touched. */
    private record Owned(long userId, Subscriber subscriber, Context loop) implements Shareable {
        /** To be called on the stream's event loop. */
        private boolean change(PredicateFilter filter, FilterBudget.Reservation reserved) {
            boolean changed = false;
            try {
                changed = subscriber.change(filter, reserved);
                return changed;
            } finally {
                if (!changed) {
                    reserved.release();
                }
            }
        }
    }

    public StreamAdmission(StreamParts parts) {
        this.vertx = parts.vertx();
        this.hub = parts.hub();
        this.tokens = parts.tokens();
        this.accounts = parts.accounts();
        this.cookies =
                new TicketCookie(parts.cookieKeys(), parts.settings().http().publicUrl());
        this.sessions = new SessionCookie(parts.settings().http().publicUrl());
        this.tickets = new Tickets(parts.redis(), cookies, parts.random());
        this.changeable = vertx.sharedData().getLocalMap("filter-streams");
        this.watch = new TokenWatch(vertx, tokens, new Revocations(parts.redis()));
        this.networks = new NetworkWatch(parts.blocks());
        this.limits = StreamLimits.of(vertx, parts.settings());
        this.addresses = new ClientAddress(parts.settings().http().trustedProxies());
        this.anonymous = parts.settings().stream().anonymous();
        this.switches = new KnownSwitches(new SiteSwitches(parts.redis()));
        switches.whenChanged(this::endThoseOfNobody);
        switches.start(vertx).onComplete(read -> {});
        this.tokenInAddress = parts.settings().stream().tokenInAddress();
    }

    /**
     * Somebody with a token; all null for nobody.
     *
     * @param until when the token expires; null = never
     */
    public record Listener(Principal principal, Instant until) {
        static final Listener NOBODY = new Listener(null, null);

        /** 0 = nobody, or an app. */
        public long userId() {
            return principal == null ? 0 : principal.userId();
        }
    }

    /** Refuses an address that comes too often; must be called before any work for a request. */
    public Future<Void> arriving(HttpServerRequest request) {
        return Future.future(due -> {
            limits.openRate().from(addresses.of(request), hub.timers().nanos());
            due.complete();
        });
    }

    /** Refuses a user who comes too often; answers the others. */
    @CanIgnoreReturnValue
    public Listener arrived(Listener listener) {
        limits.openRate().of(listener.userId(), hub.timers().nanos());
        return listener;
    }

    /**
     * The listener of a request for a stream: its {@link #caller}, or the owner of a used ticket whose cookie comes
     * with it.
     */
    public Future<Listener> listener(HttpServerRequest request, Dialect dialect, boolean userDue) {
        Future<Listener> caller = caller(request, dialect, userDue).recover(refused -> {
            String ticket = request.getParam("ticket");
            Optional<Listener> known = ticket == null ? Optional.empty() : cookies.read(request, ticket);
            boolean over = Refusal.isFor(Refusal.Reason.UNAUTHENTICATED, refused);
            return over && known.isPresent() ? again(known.get(), userDue, refused) : Future.failedFuture(refused);
        });
        return caller.map(this::arrived);
    }

    /** Admits the listener of a ticket or cookie, unless the token behind it has been revoked or has expired since. */
    private Future<Listener> again(Listener known, boolean userDue, Throwable refused) {
        boolean expired = known.until() != null && tokens.left(known.until()).isNegative();
        return tokens.stands(known.principal()).map(stands -> {
            if (!stands || expired) {
                throw (Refusal) refused;
            }
            return new Listener(Authentication.require(known.principal(), userDue, SCOPE), known.until());
        });
    }

    /**
     * The holder of a token who may get a ticket, and does not come too often. A ticket opens a stream and is good for
     * nothing else: otherwise it would buy the next one, and so on.
     */
    public Future<Listener> holder(HttpServerRequest request) {
        return arriving(request)
                .compose(come -> token(request, null))
                .compose(token -> identify(token, /* userDue= */ true))
                .compose(listener -> checkUser(request, listener))
                .map(this::arrived);
    }

    /** Refuses a token or ticket that is bad or allows no reading, and nobody where somebody is due. */
    private Future<Listener> caller(HttpServerRequest request, Dialect dialect, boolean userDue) {
        String ticket = request.getParam("ticket");
        if (ticket == null) {
            return token(request, dialect)
                    .compose(token -> identify(token, userDue))
                    .compose(listener -> checkUser(request, listener));
        }
        return tickets.redeem(ticket).compose(known -> {
            if (known.isEmpty()) {
                throw new Refusal(
                        Refusal.Reason.UNAUTHENTICATED,
                        "The ticket has been used or is older than 30 s: ask for a new one, or show the cookie that came with it.");
            }
            Refusal over = new Refusal(
                    Refusal.Reason.UNAUTHENTICATED,
                    "The access token that the ticket stands for is expired or revoked: log in again.");
            return again(known.get(), userDue, over);
        });
    }

    public Future<Listener> identify(String token, boolean userDue) {
        boolean needed = userDue || !anonymous || switches.isOn(Switch.MEMBERS_ONLY);
        if (token == null && !needed) {
            return Future.succeededFuture(Listener.NOBODY);
        }
        Future<Principal> known = token == null ? Future.succeededFuture() : tokens.verify(token);
        return known.map(who -> new Listener(Authentication.require(who, needed, SCOPE), expiry(token)));
    }

    private Instant expiry(String token) {
        return token == null ? null : tokens.expiry(token).orElse(null);
    }

    /** @param dialect null = of no stream */
    private Future<String> token(HttpServerRequest request, Dialect dialect) {
        String bearer = Authentication.bearer(request);
        String[] pair = bearer == null ? basic(request) : null;
        String header = pair == null ? bearer : pair[1];
        return header != null
                ? Future.succeededFuture(header)
                : tokenInAddress(request, dialect).map(token -> token != null ? token : ofSession(request, dialect));
    }

    /** Our own pages read native streams, and change their filters; nothing else counts their cookie. */
    private String ofSession(HttpServerRequest request, Dialect dialect) {
        if (dialect == null) {
            return sessions.token(request);
        }
        return dialect == Dialect.NATIVE ? sessions.streamToken(request) : null;
    }

    /**
     * The token that stands in the address; null = none. Where none is accepted it is refused rather than ignored: its
     * client would believe itself logged in, and would leak the token in addresses again and again.
     *
     * @param dialect null = of no stream
     */
    public Future<String> tokenInAddress(HttpServerRequest request, Dialect dialect) {
        String token = request.getParam("access_token");
        if (token == null || (tokenInAddress && dialect != null && dialect.knowsTokenInAddress())) {
            return Future.succeededFuture(token);
        }
        return Future.failedFuture(
                new Refusal(
                        Refusal.Reason.UNAUTHENTICATED,
                        "No token is taken from this address: send it as Authorization: Bearer <token>, or for a stream ask for a ticket."));
    }

    /**
     * Twitter's clients send a user name with the token. One that is not the token's is refused: the client would take
     * itself for another user. An app's token has no user.
     */
    private Future<Listener> checkUser(HttpServerRequest request, Listener listener) {
        String[] pair = basic(request);
        if (pair == null || listener.userId() == 0) {
            return Future.succeededFuture(listener);
        }
        return accounts.require(listener.userId()).map(account -> {
            if (!account.username().equalsIgnoreCase(pair[0])) {
                throw new Refusal(
                        Refusal.Reason.UNAUTHENTICATED,
                        "The user name is not that of the access token's account: send the one that it was issued for.");
            }
            return listener;
        });
    }

    /** Twitter's clients speak Basic: user name and access token. Null when the header is something else. */
    private static String[] basic(HttpServerRequest request) {
        if (!Authentication.saysBasic(request)) {
            return null;
        }
        String text = Authentication.basic(request);
        int colon = Math.max(0, text.indexOf(':'));
        return new String[] {text.substring(0, colon), text.substring(Math.min(text.length(), colon + 1))};
    }

    public Future<String> ticket(Listener listener) {
        return tickets.issue(listener);
    }

    /** The {@code Set-Cookie} that goes with a ticket. */
    public String cookie(Listener listener) {
        return cookies.of(listener);
    }

    /** Refuses an address that has as many connections as it may. */
    public void admit(HttpServerRequest request) {
        limits.quota().admit(addresses.of(request));
    }

    /** Takes the filter's part of the budget; throws as {@link FilterBudget#reserve} does. */
    public FilterBudget.Reservation reserve(Listener listener, HttpServerRequest request, StreamFilter filter) {
        String address = addresses.of(request);
        String holder = listener.userId() != 0
                ? Long.toString(listener.userId())
                : ClientAddress.isOwn(address) ? null : address;
        return limits.budget().reserve(holder, filter.weight());
    }

    /**
     * Wraps a filter for a listener: without the events of accounts that the listener hides or is hidden from, and in a
     * home without reposts of statuses that it has just sent.
     */
    public Future<StreamFilter> shielded(Listener listener, StreamFilter filter) {
        long viewer = listener.userId();
        return viewer == 0
                ? Future.succeededFuture(filter)
                : hub.hiddenAccountsCache().of(viewer).map(hiddenAccounts -> {
                    StreamFilter hiding = new HidingFilter(filter, hiddenAccounts);
                    return filter.foldsReposts() ? new RepostFoldingFilter(hiding) : hiding;
                });
    }

    /**
     * A filter that marks statuses which filters of the listener match, where the dialect can send that, and on every
     * stream of the home.
     */
    public Future<StreamFilter> marked(Listener listener, String name, Dialect dialect, StreamFilter filter) {
        long viewer = listener.userId();
        return viewer == 0 || !(dialect.marksFiltered() || name.equals(HOME))
                ? Future.succeededFuture(filter)
                : hub.filterMarks().of(viewer).map(marks -> new MarkingFilter(filter, marks));
    }

    /** Counts a connection that has been opened, and watches over its token and its network. */
    public void opened(Listener listener, HttpServerRequest request, Connection connection) {
        String address = addresses.of(request);
        limits.quota().add(listener, address, connection, vertx.getOrCreateContext());
        networks.add(address, connection);
        if (listener.principal() != null) {
            watch.add(listener.principal(), listener.until(), connection);
        }
        if (listener.userId() == 0) {
            ofNobody.add(connection);
            connection.whenEnded(() -> ofNobody.remove(connection));
            endThoseOfNobody();
        }
    }

    /** A site that is for its members only has no other open streams, either. */
    private void endThoseOfNobody() {
        if (switches.isOn(Switch.MEMBERS_ONLY)) {
            List.copyOf(ofNobody).forEach(connection -> connection.evict(Disconnect.CONTROL_REQUEST));
        }
    }

    /** Notes whose stream it is, and lets the listener change its filter if a client has put it together. */
    public void claim(Listener listener, Subscriber subscriber) {
        subscriber.belongsTo(listener.userId());
        if (subscriber.isFiltered() && listener.principal() != null) {
            String conn = subscriber.conn();
            changeable.put(conn, new Owned(listener.userId(), subscriber, vertx.getOrCreateContext()));
            subscriber.whenEnded(() -> changeable.remove(conn));
        }
    }

    /**
     * Refuses ({@code NOT_FOUND}) a stream that is not open here, or not the listener's; fails ({@code TOO_MANY}) while
     * one that is read too slowly has too many filters before it. Until the new filter holds, both count.
     */
    public Future<Void> change(String conn, Listener listener, HttpServerRequest request, PredicateFilter filter) {
        Owned owned = changeable.get(conn);
        if (owned == null || owned.userId() != listener.principal().userId()) {
            throw new Refusal(
                    Refusal.Reason.NOT_FOUND,
                    "No stream of yours has this name here: take conn from the hello of a filter stream, and the server that serves it.");
        }
        FilterBudget.Reservation reserved = reserve(listener, request, filter);
        return EventLoops.call(vertx, owned.loop(), () -> owned.change(filter, reserved))
                .map(changed -> {
                    if (!changed) {
                        throw Refusal.tooMany(
                                "The stream has not been read up to the places of its last filters: read it, and send this one again.",
                                RETRY_SECONDS);
                    }
                    return null;
                });
    }
}
