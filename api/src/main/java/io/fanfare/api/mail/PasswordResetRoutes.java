package io.fanfare.api.mail;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.oauth.Logins;
import io.fanfare.api.oauth.OauthFeature;
import io.fanfare.api.oauth.PasswordRules;
import io.fanfare.api.oauth.SignUp;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.failure.Reason;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.web.Messages;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resets forgotten passwords by a mailed link, on pages without scripts. A request is answered before its address is
 * looked up, so neither the answer nor its time tells whether an account has the address. Opening the link changes
 * nothing, since programs that scan mails open it too. Confined to one event loop.
 */
final class PasswordResetRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordResetRoutes.class);

    /** The page on which a link is requested. */
    static final String REQUEST_PATH = "/auth/password/new";

    private final boolean on;
    private final MailPages english;
    private final MailPages chinese;
    private final Mails mails;
    private final Accounts accounts;
    private final Logins logins;
    private final Tokens tokens;
    private final PasswordRules rules;
    private final RateLimits rates;
    private final AuditLog audit;
    private final InstantSource clock;

    PasswordResetRoutes(ApiLoop loop, OauthFeature oauth) {
        this.on = loop.settings().mail().isOn();
        // As the browser sees it, which a proxy may serve from below a path of its own.
        String base = URI.create(loop.publicUrl()).getRawPath();
        String site = loop.settings().instance().title();
        this.english = new MailPages(MailLanguage.EN, site, base);
        this.chinese = new MailPages(MailLanguage.ZH, site, base);
        this.mails = new Mails(loop.redis());
        this.accounts = loop.accounts();
        this.logins = oauth.logins();
        this.tokens = loop.tokens();
        this.rules = oauth.passwordRules();
        this.rates = loop.rates();
        this.audit = loop.audit();
        this.clock = loop.clock();
    }

    List<Endpoint> endpoints() {
        return List.of(
                get(REQUEST_PATH, Access.OPEN, this::showRequest).withoutBody().despite(Switch.MEMBERS_ONLY),
                post("/auth/password", Access.OPEN, this::request).despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY),
                get("/auth/password/edit", Access.OPEN, this::showReset).despite(Switch.MEMBERS_ONLY),
                post("/auth/password/edit", Access.OPEN, this::reset)
                        .hashing()
                        .despite(Switch.MEMBERS_ONLY, Switch.READ_ONLY));
    }

    private static MailLanguage language(Call call) {
        return language(call.request());
    }

    /** The language of the browser that makes a request. */
    static MailLanguage language(HttpServerRequest request) {
        return MailLanguage.of(
                Messages.of(request.getHeader(HttpHeaders.ACCEPT_LANGUAGE)).language());
    }

    private MailPages pages(Call call) {
        return language(call) == MailLanguage.ZH ? chinese : english;
    }

    private Future<Answer> showRequest(Call call) {
        return Future.succeededFuture(on ? pages(call).request("") : pages(call).off());
    }

    private Future<Answer> request(Call call) {
        if (!on) {
            return Future.succeededFuture(pages(call).off());
        }
        String address = SignUp.folded(call.parameters().text("email", ""));
        if (!SignUp.isEmail(address)) {
            return Future.succeededFuture(pages(call).request(address).status(422));
        }
        return rates.take(call.request(), null, RateLimit.MAILS).map(passed -> {
            audit.note(call.request(), Event.RESET_REQUESTED, Subject.NOBODY);
            send(address, language(call))
                    .onFailure(cause -> LOG.warn("no mail for a reset was enqueued cause={}", Reason.kind(cause)));
            return pages(call).requested();
        });
    }

    private Future<Void> send(String address, MailLanguage language) {
        return rates.takeMailTo(address)
                .compose(granted -> granted
                        ? accounts.signedUpByEmail(address)
                                .compose(account -> account.isEmpty()
                                        ? Future.succeededFuture()
                                        : mails.request(account.get(), MailKind.RESET, 0, language))
                        : Future.succeededFuture())
                .mapEmpty();
    }

    private Future<Answer> showReset(Call call) {
        if (!on) {
            return Future.succeededFuture(pages(call).off());
        }
        String token = call.parameters().text("token", "");
        return mails.isGood(MailKind.RESET, token, clock.millis())
                .map(good -> good ? pages(call).reset(token, "") : pages(call).ended());
    }

    private Future<Answer> reset(Call call) {
        if (!on) {
            return Future.succeededFuture(pages(call).off());
        }
        String token = call.parameters().text("token", "");
        String password = call.parameters().text("password", "");
        return rates.take(call.request(), null, RateLimit.LOGINS)
                .compose(passed -> mails.isGood(MailKind.RESET, token, clock.millis()))
                .compose(good -> good
                        ? reset(call, token, password)
                        : Future.succeededFuture(pages(call).ended()));
    }

    private Future<Answer> reset(Call call, String token, String password) {
        return accounts.names(Mails.account(token))
                .map(names -> {
                    ValidationErrors errors = new ValidationErrors();
                    rules.check(errors, password);
                    PasswordRules.checkOwner(errors, password, names.username(), names.email());
                    errors.refuseIfAny();
                    return names;
                })
                .compose(checked -> logins.hash(call.request(), password, /* known= */ false))
                .compose(hash -> mails.reset(token, hash, language(call)))
                .map(account -> {
                    if (account.isEmpty()) {
                        return pages(call).ended();
                    }
                    tokens.trustNoLonger();
                    audit.note(call.request(), Event.PASSWORD_RESET, new Subject(account.get(), "", ""));
                    return pages(call).done();
                })
                .recover(cause -> Refusal.isFor(Refusal.Reason.INVALID, cause)
                        ? Future.succeededFuture(
                                pages(call).reset(token, cause.getMessage()).status(422))
                        : Future.failedFuture(cause));
    }
}
