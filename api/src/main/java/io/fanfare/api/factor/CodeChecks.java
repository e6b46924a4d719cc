package io.fanfare.api.factor;

import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.RateLimits;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Role;
import io.fanfare.common.settings.Settings.Auth.FactorRequired;
import io.fanfare.core.factor.Factors;
import io.fanfare.core.factor.Factors.Act;
import io.fanfare.core.factor.Factors.Used;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks of codes: each counts as a log-in from its address, and leaves an audit event. Confined to one event loop. */
final class CodeChecks implements SecondFactors {
    private final Factors factors;
    private final Tokens tokens;
    private final RateLimits rates;
    private final AuditLog audit;
    private final FactorRequired required;

    CodeChecks(Factors factors, Tokens tokens, RateLimits rates, AuditLog audit, FactorRequired required) {
        this.factors = factors;
        this.tokens = tokens;
        this.rates = rates;
        this.audit = audit;
        this.required = required;
    }

    @Override
    public Future<Login> complete(HttpServerRequest request, String clientId, Login login, String code) {
        Subject subject = new Subject(login.userId(), "", clientId);
        return counted(request, subject, () -> factors.logIn(login, code)).map(used -> {
            audit.note(request, Event.LOGIN_SUCCEEDED, subject);
            return login.proven();
        });
    }

    /** Enables a factor by its first code; fails as {@link Factors#enable} does. */
    Future<List<String>> enable(HttpServerRequest request, Principal principal, String code) {
        Subject subject = Subject.of(principal);
        return rates.take(request, null, RateLimit.LOGINS)
                .compose(passed -> factors.enable(principal, code))
                .onSuccess(codes -> audit.note(request, Event.FACTOR_ENABLED, subject))
                .onFailure(cause -> audit.note(request, Event.CODE_REFUSED, reason(cause), subject));
    }

    /** Uses a code for an act of the holder of a token; fails as {@link Factors#use} does. */
    Future<Used> use(HttpServerRequest request, Principal principal, String code, Act act) {
        return counted(request, Subject.of(principal), () -> factors.use(principal, code, act));
    }

    private Future<Used> counted(HttpServerRequest request, Subject subject, Supplier<Future<Used>> check) {
        return rates.take(request, null, RateLimit.LOGINS)
                .compose(passed -> check.get())
                .onSuccess(used -> {
                    if (used.byRecoveryCode()) {
                        audit.note(request, Event.RECOVERY_CODE_USED, subject);
                    }
                })
                .onFailure(cause -> audit.note(request, Event.CODE_REFUSED, reason(cause), subject));
    }

    private static Reason reason(Throwable cause) {
        if (!(cause instanceof Refusal refusal)) {
            return Reason.UNAVAILABLE;
        }
        return switch (refusal.reason()) {
            case INVALID -> Reason.WRONG_CODE;
            case TOO_MANY -> Reason.RATE;
            case UNAUTHENTICATED -> Reason.OUTDATED;
            default -> Reason.UNAVAILABLE;
        };
    }

    @Override
    public Future<Void> requireConfirmed(Principal principal, Duration within) {
        return factors.isEnabled(principal.userId())
                .compose(enabled -> enabled ? tokens.isConfirmed(principal, within) : Future.succeededFuture(true))
                .compose(confirmed -> confirmed ? Future.succeededFuture() : Future.failedFuture(unconfirmed()));
    }

    private static Refusal unconfirmed() {
        return new Refusal(
                Refusal.Reason.FORBIDDEN,
                "This needs a code of your second factor: send it to POST /api/v1/factor/confirm, then try again.",
                Map.of("code", List.of(new Detail("ERR_CODE_NEEDED", "must be confirmed first"))));
    }

    @Override
    public boolean isRequired(Role role) {
        return switch (required) {
            case NONE -> false;
            case MODERATORS -> role != Role.USER;
            case EVERYONE -> true;
        };
    }

    @Override
    public Future<Void> requireEnrolled(long account) {
        return required == FactorRequired.NONE
                ? Future.succeededFuture()
                : factors.isEnabled(account)
                        .compose(enabled -> enabled ? Future.succeededFuture() : Future.failedFuture(notEnrolled()));
    }

    private static Refusal notEnrolled() {
        return new Refusal(
                Refusal.Reason.FORBIDDEN,
                "This action is not allowed: on this server, accounts with a role need a second factor. Add one in your"
                        + " settings.");
    }
}
