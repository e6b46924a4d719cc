package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Sight;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Sights;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Answers pages of accounts, such as followers or who likes a status, to one viewer; what is left out makes a page shorter, and its cursors still lead on. Accounts, and how the viewer stands
 * to them, are read side by side.
 */
final class AccountPages {
    /** What an entry tells beyond the account itself. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json, Sight sight, Edge edge) throws IOException;
    }

    /** A list, page by page. */
    @FunctionalInterface
    interface Source {
        Future<Page<Edge>> read(PageRequest page);
    }

    /** Pages in a row that are passed over for one answer; a list that hides more than that answers an empty page with the cursor to go on from. */
    private static final int PASSED_OVER_MAX = 10;

    static final Fields NOTHING_MORE = (json, sight, edge) -> {};

    private final String publicUrl;
    private final Accounts accounts;
    private final Sights sights;
    private final Views views;

    AccountPages(String publicUrl, Accounts accounts, Sights sights, Views views) {
        this.publicUrl = publicUrl;
        this.accounts = accounts;
        this.sights = sights;
        this.views = views;
    }

    /** All of them: what the viewer has put together. */
    Future<Answer> own(Call call, Page<Edge> page, Fields fields) {
        return load(call.viewer(), page, List.of()).map(loaded -> answer(call, loaded.keep(account -> true), fields));
    }

    /**
     * A list that belongs to some accounts: its owner sees all of it, who is blocked by one of them sees nothing, and anybody else does not see whom they block or
     * mute, or who blocks them. Pages of which nothing
     * is shown are passed over, at most {@link #PASSED_OVER_MAX}: Mastodon.py fails at an empty page that leads on.
     */
    Future<Answer> of(List<Long> owners, Call call, Source source, PageRequest request, Fields fields) {
        return visible(owners, call.viewer(), source, request, PASSED_OVER_MAX)
                .map(visible -> answer(call, visible, fields));
    }

    private Future<Loaded> visible(List<Long> owners, long viewer, Source source, PageRequest request, int further) {
        return source.read(request)
                .compose(page -> load(viewer, page, owners))
                .map(loaded -> visible(owners, viewer, loaded))
                .compose(visible -> {
                    PageRequest next = after(request, visible.page());
                    boolean last = !visible.page().items().isEmpty() || next == null || further == 0;
                    return last ? Future.succeededFuture(visible) : visible(owners, viewer, source, next, further - 1);
                });
    }

    private static Loaded visible(List<Long> owners, long viewer, Loaded loaded) {
        Sight sight = loaded.sight();
        if (owners.stream().anyMatch(sight::isBlockedBy)) {
            return new Loaded(new Page<>(List.of(), 0, 0), loaded.accounts(), sight);
        }
        boolean own = owners.contains(viewer);
        return loaded.keep(account -> own || sight.shows(account));
    }

    /** Null after the last page. */
    private static PageRequest after(PageRequest request, Page<Edge> page) {
        if (request.minId() > 0) {
            return page.prev() <= request.minId()
                    ? null
                    : new PageRequest(request.maxId(), request.sinceId(), page.prev(), request.limit());
        }
        return page.next() <= request.floor() + 1
                ? null
                : new PageRequest(page.next(), request.sinceId(), 0, request.limit());
    }

    /** A page and what it is shown with. */
    private record Loaded(Page<Edge> page, Map<Long, Account> accounts, Sight sight) {
        /** Only accounts that exist and pass; the cursors stay. */
        Loaded keep(Predicate<Long> shows) {
            List<Edge> kept = page.items().stream()
                    .filter(edge -> accounts.containsKey(edge.accountId()) && shows.test(edge.accountId()))
                    .toList();
            return new Loaded(new Page<>(kept, page.next(), page.prev()), accounts, sight);
        }
    }

    private Future<Loaded> load(long viewer, Page<Edge> page, List<Long> owners) {
        List<Long> ids = page.items().stream().map(Edge::accountId).toList();
        List<Long> seen = new ArrayList<>(ids);
        seen.addAll(owners);
        Future<Map<Long, Account>> people = accounts.load(ids);
        Future<Sight> sight = sights.of(viewer, seen);
        return Future.all(people, sight).map(both -> new Loaded(page, people.result(), sight.result()));
    }

    private Answer answer(Call call, Loaded loaded, Fields fields) {
        return Answer.json(json -> {
                    json.writeStartArray();
                    for (Edge edge : loaded.page().items()) {
                        json.writeStartObject();
                        views.accountFields(json, loaded.accounts().get(edge.accountId()));
                        fields.write(json, loaded.sight(), edge);
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                })
                .link(Links.of(publicUrl, call, loaded.page()));
    }
}
