package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.request.AllowedMentions;
import io.fanfare.api.request.NewMedia;
import io.fanfare.api.request.NewPoll;
import io.fanfare.api.request.NewSchedule;
import io.fanfare.api.request.NewStatus;
import io.fanfare.api.request.UnexpectedMentions;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Upload;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Edits;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.VisibleStatuses;
import io.fanfare.common.view.Views;
import io.fanfare.server.http.Problems;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Single statuses: post, read, edit, delete. */
public final class StatusRoutes {
    private static final int IDS_MAX = 100;

    private final Settings.Limits limits;
    private final Publisher publisher;
    private final Editor editor;
    private final Scheduler scheduler;
    private final Edits edits;
    private final Uploads uploads;
    private final VisibleStatuses visible;
    private final Accounts accounts;
    private final StatusRenderer renderer;
    private final Views views;
    private final InstantSource clock;

    public StatusRoutes(
            Settings.Limits limits,
            Publisher publisher,
            Editor editor,
            Scheduler scheduler,
            Edits edits,
            Uploads uploads,
            VisibleStatuses visible,
            Accounts accounts,
            StatusRenderer renderer,
            Views views,
            InstantSource clock) {
        this.clock = clock;
        this.uploads = uploads;
        this.limits = limits;
        this.publisher = publisher;
        this.editor = editor;
        this.scheduler = scheduler;
        this.edits = edits;
        this.visible = visible;
        this.accounts = accounts;
        this.renderer = renderer;
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
        NewStatus asked = NewStatus.of(call.parameters(), limits.textMax());
        NewPoll poll = NewPoll.of(call.parameters());
        AllowedMentions allowed = AllowedMentions.of(call.parameters());
        if (poll != null && !asked.mediaIds().isEmpty()) {
            throw new Refusal(Refusal.Reason.INVALID, "A poll cannot have pictures: post without media_ids.");
        }
        String when = call.parameters().text("scheduled_at", "");
        if (!when.isEmpty()) {
            return scheduler
                    .schedule(call, asked, poll, NewSchedule.millis(when), () -> subjects(call.viewer(), asked)
                            .map(subjects -> asked.schedulable(subjects.repliedTo()))
                            .compose(words -> pictures(call, words)))
                    .map(scheduler::answer);
        }
        IdempotentRequest once = poll == null
                ? asked.once(call.idempotencyKey(), "post")
                : asked.once(call.idempotencyKey(), "post", poll);
        Application application = call.principal().application();
        return publisher
                .publish(call.viewer(), asked, once, () -> pictures(call, asked)
                        .compose(pictures -> subjects(call.viewer(), asked)
                                .map(subjects -> (words, content) -> words.answering(asked, subjects.repliedTo())
                                        .post(
                                                call.viewer(),
                                                whole(allowed.require(call.viewer(), content), pictures, poll),
                                                subjects.repliedTo(),
                                                subjects.quoted(),
                                                application))))
                .map(body -> Answer.json(body))
                .recover(this::unexpected);
    }

    /** The answer to unexpected mentions has their accounts, so that an app can ask its user about them. */
    private Future<Answer> unexpected(Throwable cause) {
        if (!(cause instanceof UnexpectedMentions unexpected)) {
            return Future.failedFuture(cause);
        }
        Refusal refusal = unexpected.refusal();
        return accounts.load(unexpected.accounts()).map(people -> Answer.json(json -> {
                    json.writeStartObject();
                    Problems.write(json, refusal);
                    json.writeArrayFieldStart("unexpected_accounts");
                    for (Long id : unexpected.accounts()) {
                        if (people.containsKey(id)) {
                            views.accounts().write(json, people.get(id));
                        }
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .status(Problems.statusOf(refusal.reason())));
    }

    private Content whole(Content words, List<Attachment> pictures, NewPoll poll) {
        if (poll != null) {
            return words.with(poll.at(clock.millis()));
        }
        return pictures.isEmpty() ? words : words.with(pictures);
    }

    /** The uploads that it takes over, with what {@code media_attributes} says of them. */
    private Future<List<Attachment>> pictures(Call call, NewStatus asked) {
        List<Future<Optional<Upload>>> described = new ArrayList<>();
        for (Map<String, String> attributes : call.parameters().objects("media_attributes")) {
            long id = Id.parse(attributes.getOrDefault("id", ""));
            if (asked.mediaIds().contains(id)) {
                NewMedia said = NewMedia.of(attributes);
                described.add(uploads.describe(call.viewer(), id, said.description(), said.focus()));
            }
        }
        return Future.all(described).compose(done -> uploads.require(call.viewer(), asked.mediaIds(), clock.millis()));
    }

    /** What a new status refers to; null = nothing. */
    private record Subjects(Status repliedTo, Status quoted) {
        static final Subjects NONE = new Subjects(null, null);
    }

    private Future<Subjects> subjects(long viewer, NewStatus asked) {
        if (asked.inReplyToId() == 0 && asked.quotedId() == 0) {
            return Future.succeededFuture(Subjects.NONE);
        }
        Future<Status> repliedTo = visible.named(viewer, asked.inReplyToId());
        Future<Status> quoted = visible.quotable(viewer, asked.quotedId());
        return Future.all(repliedTo, quoted).map(both -> new Subjects(repliedTo.result(), quoted.result()));
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
        return editor.edit(call.viewer(), call.id(), call.parameters())
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
        return publisher
                .delete(call.viewer(), call.id(), keepsPictures)
                .compose(renderer::deleted)
                .map(body -> Answer.json(body));
    }
}
