package io.fanfare.api.notification;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.notification.NotificationRequests.Request;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notifications that the viewer's policy filters, by sender (the entity NotificationRequest). The id of a request is
 * that of the account. To accept a request is to accept all past and future notifications of the account.
 */
public final class NotificationRequestRoutes {
    private static final String PATH = "/api/v1/notifications/requests";
    private static final int LIMIT = 40;

    /** Requests that are answered at once. */
    private static final int ANSWERED_MAX = 100;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final NotificationRequests requests;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final Views views;

    public NotificationRequestRoutes(
            Settings.Limits limits,
            String publicUrl,
            NotificationRequests requests,
            Accounts accounts,
            StatusRenderer renderer,
            Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.requests = requests;
        this.accounts = accounts;
        this.renderer = renderer;
        this.views = views;
    }

    /** Fixed paths stand before {@code :id}, and all before {@code /api/v1/notifications/:id}. */
    public List<Endpoint> endpoints() {
        Access read = Access.user("read:notifications");
        Access write = Access.user("write:notifications");
        return List.of(
                get(PATH, read, this::list),
                get(PATH + "/merged", read, this::merged),
                post(PATH + "/accept", write, call -> answer(call, requests::accept)),
                post(PATH + "/dismiss", write, call -> answer(call, requests::dismiss)),
                get(PATH + "/:id", read, this::show),
                post(PATH + "/:id/accept", write, call -> answerOne(call, requests::accept))
                        .withoutBody(),
                post(PATH + "/:id/dismiss", write, call -> answerOne(call, requests::dismiss))
                        .withoutBody());
    }

    private Future<Answer> list(Call call) {
        return requests.page(call.viewer(), call.parameters().page(LIMIT, limits.pageMax()))
                .compose(page -> around(call, page.items()).map(around -> {
                    List<Request> covered =
                            page.items().stream().filter(around::covers).toList();
                    return Answer.array(covered, (json, request) -> write(json, request, around))
                            .link(Links.of(publicUrl, call, page));
                }));
    }

    private Future<Answer> show(Call call) {
        return find(call).compose(request -> around(call, List.of(request)).map(around -> {
            if (!around.covers(request)) {
                throw Refusal.unknown();
            }
            return Answer.json(json -> write(json, request, around));
        }));
    }

    private Future<Request> find(Call call) {
        return requests.find(call.viewer(), call.id()).map(found -> found.orElseThrow(Refusal::unknown));
    }

    /** The senders, and the data that the statuses are rendered with. */
    private record Around(Map<Long, Account> senders, RenderContext statuses) {
        boolean covers(Request request) {
            return senders.containsKey(request.sender());
        }
    }

    private Future<Around> around(Call call, List<Request> page) {
        List<Status> about =
                page.stream().map(Request::last).filter(Objects::nonNull).toList();
        Future<Map<Long, Account>> senders =
                accounts.load(page.stream().map(Request::sender).toList());
        Future<RenderContext> statuses = renderer.load(about, call.viewer());
        return Future.all(senders, statuses).map(both -> new Around(senders.result(), statuses.result()));
    }

    /** The entity NotificationRequest. Mastodon spells the number as a string, and clients read both. */
    private void write(JsonGenerator json, Request request, Around around) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(request.sender()));
        json.writeStringField("created_at", Timestamps.time(Id.epochMillis(request.oldest())));
        json.writeStringField("updated_at", Timestamps.time(Id.epochMillis(request.newest())));
        json.writeStringField(
                "notifications_count", Integer.toString(request.aside().size()));
        json.writeFieldName("account");
        views.accounts().write(json, around.senders().get(request.sender()));
        if (request.last() != null && around.statuses().covers(request.last())) {
            json.writeFieldName("last_status");
            renderer.write(json, request.last(), around.statuses());
        }
        json.writeEndObject();
    }

    /** Always true: accepted notifications are among the others before the request to accept them is answered. */
    private Future<Answer> merged(Call call) {
        return Future.succeededFuture(Answer.json(json -> {
            json.writeStartObject();
            json.writeBooleanField("merged", true);
            json.writeEndObject();
        }));
    }

    /** Accepts or dismisses requests. */
    private interface Decision {
        Future<Void> make(long viewer, List<Request> requests);
    }

    /**
     * Decides about the requests of these ids. Ids without a request are ignored: another client may have been faster.
     */
    private Future<Answer> answer(Call call, Decision decision) {
        Set<Long> senders = call.parameters().all("id").stream().map(Id::parse).collect(Collectors.toSet());
        if (senders.size() > ANSWERED_MAX) {
            throw new Refusal(Refusal.Reason.INVALID, "At most " + ANSWERED_MAX + " ids at once: ask in parts.");
        }
        return requests.of(call.viewer(), senders)
                .compose(requests -> decision.make(call.viewer(), requests))
                .map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> answerOne(Call call, Decision decision) {
        return find(call)
                .compose(request -> decision.make(call.viewer(), List.of(request)))
                .map(Answer.EMPTY_OBJECT);
    }
}
