package io.fanfare.api.factor;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.oauth.Logins;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.OwnFields;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.factor.Factors;
import io.fanfare.core.factor.Factors.Act;
import io.fanfare.core.factor.Factors.State;
import io.fanfare.core.factor.Totp;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Subject;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.util.List;

/**
 * Endpoints for users to see, add and remove the second factor of their own account. What adds or removes it needs the
 * password: a token alone proves that the user let an app in, not that the user is there.
 */
final class FactorRoutes {
    private final Accounts accounts;
    private final Factors factors;
    private final CodeChecks checks;
    private final Logins logins;
    private final AuditLog audit;
    private final String host;

    FactorRoutes(
            Accounts accounts, Factors factors, CodeChecks checks, Logins logins, AuditLog audit, String publicUrl) {
        this.accounts = accounts;
        this.factors = factors;
        this.checks = checks;
        this.logins = logins;
        this.audit = audit;
        this.host = URI.create(publicUrl).getRawAuthority();
    }

    List<Endpoint> endpoints() {
        Access write = Access.user("write:accounts");
        return List.of(
                get("/api/v1/factor", Access.user("read:accounts"), this::show),
                post("/api/v1/factor", write, this::begin).hashing(),
                post("/api/v1/factor/enable", write, this::enable),
                post("/api/v1/factor/confirm", write, this::confirm),
                post("/api/v1/factor/codes", write, this::renew),
                post("/api/v1/factor/disable", write, this::disable).hashing());
    }

    private Future<Answer> show(Call call) {
        Future<State> state = factors.state(call.viewer());
        Future<OwnFields> own = accounts.ownFields(call.viewer());
        return Future.all(state, own)
                .map(both -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeBooleanField("enabled", state.result().isEnabled());
                    json.writeStringField("enabled_at", time(state.result().since()));
                    json.writeNumberField("recovery_codes", state.result().recoveryCodes());
                    json.writeStringField("removed_at", time(state.result().removedAt()));
                    json.writeBooleanField(
                            "required", checks.isRequired(own.result().role()));
                    json.writeEndObject();
                }));
    }

    private static String time(Instant at) {
        return at == null ? null : Timestamps.time(at.toEpochMilli());
    }

    /** The secret, as text and as the address that authenticator apps read from a QR code. */
    private Future<Answer> begin(Call call) {
        return logins.requireOwn(call)
                .compose(login -> factors.begin(call.viewer()))
                .compose(secret -> accounts.names(call.viewer()).map(names -> {
                    String uri = "otpauth://totp/" + host + ":" + names.username() + "?secret=" + secret + "&issuer="
                            + host + "&algorithm=SHA1&digits=" + Totp.DIGITS + "&period=" + Totp.STEP_SECONDS;
                    QrPicture picture = QrPicture.of(uri);
                    return Answer.json(json -> {
                        json.writeStartObject();
                        json.writeStringField("secret", secret);
                        json.writeStringField("uri", uri);
                        json.writeNumberField("qr_size", picture.size());
                        json.writeStringField("qr_path", picture.path());
                        json.writeEndObject();
                    });
                }));
    }

    private Future<Answer> enable(Call call) {
        return checks.enable(call.request(), call.principal(), code(call)).map(FactorRoutes::codes);
    }

    private Future<Answer> confirm(Call call) {
        return checks.use(call.request(), call.principal(), code(call), Act.CONFIRM)
                .map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> renew(Call call) {
        return checks.use(call.request(), call.principal(), code(call), Act.RENEW)
                .onSuccess(used -> audit.note(call.request(), Event.RECOVERY_CODES_DRAWN, Subject.of(call.principal())))
                .map(used -> codes(used.renewed()));
    }

    private Future<Answer> disable(Call call) {
        return logins.requireOwn(call)
                .compose(login -> checks.use(call.request(), call.principal(), code(call), Act.REMOVE))
                .onSuccess(used -> audit.note(call.request(), Event.FACTOR_REMOVED, Subject.of(call.principal())))
                .map(Answer.EMPTY_OBJECT);
    }

    private static String code(Call call) {
        String code = call.parameters().text("code", "");
        if (code.isBlank()) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("code", "ERR_BLANK", "can't be blank");
            throw errors.refusal();
        }
        return code;
    }

    private static Answer codes(List<String> codes) {
        return Answer.json(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("recovery_codes");
            for (String code : codes) {
                json.writeString(code);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }
}
