package io.fanfare.api.post;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.favourite.Favourites;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.util.List;

/**
 * Likes and bookmarks. What is done to a plain repost is done to its original; the answer is the status that was asked
 * for.
 */
public final class InteractionRoutes {
    private static final int STATUSES = 20;
    private static final int ACCOUNTS = 40;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Favourites favourites;
    private final Bookmarks bookmarks;
    private final VisibleStatuses visible;
    private final Announcer announcer;
    private final MemoryPressure pressure;
    private final StatusRenderer renderer;
    private final AccountRenderer accountRenderer;

    public InteractionRoutes(
            Settings.Limits limits,
            String publicUrl,
            Favourites favourites,
            Bookmarks bookmarks,
            VisibleStatuses visible,
            Announcer announcer,
            MemoryPressure pressure,
            StatusRenderer renderer,
            AccountRenderer accountRenderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.favourites = favourites;
        this.bookmarks = bookmarks;
        this.visible = visible;
        this.announcer = announcer;
        this.pressure = pressure;
        this.renderer = renderer;
        this.accountRenderer = accountRenderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses/:id/favourite", Access.user("write:favourites"), this::favourite)
                        .withoutBody(),
                post("/api/v1/statuses/:id/unfavourite", Access.user("write:favourites"), this::unfavourite)
                        .withoutBody(),
                post("/api/v1/statuses/:id/bookmark", Access.user("write:bookmarks"), this::bookmark)
                        .withoutBody(),
                post("/api/v1/statuses/:id/unbookmark", Access.user("write:bookmarks"), this::unbookmark)
                        .withoutBody(),
                get("/api/v1/statuses/:id/favourited_by", Access.viewer("read:accounts"), this::favouritedBy),
                get("/api/v1/favourites", Access.user("read:favourites"), this::favourites),
                get("/api/v1/bookmarks", Access.user("read:bookmarks"), this::bookmarks));
    }

    private Future<Answer> favourite(Call call) {
        return change(call, subject -> {
            pressure.check(call.viewer(), subject.statusId());
            return favourites.like(call.viewer(), subject).onSuccess(done -> announcer.wake(call.viewer()));
        });
    }

    private Future<Answer> unfavourite(Call call) {
        return takeBack(
                call, id -> favourites.unlike(call.viewer(), id).onSuccess(done -> announcer.wake(call.viewer())));
    }

    private Future<Answer> bookmark(Call call) {
        return change(call, subject -> {
            pressure.check(call.viewer());
            return bookmarks.add(call.viewer(), subject.statusId());
        });
    }

    private Future<Answer> unbookmark(Call call) {
        return takeBack(call, id -> bookmarks.remove(call.viewer(), id));
    }

    /** Something that is done to a status. */
    private interface Change {
        Future<Void> make(Reference subject);
    }

    /** The status is read again for its new count. */
    private Future<Answer> change(Call call, Change change) {
        return visible.subject(call.viewer(), call.id())
                .compose(status -> change.make(Reference.to(status)))
                .compose(done -> answer(call));
    }

    /** Something that is taken back from a status. */
    private interface End {
        Future<Void> make(long subject);
    }

    /**
     * Ends it even when the status is gone or may not be seen any more: only then is the answer that it is unknown.
     * Else the entry would count for ever and could not be got rid of.
     */
    private Future<Answer> takeBack(Call call, End end) {
        return visible.actedOn(call.id())
                .compose(end::make)
                .compose(done -> visible.subject(call.viewer(), call.id()))
                .compose(subject -> answer(call));
    }

    private Future<Answer> answer(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }

    private Future<Answer> favourites(Call call) {
        return favourites.page(call.viewer(), page(call, STATUSES)).compose(page -> list(call, page));
    }

    private Future<Answer> bookmarks(Call call) {
        return bookmarks.page(call.viewer(), page(call, STATUSES)).compose(page -> list(call, page));
    }

    private Future<Answer> list(Call call, Page<Status> page) {
        return renderer.list(page.items(), call.viewer())
                .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, page)));
    }

    private Future<Answer> favouritedBy(Call call) {
        return visible.subject(call.viewer(), call.id())
                .compose(status -> favourites.likedBy(status.id(), call.viewer(), page(call, ACCOUNTS)))
                .compose(page -> accountRenderer.own(call, page, AccountRenderer.NOTHING_MORE));
    }

    private PageRequest page(Call call, int limit) {
        return call.parameters().page(limit, limits.pageMax());
    }
}
