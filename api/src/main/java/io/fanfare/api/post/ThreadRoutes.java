package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.NewPost;
import io.fanfare.core.posting.Posting;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/** Comments under a status, its context, and the comments of an account. */
public final class ThreadRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Posting posting;
    private final VisibleStatuses visible;
    private final Threads threads;
    private final Accounts accounts;
    private final StatusRenderer renderer;

    public ThreadRoutes(
            Settings.Limits limits,
            String publicUrl,
            Posting posting,
            VisibleStatuses visible,
            Threads threads,
            Accounts accounts,
            StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.posting = posting;
        this.visible = visible;
        this.threads = threads;
        this.accounts = accounts;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/statuses/:id/context", Access.viewer("read:statuses"), this::context),
                get("/api/v1/statuses/:id/comments", Access.viewer("read:statuses"), this::comments),
                get("/api/v1/accounts/:id/comments", Access.viewer("read:statuses"), this::commentsBy),
                post("/api/v1/statuses/:id/comments", Access.user("write:statuses"), this::comment));
    }

    /** The Mastodon entity Context. */
    private Future<Answer> context(Call call) {
        return visible.subject(call.viewer(), call.id()).compose(status -> {
            Future<List<Status>> ancestors = threads.ancestors(call.viewer(), status);
            Future<List<Status>> descendants = threads.descendants(call.viewer(), status);
            return Future.all(ancestors, descendants)
                    .compose(both -> context(call.viewer(), ancestors.result(), descendants.result()));
        });
    }

    private Future<Answer> context(long viewer, List<Status> ancestors, List<Status> descendants) {
        List<Status> all =
                Stream.concat(ancestors.stream(), descendants.stream()).toList();
        return renderer.load(all, viewer)
                .map(context -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeFieldName("ancestors");
                    renderer.array(json, ancestors, context);
                    json.writeFieldName("descendants");
                    renderer.array(json, descendants, context);
                    json.writeEndObject();
                }));
    }

    private Future<Answer> comments(Call call) {
        PageRequest page = call.parameters().page(LIMIT, limits.pageMax());
        return visible.subject(call.viewer(), call.id())
                .compose(status -> threads.page(SubjectEdges.Kind.COMMENT, status.id(), call.viewer(), page))
                .compose(comments -> answer(call, comments));
    }

    private Future<Answer> commentsBy(Call call) {
        PageRequest page = call.parameters().page(LIMIT, limits.pageMax());
        return accounts.require(call.id())
                .compose(author -> threads.commentsBy(author.id(), call.viewer(), page))
                .compose(comments -> answer(call, comments));
    }

    private Future<Answer> answer(Call call, Page<Status> comments) {
        return renderer.list(comments.items(), call.viewer())
                .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, comments)));
    }

    /**
     * The comment is the answer, even if the repost with the same words, which {@code also_repost} asks for, cannot be
     * published.
     */
    private Future<Answer> comment(Call call) {
        String text = call.parameters().text("text", call.parameters().text("status", ""));
        NewStatus status = NewStatus.of(call.parameters(), text, limits.textMax());
        long parentId = call.parameters().id("parent_id");
        boolean alsoRepost = call.parameters().flag("also_repost", false);
        NewPost request = new NewPost(
                call.viewer(),
                status.words(),
                new NewPost.Comment(call.id(), parentId, alsoRepost),
                call.principal().application(),
                status.once(call.idempotencyKey(), "comment", call.id(), parentId, alsoRepost));
        return posting.publish(request).map(published -> Answer.json(renderer.published(published)));
    }
}
