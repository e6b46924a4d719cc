package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.poll.NewPoll;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.api.schedule.NewSchedule;
import io.fanfare.api.schedule.ScheduledStatusRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.view.Views;
import io.fanfare.core.post.Edits;
import io.fanfare.core.post.VisibleStatuses;
import io.fanfare.core.posting.Editing;
import io.fanfare.core.posting.NewPost;
import io.fanfare.core.posting.Posting;
import io.fanfare.core.posting.Scheduling;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.core.posting.UnexpectedMentions;
import io.fanfare.server.http.Problems;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Single statuses: post, read, edit, delete. */
public final class StatusRoutes {
    private static final int IDS_MAX = 100;

    private final Settings.Limits limits;
    private final Posting posting;
    private final Editing editing;
    private final Scheduling scheduling;
    private final StatusDeletion deletion;
    private final Edits edits;
    private final VisibleStatuses visible;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final ScheduledStatusRenderer scheduledRenderer;
    private final Views views;

    public StatusRoutes(
            Settings.Limits limits,
            Posting posting,
            Editing editing,
            Scheduling scheduling,
            StatusDeletion deletion,
            Edits edits,
            VisibleStatuses visible,
            Accounts accounts,
            StatusRenderer renderer,
            ScheduledStatusRenderer scheduledRenderer,
            Views views) {
        this.limits = limits;
        this.posting = posting;
        this.editing = editing;
        this.scheduling = scheduling;
        this.deletion = deletion;
        this.edits = edits;
        this.visible = visible;
        this.accounts = accounts;
        this.renderer = renderer;
        this.scheduledRenderer = scheduledRenderer;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses", Access.user("write:statuses"), this::publish),
                get("/api/v1/statuses", Access.viewer("read:statuses"), this::list),
                get("/api/v1/statuses/:id", Access.viewer("read:statuses"), this::show),
                put("/api/v1/statuses/:id", Access.user("write:statuses"), this::edit),
                get("/api/v1/statuses/:id/history", Access.viewer("read:statuses"), this::history),
                get("/api/v1/statuses/:id/source", Access.user("read:statuses"), this::source),
                delete("/api/v1/statuses/:id", Access.user("write:statuses"), this::remove)
                        .withBody()
                        .within(RateLimit.DELETES));
    }

    private Future<Answer> publish(Call call) {
        NewStatus status = NewStatus.of(call.parameters(), limits.textMax());
        NewPoll poll = NewPoll.of(call.parameters());
        AllowedMentions allowed = AllowedMentions.of(call.parameters());
        if (poll != null && !status.mediaIds().isEmpty()) {
            throw new Refusal(Refusal.Reason.INVALID, "A poll cannot have pictures: post without media_ids.");
        }
        NewPost.Plain form = new NewPost.Plain(
                status.inReplyToId(),
                status.quotedId(),
                new NewPost.UploadsTaken(
                        status.mediaIds(), NewMedia.descriptions(call.parameters(), status.mediaIds())),
                poll == null ? null : poll.poll(),
                allowed.accounts());
        String when = call.parameters().text("scheduled_at", "");
        if (!when.isEmpty()) {
            long dueMillis = NewSchedule.millis(when);
            IdempotentRequest once = poll == null
                    ? status.once(call.idempotencyKey(), "post", "scheduled", dueMillis)
                    : status.once(call.idempotencyKey(), "post", "scheduled", dueMillis, poll);
            return scheduling
                    .schedule(newPost(call, status, form, once), dueMillis)
                    .map(scheduledRenderer::answer);
        }
        IdempotentRequest once = poll == null
                ? status.once(call.idempotencyKey(), "post")
                : status.once(call.idempotencyKey(), "post", poll);
        return posting.publish(newPost(call, status, form, once))
                .map(published -> Answer.json(renderer.published(published)))
                .recover(this::unexpected);
    }

    private static NewPost newPost(Call call, NewStatus status, NewPost.Plain form, IdempotentRequest once) {
        return new NewPost(call.viewer(), status.words(), form, call.principal().application(), once);
    }

    /** The answer to unexpected mentions has their accounts, so that an app can ask its user about them. */
    private Future<Answer> unexpected(Throwable cause) {
        if (!(cause instanceof UnexpectedMentions unexpected)) {
            return Future.failedFuture(cause);
        }
        Refusal refusal = AllowedMentions.refusal(unexpected);
        List<Long> ids =
                unexpected.mentions().stream().map(Content.Mention::accountId).toList();
        return accounts.load(ids).map(people -> Answer.json(json -> {
                    json.writeStartObject();
                    Problems.write(json, refusal);
                    json.writeArrayFieldStart("unexpected_accounts");
                    for (Long id : ids) {
                        if (people.containsKey(id)) {
                            views.accounts().write(json, people.get(id));
                        }
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .status(Problems.statusOf(refusal.reason())));
    }

    /** In the order asked; what is unknown or not visible is left out. */
    private Future<Answer> list(Call call) {
        Set<Long> ids = new LinkedHashSet<>();
        call.parameters().all("id").forEach(text -> ids.add(Id.parse(text)));
        ids.remove(-1L);
        if (ids.size() > IDS_MAX) {
            throw new Refusal(Refusal.Reason.INVALID, "At most " + IDS_MAX + " ids at once: ask in parts.");
        }
        return visible.load(call.viewer(), List.copyOf(ids))
                .compose(found -> renderer.list(found, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Answer> show(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Answer> edit(Call call) {
        return editing.editable(call.viewer(), call.id())
                .compose(status -> {
                    NewStatus edit = NewStatus.ofEdit(call.parameters(), status, limits.textMax());
                    return editing.edit(new Editing.Edit(
                            status,
                            edit.words(),
                            edit.mediaIds(),
                            NewMedia.descriptions(call.parameters(), edit.mediaIds()),
                            NewStatus.quotePolicy(call.parameters())));
                })
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Answer> history(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> edits.versions(status.id()))
                .compose(versions -> {
                    if (versions.isEmpty()) {
                        throw Refusal.unknown();
                    }
                    return renderer.history(versions, call.viewer());
                })
                .map(body -> Answer.json(body));
    }

    /** The text as its author wrote it, for everybody who may see the status, as in Mastodon. */
    private Future<Answer> source(Call call) {
        return visible.find(call.viewer(), call.id())
                .map(status -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("id", Long.toString(status.id()));
                    json.writeStringField("text", status.text());
                    json.writeStringField(
                            "spoiler_text", status.post().content().spoilerText());
                    json.writeEndObject();
                }));
    }

    private Future<Answer> remove(Call call) {
        boolean keepsPictures = !call.parameters().flag("delete_media", false);
        return deletion.byAuthor(call.viewer(), call.id(), keepsPictures)
                .compose(renderer::deleted)
                .map(body -> Answer.json(body));
    }
}
