package io.fanfare.api.account;

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
import io.fanfare.api.oauth.SignUps;
import io.fanfare.common.store.AddressChanges;
import io.fanfare.common.store.AddressChanges.State;
import io.fanfare.common.view.Timestamps;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.web.Messages;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The e-mail address of the own account. Where mails are sent, a change takes effect when the link to the new address
 * is used; elsewhere it does at once, as a sign-up does. Confined to one event loop.
 */
final class AddressRoutes {
    private final BooleanSupplier mails;
    private final AddressChanges changes;
    private final SignUps signUps;
    private final Function<Call, Future<Void>> requireOwner;
    private final RateLimits rates;
    private final AuditLog audit;

    /**
     * @param requireOwner fails unless the caller has the password of the account
     * @param mails whether mails are sent and their links lead somewhere
     */
    AddressRoutes(ApiLoop loop, SignUps signUps, Function<Call, Future<Void>> requireOwner, BooleanSupplier mails) {
        this.mails = mails;
        this.changes = loop.accounts().addressChanges();
        this.signUps = signUps;
        this.requireOwner = requireOwner;
        this.rates = loop.rates();
        this.audit = loop.audit();
    }

    List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/accounts/email", Access.user("read:accounts"), this::show),
                post("/api/v1/accounts/email", Access.user("write:accounts"), this::change)
                        .hashing());
    }

    /** Shortened addresses: an app that may read the profile has no need of them. */
    private Future<Answer> show(Call call) {
        return changes.state(call.viewer())
                .map(state -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("email", shortened(state.address()));
                    json.writeBooleanField("confirmed", state.unconfirmedSince() == null);
                    json.writeStringField("wanted", shortened(state.wanted()));
                    json.writeStringField(
                            "fixed_until",
                            state.fixedUntil() == null
                                    ? null
                                    : Timestamps.time(state.fixedUntil().toEpochMilli()));
                    json.writeEndObject();
                }));
    }

    /** The first character and the domain; null for none. */
    private static String shortened(String address) {
        return address.isEmpty()
                ? null
                : new StringBuilder()
                        .appendCodePoint(address.codePointAt(0))
                        .append('…')
                        .append(address, address.lastIndexOf('@'), address.length())
                        .toString();
    }

    private Future<Answer> change(Call call) {
        return signUps.wantedAddress(call)
                .compose(address -> requireOwner.apply(call).map(address))
                .compose(address -> changes.state(call.viewer()).map(state -> other(address, state)))
                .compose(address -> rates.take(call.request(), call.principal(), RateLimit.ADDRESS_CHANGES)
                        .map(address))
                .compose(address -> mails.getAsBoolean() ? request(call, address) : changeNow(call, address))
                .map(Answer.EMPTY_OBJECT);
    }

    private static String other(String address, State state) {
        if (address.equals(state.address())) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("email", "ERR_TAKEN", "is the address of this account already");
            throw errors.refusal();
        }
        return address;
    }

    private Future<Void> request(Call call, String address) {
        String language = Messages.of(call.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE))
                .language();
        return rates.requireMailTo(address)
                .compose(granted -> changes.request(call.viewer(), address, language))
                .onSuccess(done -> audit.note(call.request(), Event.ADDRESS_REQUESTED, Subject.of(call.principal())));
    }

    private Future<Void> changeNow(Call call, String address) {
        return changes.changeNow(call.viewer(), address, /* over= */ false)
                .onSuccess(done -> audit.note(call.request(), Event.ADDRESS_CHANGED, Subject.of(call.principal())));
    }
}
