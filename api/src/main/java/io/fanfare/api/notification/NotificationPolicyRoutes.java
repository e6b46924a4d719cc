package io.fanfare.api.notification;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.patch;
import static io.fanfare.api.endpoint.Endpoint.put;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.notification.NotificationRequests.Request;
import io.fanfare.common.model.NotificationPolicy;
import io.fanfare.common.model.NotificationPolicy.Choice;
import io.fanfare.common.model.NotificationPolicy.Source;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.NotificationPolicies;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The viewer's notification policy: accepts, filters into requests, or drops the notifications of each source
 * ({@link NotificationRequestRoutes}).
 */
public final class NotificationPolicyRoutes {
    private static final String PATH_V1 = "/api/v1/notifications/policy";
    private static final String PATH = "/api/v2/notifications/policy";

    /** The first form knows no limited accounts. */
    private static final List<Source> SOURCES_V1 =
            List.of(Source.NOT_FOLLOWING, Source.NOT_FOLLOWERS, Source.NEW_ACCOUNTS, Source.PRIVATE_MENTIONS);

    /** The summary counts at most this many requests, as in Mastodon. */
    private static final int PENDING_MAX = 100;

    private final NotificationPolicies policies;
    private final NotificationRequests requests;

    public NotificationPolicyRoutes(NotificationPolicies policies, NotificationRequests requests) {
        this.policies = policies;
        this.requests = requests;
    }

    /**
     * They stand before {@code /api/v1/notifications/:id}, which would match them as well. PUT is PATCH, as in
     * Mastodon: clients use either.
     */
    public List<Endpoint> endpoints() {
        Access read = Access.user("read:notifications");
        Access write = Access.user("write:notifications");
        return List.of(
                get(PATH_V1, read, call -> show(call, NotificationPolicyRoutes::writeV1)),
                patch(PATH_V1, write, this::changeV1),
                put(PATH_V1, write, this::changeV1),
                get(PATH, read, call -> show(call, NotificationPolicyRoutes::write)),
                patch(PATH, write, this::change),
                put(PATH, write, this::change));
    }

    private interface Form {
        void write(JsonGenerator json, NotificationPolicy policy) throws IOException;
    }

    private Future<Answer> show(Call call, Form form) {
        Future<NotificationPolicy> policy = policies.of(call.viewer());
        Future<List<Request>> pending = requests.all(call.viewer());
        return Future.all(policy, pending)
                .map(both -> Answer.json(json -> {
                    json.writeStartObject();
                    form.write(json, policy.result());
                    summary(json, pending.result());
                    json.writeEndObject();
                }));
    }

    private static void summary(JsonGenerator json, List<Request> pending) throws IOException {
        json.writeObjectFieldStart("summary");
        json.writeNumberField("pending_requests_count", Math.min(PENDING_MAX, pending.size()));
        json.writeNumberField(
                "pending_notifications_count",
                pending.stream().mapToInt(request -> request.aside().size()).sum());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, NotificationPolicy policy) throws IOException {
        for (Source source : Source.values()) {
            json.writeStringField(name(source), policy.of(source).wire());
        }
    }

    /** That it is not simply shown is all that the first form can say. */
    private static void writeV1(JsonGenerator json, NotificationPolicy policy) throws IOException {
        for (Source source : SOURCES_V1) {
            json.writeBooleanField(nameV1(source), policy.of(source) != Choice.ACCEPT);
        }
    }

    private static String name(Source source) {
        return "for_" + source.wire();
    }

    private static String nameV1(Source source) {
        return "filter_" + source.wire();
    }

    private Future<Answer> change(Call call) {
        return policies.choose(call.viewer(), choices(call.parameters()))
                .compose(changed -> show(call, NotificationPolicyRoutes::write));
    }

    private static Map<Source, Choice> choices(Parameters parameters) {
        Map<Source, Choice> choices = new EnumMap<>(Source.class);
        for (Source source : Source.values()) {
            String value = parameters.text(name(source), "");
            if (!value.isEmpty()) {
                Choice choice = Choice.of(value);
                if (choice == null) {
                    throw new Refusal(
                            Refusal.Reason.INVALID,
                            "The parameter " + name(source) + " must be accept, filter or drop.");
                }
                choices.put(source, choice);
            }
        }
        return choices;
    }

    private Future<Answer> changeV1(Call call) {
        return policies.of(call.viewer())
                .map(policy -> choicesV1(call.parameters(), policy))
                .compose(choices -> policies.choose(call.viewer(), choices))
                .compose(changed -> show(call, NotificationPolicyRoutes::writeV1));
    }

    /**
     * A whole form that says again what is dropped leaves it dropped. The policy is read before it is changed: of two
     * forms that come at the same instant, one may go by what the other changes.
     */
    private static Map<Source, Choice> choicesV1(Parameters parameters, NotificationPolicy policy) {
        Map<Source, Choice> choices = new EnumMap<>(Source.class);
        for (Source source : SOURCES_V1) {
            boolean before = policy.of(source) != Choice.ACCEPT;
            boolean filters = parameters.flag(nameV1(source), before);
            if (filters != before) {
                choices.put(source, filters ? Choice.FILTER : Choice.ACCEPT);
            }
        }
        return choices;
    }
}
