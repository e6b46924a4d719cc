package io.fanfare.api.render;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Links;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Answers pages of accounts, such as followers or who likes a status, to one viewer; what is left out makes a page
 * shorter, and its cursors still lead on. Accounts, and how the viewer stands to them, are read side by side.
 */
public final class AccountRenderer {
    /** Writes the fields of an entry besides the account. */
    @FunctionalInterface
    public interface Fields {
        void write(JsonGenerator json, ViewerRelationships relationships, Edge edge) throws IOException;
    }

    /** A list, page by page. */
    @FunctionalInterface
    public interface Source {
        Future<Page<Edge>> read(PageRequest page);
    }

    /**
     * Most reads of one answer that has nothing to show yet, some ten thousand entries together; a list that hides more
     * than that answers an empty page with the cursor to go on from.
     */
    private static final int EMPTY_TURNS_MAX = 32;

    /** Least entries of such a read, times its number: many that are hidden do not cost a read for each few. */
    private static final int READ_MIN = 20;

    public static final Fields NOTHING_MORE = (json, relationships, edge) -> {};

    private final String publicUrl;
    private final Accounts accounts;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Views views;

    public AccountRenderer(
            String publicUrl, Accounts accounts, ViewerRelationshipsReader viewerRelationships, Views views) {
        this.publicUrl = publicUrl;
        this.accounts = accounts;
        this.viewerRelationships = viewerRelationships;
        this.views = views;
    }

    /** All of them: what the viewer has put together. */
    public Future<Answer> own(Call call, Page<Edge> page, Fields fields) {
        return load(call.viewer(), page, List.of()).map(loaded -> answer(call, loaded.known(), fields));
    }

    /** The entries of a list of the viewer's own that pass a test; hidden ones are passed over as in {@link #of}. */
    public Future<Answer> own(
            Call call,
            Source source,
            PageRequest request,
            BiPredicate<ViewerRelationships, Edge> shown,
            Fields fields) {
        return visible(new Wanted(List.of(), call.viewer(), source, request.limit(), shown), request, 1)
                .map(visible -> answer(call, visible, fields));
    }

    /**
     * A list that belongs to some accounts: its owner sees all of it, who is blocked by one of them sees nothing, and
     * anybody else does not see whom they block or mute, or who blocks them. What is hidden is passed over until there
     * is something to show, {@link #EMPTY_TURNS_MAX} reads at most: Mastodon.py fails at an empty page that leads on.
     */
    public Future<Answer> of(List<Long> owners, Call call, Source source, PageRequest request, Fields fields) {
        boolean own = owners.contains(call.viewer());
        BiPredicate<ViewerRelationships, Edge> shown =
                (relationships, edge) -> own || relationships.shows(edge.accountId());
        return visible(new Wanted(owners, call.viewer(), source, request.limit(), shown), request, 1)
                .map(visible -> answer(call, visible, fields));
    }

    /** The parameters of a list request, which are the same for each of its reads. */
    private record Wanted(
            List<Long> owners, long viewer, Source source, int limit, BiPredicate<ViewerRelationships, Edge> shown) {
        Page<Edge> visible(Page<Edge> page, ViewerRelationships relationships) {
            if (owners.stream().anyMatch(relationships::isBlockedBy)) {
                return new Page<>(List.of(), 0, 0);
            }
            return keep(page, edge -> shown.test(relationships, edge));
        }
    }

    private Future<Loaded> visible(Wanted wanted, PageRequest request, int turn) {
        return wanted.source()
                .read(request)
                .compose(page -> turn == 1 ? load(wanted, page) : sift(wanted, page, request.minId() > 0))
                .compose(visible -> {
                    int count = Math.max(wanted.limit(), READ_MIN * turn);
                    PageRequest next = after(request, visible.page(), count);
                    boolean last = !visible.page().items().isEmpty() || next == null || turn == EMPTY_TURNS_MAX;
                    return last ? Future.succeededFuture(visible) : visible(wanted, next, turn + 1);
                });
    }

    private Future<Loaded> load(Wanted wanted, Page<Edge> page) {
        return load(wanted.viewer(), page, wanted.owners()).map(loaded -> new Loaded(
                        wanted.visible(page, loaded.relationships()), loaded.accounts(), loaded.relationships())
                .known());
    }

    /** The same of a long stretch that is mostly hidden: only the accounts that there is room for are read. */
    private Future<Loaded> sift(Wanted wanted, Page<Edge> page, boolean up) {
        return viewerRelationships
                .of(wanted.viewer(), ids(page, wanted.owners()))
                .compose(relationships -> {
                    Page<Edge> shown = cut(wanted.visible(page, relationships), wanted.limit(), up);
                    return accounts.load(ids(shown, List.of()))
                            .map(people -> new Loaded(shown, people, relationships).known());
                });
    }

    /** As many as were asked for, from the end where the reading began. */
    private static Page<Edge> cut(Page<Edge> page, int limit, boolean up) {
        List<Edge> items = page.items();
        int over = items.size() - limit;
        if (over <= 0) {
            return page;
        }
        return up
                ? new Page<>(
                        items.subList(over, items.size()),
                        page.next(),
                        items.get(over).edgeId())
                : new Page<>(items.subList(0, limit), items.get(limit - 1).edgeId(), page.prev());
    }

    private static Page<Edge> keep(Page<Edge> page, Predicate<Edge> shows) {
        return new Page<>(page.items().stream().filter(shows).toList(), page.next(), page.prev());
    }

    private static List<Long> ids(Page<Edge> page, List<Long> others) {
        List<Long> ids = new ArrayList<>(others);
        page.items().forEach(edge -> ids.add(edge.accountId()));
        return ids;
    }

    /** Null after the last page. */
    private static PageRequest after(PageRequest request, Page<Edge> page, int limit) {
        if (request.minId() > 0) {
            return page.prev() <= request.minId()
                    ? null
                    : new PageRequest(request.maxId(), request.sinceId(), page.prev(), limit);
        }
        return page.next() <= request.floor() + 1 ? null : new PageRequest(page.next(), request.sinceId(), 0, limit);
    }

    /** A page and what it is shown with. */
    private record Loaded(Page<Edge> page, Map<Long, Account> accounts, ViewerRelationships relationships) {
        /** Only accounts that exist; the cursors stay. */
        Loaded known() {
            return new Loaded(keep(page, edge -> accounts.containsKey(edge.accountId())), accounts, relationships);
        }
    }

    private Future<Loaded> load(long viewer, Page<Edge> page, List<Long> owners) {
        Future<Map<Long, Account>> people = accounts.load(ids(page, List.of()));
        Future<ViewerRelationships> relationships = viewerRelationships.of(viewer, ids(page, owners));
        return Future.all(people, relationships).map(both -> new Loaded(page, people.result(), relationships.result()));
    }

    private Answer answer(Call call, Loaded loaded, Fields fields) {
        return Answer.array(loaded.page().items(), (json, edge) -> {
                    json.writeStartObject();
                    views.accounts().fields(json, loaded.accounts().get(edge.accountId()));
                    fields.write(json, loaded.relationships(), edge);
                    json.writeEndObject();
                })
                .link(Links.of(publicUrl, call, loaded.page()));
    }
}
