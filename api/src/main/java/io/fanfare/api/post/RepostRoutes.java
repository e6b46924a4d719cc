package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.endpoint.VisibleCharacters;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.view.Views;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.NewPost;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.posting.StatusDeletion;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Passing statuses on, with words of one's own (a quote) or without, and who has. */
public final class RepostRoutes {
    private static final int ACCOUNTS_LIMIT = 40;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Posting posting;
    private final StatusDeletion deletion;
    private final VisibleStatuses visible;
    private final Statuses statuses;
    private final Accounts accounts;
    private final Threads threads;
    private final StatusRenderer renderer;
    private final Views views;

    public RepostRoutes(
            Settings.Limits limits,
            String publicUrl,
            Posting posting,
            StatusDeletion deletion,
            VisibleStatuses visible,
            Statuses statuses,
            Accounts accounts,
            Threads threads,
            StatusRenderer renderer,
            Views views) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.posting = posting;
        this.deletion = deletion;
        this.visible = visible;
        this.statuses = statuses;
        this.accounts = accounts;
        this.threads = threads;
        this.renderer = renderer;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses/:id/reblog", Access.user("write:statuses"), this::repost),
                post("/api/v1/statuses/:id/unreblog", Access.user("write:statuses"), this::undo)
                        .withoutBody()
                        .within(RateLimit.DELETES),
                get("/api/v1/statuses/:id/reblogged_by", Access.viewer("read:accounts"), this::reposters));
    }

    private Future<Answer> repost(Call call) {
        String words = call.parameters().text("comment", "");
        Future<Posting.Published> published = VisibleCharacters.isBlank(words) ? plain(call) : quote(call, words);
        return published.map(repost -> Answer.json(renderer.published(repost)));
    }

    private Future<Posting.Published> quote(Call call, String text) {
        NewStatus status = NewStatus.of(call.parameters(), text, limits.textMax());
        return posting.publish(new NewPost(
                call.viewer(),
                status.words(),
                NewPost.Plain.quoting(call.id()),
                call.principal().application(),
                status.once(call.idempotencyKey(), "quote", call.id())));
    }

    private Future<Posting.Published> plain(Call call) {
        Visibility visibility = NewStatus.visibility(call.parameters());
        return posting.repost(new NewPost.Repost(
                call.viewer(),
                call.id(),
                visibility,
                call.principal().application(),
                IdempotentRequest.of(call.idempotencyKey(), "repost", call.id(), visibility)));
    }

    /**
     * By the id of the original or of the repost. Takes the repost back even when the original may not be seen any
     * more: only then is the answer that it is unknown.
     */
    private Future<Answer> undo(Call call) {
        return statuses.find(call.id())
                .map(found -> found.map(Status::subjectId).orElse(call.id()))
                .compose(original ->
                        takeBack(call.viewer(), original).compose(done -> visible.find(call.viewer(), original)))
                .compose(original -> renderer.one(original, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Void> takeBack(long viewer, long original) {
        return statuses.repostOf(original, viewer)
                .compose(repost -> repost.isPresent()
                        ? deletion.byAuthor(viewer, repost.get(), /* keepsPictures= */ false)
                                .recover(RepostRoutes::isUndone)
                                .mapEmpty()
                        : Future.succeededFuture());
    }

    /** Two requests at once: the other one was faster. */
    private static Future<Status> isUndone(Throwable cause) {
        return Refusal.isFor(Refusal.Reason.NOT_FOUND, cause) ? Future.succeededFuture() : Future.failedFuture(cause);
    }

    /** Without who has reposted it for followers alone. */
    private Future<Answer> reposters(Call call) {
        PageRequest page = call.parameters().page(ACCOUNTS_LIMIT, limits.pageMax());
        return visible.subject(call.viewer(), call.id())
                .compose(original -> threads.page(SubjectEdges.Kind.REPOST, original.id(), call.viewer(), page))
                .compose(reposts -> accounts.load(authors(reposts)).map(people -> people(call, reposts, people)));
    }

    private static List<Long> authors(Page<Status> reposts) {
        return reposts.items().stream().map(Status::authorId).toList();
    }

    private Answer people(Call call, Page<Status> reposts, Map<Long, Account> people) {
        List<Account> known = authors(reposts).stream()
                .map(people::get)
                .filter(Objects::nonNull)
                .toList();
        return Answer.array(known, views.accounts()::write).link(Links.of(publicUrl, call, reposts));
    }
}
