package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.post.Threads;
import io.fanfare.api.request.NewStatus;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.VisibleStatuses;
import io.fanfare.redis.RedisError;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is said under a status, and what an account has said under statuses. */
public final class ThreadRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadRoutes.class);
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Publisher publisher;
    private final VisibleStatuses visible;
    private final Threads threads;
    private final Accounts accounts;
    private final StatusRenderer renderer;

    public ThreadRoutes(
            Settings.Limits limits,
            String publicUrl,
            Publisher publisher,
            VisibleStatuses visible,
            Threads threads,
            Accounts accounts,
            StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.publisher = publisher;
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
     * Answers the comment. The repost that may come with it is a status of its own; when only that fails, there is the
     * comment to answer all the same.
     */
    private Future<Answer> comment(Call call) {
        String text = call.parameters().text("text", call.parameters().text("status", ""));
        NewStatus asked = NewStatus.of(call.parameters(), text, limits.textMax());
        long parentId = call.parameters().id("parent_id");
        boolean alsoRepost = call.parameters().flag("also_repost", false);
        IdempotentRequest once = asked.once(call.idempotencyKey(), "comment", call.id(), parentId, alsoRepost);
        if (!alsoRepost) {
            return comment(call, asked, once, parentId, () -> visible.subject(call.viewer(), call.id()))
                    .map(body -> Answer.json(body));
        }
        // A repeated request finds its comment, but perhaps not its repost: the process may have ended between the two.
        Future<Status> subject = visible.quotable(call.viewer(), call.id());
        return comment(call, asked, once, parentId, () -> subject)
                .compose(body -> subject.compose(status -> repost(call, asked, once, status))
                        .recover(ThreadRoutes::withoutRepost)
                        .map(body))
                .map(body -> Answer.json(body));
    }

    private Future<byte[]> comment(
            Call call, NewStatus asked, IdempotentRequest once, long parentId, Supplier<Future<Status>> subject) {
        long viewer = call.viewer();
        Application application = call.principal().application();
        return publisher.publish(viewer, asked, once, () -> subject.get().compose(status -> parent(
                        viewer, status, parentId)
                .map(parent -> (words, content) -> words.comment(viewer, content, status, parent, application))));
    }

    /**
     * The same words, as a post that shows the status. A repeated request repeats both; no client's key ends with a
     * space.
     */
    private Future<byte[]> repost(Call call, NewStatus asked, IdempotentRequest once, Status subject) {
        Application application = call.principal().application();
        IdempotentRequest another = once == null ? null : new IdempotentRequest(once.key() + " ", once.asked());
        return publisher.publish(
                call.viewer(),
                asked,
                another,
                () -> Future.succeededFuture(
                        (words, content) -> words.post(call.viewer(), content, null, subject, application)));
    }

    /**
     * A repost that is refused, or that Redis does not take, leaves the comment as it is. Anything else is a mistake of
     * ours, and stays one.
     */
    public static Future<byte[]> withoutRepost(Throwable cause) {
        if (cause instanceof Refusal || cause instanceof RedisError) {
            LOG.debug("comment published without its repost cause={}", cause.toString());
            return Future.succeededFuture();
        }
        return Future.failedFuture(cause);
    }

    /** What a comment answers: the status itself, or one that stands under it. */
    private Future<Status> parent(long viewer, Status status, long parentId) {
        if (parentId == 0 || parentId == status.id()) {
            return Future.succeededFuture(status);
        }
        return visible.find(viewer, parentId).map(parent -> {
            if (!standsUnder(status, parent)) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "The parent_id is not that of a comment on this status: leave it out, or comment on the other status.");
            }
            return parent;
        });
    }

    private static boolean standsUnder(Status status, Status parent) {
        return Stream.of(parent.post().replyTo(), parent.post().root())
                .anyMatch(above -> above != null && above.statusId() == status.id());
    }
}
