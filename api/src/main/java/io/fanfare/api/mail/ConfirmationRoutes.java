package io.fanfare.api.mail;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.oauth.SignUp;
import io.fanfare.api.oauth.SignUps;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.AddressChanges;
import io.fanfare.common.store.AddressChanges.State;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Subject;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms e-mail addresses by a mailed link: that of a sign-up, which sends the first mail and whose app requests
 * further ones as in Mastodon, and one that an account wants instead of its own. Restores the former one by the link of
 * its notice. Confined to one event loop.
 */
final class ConfirmationRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmationRoutes.class);

    /** The links that lead to the button of an address. */
    private static final Set<MailKind> CONFIRMING = EnumSet.of(MailKind.CONFIRM, MailKind.NEW_ADDRESS);

    private final boolean on;
    private final MailPages english;
    private final MailPages chinese;
    private final Mails mails;
    private final AddressChanges changes;
    private final SignUps signUps;
    private final Tokens tokens;
    private final AuditLog audit;
    private final Redis redis;
    private final RateLimits rates;
    private final InstantSource clock;

    ConfirmationRoutes(ApiLoop loop, SignUps signUps) {
        this.on = loop.settings().mail().isOn();
        String base = URI.create(loop.publicUrl()).getRawPath();
        String site = loop.settings().instance().title();
        this.english = new MailPages(MailLanguage.EN, site, base);
        this.chinese = new MailPages(MailLanguage.ZH, site, base);
        this.mails = new Mails(loop.redis());
        this.changes = loop.accounts().addressChanges();
        this.signUps = signUps;
        this.tokens = loop.tokens();
        this.audit = loop.audit();
        this.redis = loop.redis();
        this.rates = loop.rates();
        this.clock = loop.clock();
    }

    List<Endpoint> endpoints() {
        return List.of(
                post(
                        "/api/v1/emails/confirmations",
                        Access.user("write:accounts").whileUnconfirmed(),
                        this::sendAgain),
                get(
                        "/api/v1/emails/check_confirmation",
                        Access.user("read:accounts").whileUnconfirmed(),
                        this::check),
                get("/auth/confirmation", Access.OPEN, this::show).despite(Switch.MEMBERS_ONLY),
                post("/auth/confirmation", Access.OPEN, this::confirm).despite(Switch.MEMBERS_ONLY),
                get("/auth/address", Access.OPEN, this::showUndo).despite(Switch.MEMBERS_ONLY),
                post("/auth/address", Access.OPEN, this::undo).despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY));
    }

    /** Sends the mail of a sign-up, which does not wait for it. */
    void signedUp(HttpServerRequest request, long account) {
        if (on) {
            mails.request(account, MailKind.CONFIRM, 0, PasswordResetRoutes.language(request))
                    .onFailure(cause -> LOG.warn("no mail for a sign-up was enqueued cause={}", Reason.kind(cause)));
        }
    }

    private MailPages pages(Call call) {
        return PasswordResetRoutes.language(call.request()) == MailLanguage.ZH ? chinese : english;
    }

    private Future<Answer> sendAgain(Call call) {
        return rates.take(call.request(), call.principal(), RateLimit.MAILS)
                .compose(passed -> changes.state(call.viewer()))
                .compose(state -> {
                    if (state.unconfirmedSince() == null || state.address().isEmpty()) {
                        throw new Refusal(
                                Refusal.Reason.FORBIDDEN,
                                "This method is only available while the e-mail is awaiting confirmation");
                    }
                    String typed = SignUp.folded(call.parameters().text("email", ""));
                    return typed.isEmpty() || typed.equals(state.address())
                            ? sendAgain(call, state, typed)
                            : correct(call, state);
                })
                .map(Answer.EMPTY_OBJECT);
    }

    private Future<Void> sendAgain(Call call, State state, String typed) {
        MailLanguage language = PasswordResetRoutes.language(call.request());
        boolean corrected = typed.isEmpty() && !state.wanted().isEmpty();
        return rates.requireMailTo(corrected ? state.wanted() : state.address())
                .compose(granted -> corrected
                        ? changes.request(call.viewer(), state.wanted(), language.wire())
                        : mails.request(call.viewer(), MailKind.CONFIRM, 0, language)
                                .mapEmpty());
    }

    /**
     * Sends the link to another address instead, as in Mastodon: somebody has mistyped theirs. Without the password
     * only for an account that cannot be used before, or is new: a stolen token must not be worth an account.
     */
    private Future<Void> correct(Call call, State state) {
        if (!state.held()
                && state.unconfirmedSince().plus(AddressChanges.WANTED).isBefore(clock.instant())) {
            throw new Refusal(
                    Refusal.Reason.FORBIDDEN,
                    "The address of an account that is a day old is changed with its password: POST /api/v1/accounts/email.");
        }
        return signUps.wantedAddress(call)
                .compose(address -> rates.take(call.request(), call.principal(), RateLimit.ADDRESS_CHANGES)
                        .compose(passed -> rates.requireMailTo(address))
                        .compose(granted -> changes.request(
                                call.viewer(),
                                address,
                                PasswordResetRoutes.language(call.request()).wire())))
                .onSuccess(done -> audit.note(call.request(), Event.ADDRESS_REQUESTED, Subject.of(call.principal())));
    }

    private Future<Answer> check(Call call) {
        return redis.send(Command.of("HEXISTS", Keys.user(call.viewer()), Accounts.UNCONFIRMED))
                .map(waits -> Answer.json(json -> json.writeBoolean(waits.asLong() == 0)));
    }

    private Future<Answer> show(Call call) {
        String token = call.parameters().text("token", "");
        return mails.kind(token, clock.millis())
                .map(kind -> kind.filter(CONFIRMING::contains).isPresent()
                        ? pages(call).confirm(token)
                        : pages(call).unconfirmable());
    }

    private Future<Answer> confirm(Call call) {
        String token = call.parameters().text("token", "");
        return rates.take(call.request(), null, RateLimit.LOGINS)
                .compose(passed -> mails.kind(token, clock.millis()))
                .compose(kind -> kind.filter(MailKind.NEW_ADDRESS::equals).isPresent()
                        ? change(call, token)
                        : mails.confirm(token))
                .map(done -> done ? pages(call).confirmed() : pages(call).unconfirmable())
                .recover(cause -> Refusal.isFor(Refusal.Reason.INVALID, cause)
                        ? Future.succeededFuture(pages(call).taken())
                        : Future.failedFuture(cause));
    }

    private Future<Boolean> change(Call call, String token) {
        return mails.changeAddress(changes, token, clock.millis(), PasswordResetRoutes.language(call.request()))
                .onSuccess(done -> {
                    if (done) {
                        audit.note(call.request(), Event.ADDRESS_CHANGED, new Subject(Mails.account(token), "", ""));
                    }
                });
    }

    private Future<Answer> showUndo(Call call) {
        String token = call.parameters().text("token", "");
        return mails.isGood(MailKind.ADDRESS_CHANGED, token, clock.millis())
                .map(good -> good ? pages(call).restore(token) : pages(call).unrestorable());
    }

    private Future<Answer> undo(Call call) {
        String token = call.parameters().text("token", "");
        return rates.take(call.request(), null, RateLimit.LOGINS)
                .compose(passed -> mails.restoreAddress(
                        changes, token, clock.millis(), PasswordResetRoutes.language(call.request())))
                .map(done -> {
                    if (!done) {
                        return pages(call).unrestorable();
                    }
                    tokens.trustNoLonger();
                    audit.note(call.request(), Event.ADDRESS_RESTORED, new Subject(Mails.account(token), "", ""));
                    return pages(call).restored();
                });
    }
}
