package io.fanfare.api.conversation;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.core.conversation.ConversationEvents;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.conversation.Conversations.Shown;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Conversations of direct messages: the list, marking one as read or unread, and taking one off. */
public final class DirectRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(DirectRoutes.class);
    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 40;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Conversations conversations;
    private final ConversationEvents events;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final Views views;

    public DirectRoutes(
            Settings.Limits limits,
            String publicUrl,
            Conversations conversations,
            ConversationEvents events,
            Accounts accounts,
            StatusRenderer renderer,
            Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.conversations = conversations;
        this.events = events;
        this.accounts = accounts;
        this.renderer = renderer;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        Access write = Access.user("write:conversations");
        return List.of(
                get("/api/v1/conversations", Access.user("read:statuses"), this::list),
                post("/api/v1/conversations/:id/read", write, call -> mark(call, conversations::read))
                        .withoutBody(),
                post("/api/v1/conversations/:id/unread", write, call -> mark(call, conversations::unread))
                        .withoutBody(),
                delete("/api/v1/conversations/:id", write, this::remove));
    }

    private Future<Answer> list(Call call) {
        return conversations
                .page(call.viewer(), call.parameters().page(LIMIT, Math.min(LIMIT_MAX, limits.pageMax())))
                .compose(page -> around(call.viewer(), page.items()).map(around -> answer(call, page, around)));
    }

    private Answer answer(Call call, Page<Shown> page, Around around) {
        List<Shown> covered = page.items().stream().filter(around::covers).toList();
        return Answer.array(covered, (json, shown) -> write(json, call.viewer(), shown, around))
                .link(Links.of(publicUrl, call, page));
    }

    /** Everything that conversations are shown with. */
    private record Around(Map<Long, Account> people, RenderContext statuses) {
        /** False for a conversation with a status whose author has no account any more. */
        boolean covers(Shown shown) {
            return statuses.covers(shown.last());
        }
    }

    private Future<Around> around(long viewer, List<Shown> conversations) {
        Future<Map<Long, Account>> people = accounts.load(Conversations.people(viewer, conversations));
        Future<RenderContext> statuses =
                renderer.load(conversations.stream().map(Shown::last).toList(), viewer);
        return Future.all(people, statuses).map(both -> new Around(people.result(), statuses.result()));
    }

    private void write(JsonGenerator json, long viewer, Shown shown, Around around) throws IOException {
        List<Account> people = ConversationEvents.people(viewer, shown, around.people());
        views.conversations().write(json, shown.id(), shown.unread(), people, shown.last(), around.statuses());
    }

    /** @param mark takes the account and the id of one of its conversations */
    private Future<Answer> mark(Call call, BiFunction<Long, Long, Future<Conversations.Change>> mark) {
        return find(call)
                .compose(found -> mark.apply(call.viewer(), call.id()))
                .onSuccess(change -> events.announce(call.viewer(), change)
                        .onFailure(cause -> LOG.debug("conversation event not published cause={}", cause.toString())))
                .compose(change -> find(call))
                .compose(shown -> around(call.viewer(), List.of(shown)).map(around -> one(call, shown, around)));
    }

    private Future<Shown> find(Call call) {
        return conversations.find(call.viewer(), call.id()).map(found -> found.orElseThrow(Refusal::unknown));
    }

    private Answer one(Call call, Shown shown, Around around) {
        if (!around.covers(shown)) {
            throw Refusal.unknown();
        }
        return Answer.json(json -> write(json, call.viewer(), shown, around));
    }

    private Future<Answer> remove(Call call) {
        return conversations.drop(call.viewer(), call.id()).map(Answer.EMPTY_OBJECT);
    }
}
