package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.Editing;
import io.vertx.core.Future;
import java.util.List;

/** Quotes of a status, its quote policy, and the removal of a quote that the quoted author does not want. */
public final class QuoteRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Editing editing;
    private final Threads threads;
    private final VisibleStatuses visible;
    private final Statuses statuses;
    private final StatusRenderer renderer;

    public QuoteRoutes(
            Settings.Limits limits,
            String publicUrl,
            Editing editing,
            Threads threads,
            VisibleStatuses visible,
            Statuses statuses,
            StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.editing = editing;
        this.threads = threads;
        this.visible = visible;
        this.statuses = statuses;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/statuses/:id/quotes", Access.viewer("read:statuses"), this::list),
                put("/api/v1/statuses/:id/interaction_policy", Access.user("write:statuses"), this::allow),
                post("/api/v1/statuses/:id/quotes/:name/revoke", Access.user("write:statuses"), this::revoke)
                        .withoutBody());
    }

    private Future<Answer> list(Call call) {
        PageRequest page = call.parameters().page(LIMIT, limits.pageMax());
        return visible.subject(call.viewer(), call.id())
                .compose(quoted -> threads.page(SubjectEdges.Kind.QUOTE, quoted.id(), call.viewer(), page))
                .compose(found -> renderer.list(found.items(), call.viewer())
                        .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, found))));
    }

    /** As in Mastodon: without a policy it stays as it is, and so does what not everybody may see. */
    private Future<Answer> allow(Call call) {
        QuotePolicy policy = NewStatus.quotePolicy(call.parameters());
        return visible.find(call.viewer(), call.id())
                .compose(status -> {
                    if (status.authorId() != call.viewer() || status.kind() == Post.Kind.REPOST) {
                        throw Refusal.unknown();
                    }
                    return editing.allow(status, policy);
                })
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    /** Also out of a quote that the author of the post may not see. Then the answer is the post itself. */
    private Future<Answer> revoke(Call call) {
        long quoteId = Id.parse(call.pathName());
        return visible.find(call.viewer(), call.id())
                .compose(quoted -> {
                    if (quoted.authorId() != call.viewer()) {
                        throw new Refusal(
                                Refusal.Reason.FORBIDDEN, "Only the author of a post may take it out of a quote.");
                    }
                    if (quoteId < 0) {
                        throw Refusal.unknown();
                    }
                    return statuses.find(quoteId)
                            .map(found -> found.orElseThrow(Refusal::unknown))
                            .compose(quote -> editing.revoke(quote, quoted))
                            .compose(quote -> visible.load(call.viewer(), List.of(quoteId)))
                            .map(seen -> seen.isEmpty() ? quoted : seen.get(0));
                })
                .compose(shown -> renderer.one(shown, call.viewer()))
                .map(body -> Answer.json(body));
    }
}
