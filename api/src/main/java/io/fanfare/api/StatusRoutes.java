package io.fanfare.api;

import static io.fanfare.api.Endpoint.delete;
import static io.fanfare.api.Endpoint.get;
import static io.fanfare.api.Endpoint.post;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.Once;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Single statuses: post, read, delete. */
final class StatusRoutes {
    private static final int IDS_MAX = 100;

    private final Settings.Limits limits;
    private final Accounts accounts;
    private final Composer composer;
    private final Publisher publisher;
    private final VisibleStatuses visible;
    private final StatusPages pages;

    StatusRoutes(
            Settings.Limits limits,
            Accounts accounts,
            Composer composer,
            Publisher publisher,
            VisibleStatuses visible,
            StatusPages pages) {
        this.limits = limits;
        this.accounts = accounts;
        this.composer = composer;
        this.publisher = publisher;
        this.visible = visible;
        this.pages = pages;
    }

    List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses", Access.user("write:statuses"), this::publish),
                get("/api/v1/statuses", Access.viewer("read:statuses"), this::list),
                get("/api/v1/statuses/:id", Access.viewer("read:statuses"), this::show),
                get("/api/v1/statuses/:id/source", Access.user("read:statuses"), this::source),
                delete("/api/v1/statuses/:id", Access.user("write:statuses"), this::remove)
                        .within(Limit.DELETES));
    }

    private Future<Answer> publish(Call call) {
        NewStatus asked = NewStatus.of(call.parameters(), limits.textMax());
        Once once = asked.once(call.idempotencyKey(), "post");
        return publisher
                .earlierOr(call.viewer(), once, () -> publish(call, asked, once))
                .map(body -> Answer.json(body));
    }

    private Future<byte[]> publish(Call call, NewStatus asked, Once once) {
        return subjects(call.viewer(), asked).compose(subjects -> publish(call, asked, once, subjects));
    }

    /** The author's preferences need not be read for each post: the script that publishes says when they are others by now. */
    private Future<byte[]> publish(Call call, NewStatus asked, Once once, Subjects subjects) {
        if (asked.isComplete()) {
            return draft(call, asked, subjects).compose(draft -> publisher.publish(draft, once));
        }
        return accounts.preferencesLately(call.viewer())
                .compose(lately -> draft(call, asked.completed(lately.preferences()), subjects)
                        .compose(draft -> publisher.publish(draft, once, lately.rev())))
                .compose(body -> body.isPresent()
                        ? Future.succeededFuture(body.get())
                        : publishNow(call, asked, once, subjects));
    }

    private Future<byte[]> publishNow(Call call, NewStatus asked, Once once, Subjects subjects) {
        return accounts.preferencesNow(call.viewer())
                .compose(now -> draft(call, asked.completed(now.preferences()), subjects))
                .compose(draft -> publisher.publish(draft, once));
    }

    private Future<Draft> draft(Call call, NewStatus complete, Subjects subjects) {
        String clientName = call.principal().clientName();
        return complete.content(composer)
                .map(content ->
                        complete.post(call.viewer(), content, subjects.repliedTo(), subjects.quoted(), clientName));
    }

    /** What a new status refers to; null = nothing. */
    private record Subjects(Status repliedTo, Status quoted) {
        static final Subjects NONE = new Subjects(null, null);
    }

    private Future<Subjects> subjects(long viewer, NewStatus asked) {
        if (asked.inReplyToId() == 0 && asked.quotedId() == 0) {
            return Future.succeededFuture(Subjects.NONE);
        }
        Future<Status> repliedTo = subject(viewer, asked.inReplyToId());
        Future<Status> quoted = subject(viewer, asked.quotedId()).map(StatusRoutes::passedOn);
        return Future.all(repliedTo, quoted).map(both -> new Subjects(repliedTo.result(), quoted.result()));
    }

    /** Null for the id 0. */
    private Future<Status> subject(long viewer, long id) {
        return id == 0 ? Future.succeededFuture() : visible.subject(viewer, id);
    }

    /** What somebody wants to pass on to others; refuses what was not meant for everybody. */
    static Status passedOn(Status original) {
        if (original != null && original.visibility() == Visibility.PRIVATE) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "This status is for its author's followers only: it can be neither reposted nor quoted.");
        }
        return original;
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
                .compose(found -> pages.list(found, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Answer> show(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> pages.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    /** What the author wrote, as it was written. Nobody else's business, so that it is unknown to others. */
    private Future<Answer> source(Call call) {
        return visible.find(call.viewer(), call.id()).map(status -> {
            if (status.authorId() != call.viewer()) {
                throw Refusal.unknown();
            }
            return Answer.json(json -> {
                json.writeStartObject();
                json.writeStringField("id", Long.toString(status.id()));
                json.writeStringField("text", status.text());
                json.writeStringField("spoiler_text", status.draft().content().spoilerText());
                json.writeEndObject();
            });
        });
    }

    private Future<Answer> remove(Call call) {
        return publisher
                .takeBack(call.viewer(), call.id())
                .compose(pages::deleted)
                .map(body -> Answer.json(body));
    }
}
