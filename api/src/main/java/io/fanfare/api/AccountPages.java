package io.fanfare.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
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

    /** Without those whom the viewer blocks or mutes, or who block the viewer. */
    Future<Answer> shown(Call call, Page<Edge> page) {
        return load(call, page, List.of())
                .map(loaded -> answer(call, page, loaded, loaded.sight()::shows, NOTHING_MORE));
    }

    /** All of them: what the viewer has put together. */
    Future<Answer> own(Call call, Page<Edge> page, Fields fields) {
        return load(call, page, List.of()).map(loaded -> answer(call, page, loaded, account -> true, fields));
    }

    /** A list that belongs to some accounts: its owner sees all of it, who is blocked by one of them sees nothing, and anybody else what {@link #shown} shows. */
    Future<Answer> of(List<Long> owners, Call call, Page<Edge> page, Fields fields) {
        return load(call, page, owners).map(loaded -> {
            boolean barred = owners.stream().anyMatch(loaded.sight()::isBlockedBy);
            boolean own = owners.contains(call.viewer());
            Page<Edge> visible = barred ? new Page<>(List.of(), 0, 0) : page;
            return answer(
                    call, visible, loaded, account -> own || loaded.sight().shows(account), fields);
        });
    }

    private record Loaded(Map<Long, Account> accounts, Sight sight) {}

    private Future<Loaded> load(Call call, Page<Edge> page, List<Long> owners) {
        List<Long> ids = page.items().stream().map(Edge::accountId).toList();
        List<Long> seen = new ArrayList<>(ids);
        seen.addAll(owners);
        Future<Map<Long, Account>> people = accounts.load(ids);
        Future<Sight> sight = sights.of(call.viewer(), seen);
        return Future.all(people, sight).map(both -> new Loaded(people.result(), sight.result()));
    }

    private Answer answer(Call call, Page<Edge> page, Loaded loaded, Predicate<Long> shows, Fields fields) {
        return Answer.json(json -> {
                    json.writeStartArray();
                    for (Edge edge : page.items()) {
                        Account account = loaded.accounts().get(edge.accountId());
                        if (account != null && shows.test(edge.accountId())) {
                            json.writeStartObject();
                            views.accountFields(json, account);
                            fields.write(json, loaded.sight(), edge);
                            json.writeEndObject();
                        }
                    }
                    json.writeEndArray();
                })
                .link(Links.of(publicUrl, call, page));
    }
}
