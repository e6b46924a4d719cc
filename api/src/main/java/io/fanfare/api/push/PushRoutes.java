package io.fanfare.api.push;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.server.http.Authentication;
import io.vertx.core.Future;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;

/** The push subscription of the access token that asks. Nothing is sent from here: workers do that. */
public final class PushRoutes {
    private static final String PATH = "/api/v1/push/subscription";

    private final Settings.Push settings;
    private final Vapid vapid;
    private final PushSubscriptions subscriptions;
    private final SealedTexts tokens;
    private final MemoryPressure pressure;
    private final SecureRandom random;

    /** @param vapid null = push is not offered */
    public PushRoutes(
            Settings.Push settings,
            Vapid vapid,
            PushSubscriptions subscriptions,
            SealedTexts tokens,
            MemoryPressure pressure,
            SecureRandom random) {
        this.settings = settings;
        this.vapid = vapid;
        this.subscriptions = subscriptions;
        this.tokens = tokens;
        this.pressure = pressure;
        this.random = random;
    }

    public List<Endpoint> endpoints() {
        Access access = Access.user("push");
        return List.of(
                get(PATH, access, this::show),
                post(PATH, access, this::subscribe),
                put(PATH, access, this::change),
                delete(PATH, access, this::end));
    }

    private Future<Answer> show(Call call) {
        requireOffered();
        return subscriptions
                .find(call.viewer(), call.principal().tokenId())
                .map(found -> answer(found.orElseThrow(Refusal::unknown)));
    }

    private Future<Answer> subscribe(Call call) {
        requireOffered();
        pressure.check(call.viewer());
        NewPushSubscription request = NewPushSubscription.of(call.parameters(), settings.allowPrivate());
        // A session of our own pages has none that an app could use.
        String token = Authentication.bearer(call.request());
        String sealed = token == null ? "" : tokens.seal(token, call.viewer(), random);
        return subscriptions
                .subscribe(call.viewer(), call.principal().tokenId(), request.subscription(sealed))
                .map(this::answer);
    }

    private Future<Answer> change(Call call) {
        requireOffered();
        NewPushSubscription.Preferences preferences = NewPushSubscription.Preferences.of(call.parameters());
        return subscriptions
                .update(call.viewer(), call.principal().tokenId(), preferences.alerts(), preferences.policy())
                .map(found -> answer(found.orElseThrow(Refusal::unknown)));
    }

    private Future<Answer> end(Call call) {
        requireOffered();
        return subscriptions.end(call.viewer(), call.principal().tokenId()).map(Answer.EMPTY_OBJECT);
    }

    private void requireOffered() {
        if (vapid == null) {
            throw Refusal.unknown();
        }
    }

    private Answer answer(PushSubscription subscription) {
        return Answer.json(json -> write(json, subscription));
    }

    /** The entity WebPushSubscription. The id is a number, as Mastodon sends it and strict clients read it. */
    private void write(JsonGenerator json, PushSubscription subscription) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", subscription.id());
        json.writeStringField("endpoint", subscription.endpoint());
        json.writeBooleanField("standard", subscription.standard());
        json.writeObjectFieldStart("alerts");
        for (String type : PushSubscription.ALERTS) {
            json.writeBooleanField(type, subscription.alerts().contains(type));
        }
        json.writeEndObject();
        json.writeStringField("server_key", vapid.publicKey());
        json.writeStringField("policy", subscription.policy().wire());
        json.writeEndObject();
    }
}
