package io.fanfare.api.list;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.AccountRenderer;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserList;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.UserLists;
import io.fanfare.core.feed.Timelines;
import io.fanfare.core.graph.Lists;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The viewer's lists of accounts, and what these post. Those of others are as unknown as what is none. */
public final class ListRoutes {
    private static final int ACCOUNTS_LIMIT = 40;
    private static final int STATUSES_LIMIT = 20;

    /** Accounts that one request puts on a list, or takes off it. */
    private static final int ACCOUNTS_AT_ONCE_MAX = 100;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Lists lists;
    private final UserLists stored;
    private final Timelines timelines;
    private final Accounts accounts;
    private final MemoryPressure pressure;
    private final AccountRenderer accountRenderer;
    private final StatusRenderer renderer;

    public ListRoutes(
            Settings.Limits limits,
            String publicUrl,
            Lists lists,
            UserLists stored,
            Timelines timelines,
            Accounts accounts,
            MemoryPressure pressure,
            AccountRenderer accountRenderer,
            StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.lists = lists;
        this.stored = stored;
        this.timelines = timelines;
        this.accounts = accounts;
        this.pressure = pressure;
        this.accountRenderer = accountRenderer;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        Access read = Access.user("read:lists");
        Access write = Access.user("write:lists");
        return List.of(
                get("/api/v1/lists", read, this::all),
                post("/api/v1/lists", write, this::create),
                get("/api/v1/lists/:id", read, this::show),
                put("/api/v1/lists/:id", write, this::change),
                delete("/api/v1/lists/:id", write, this::remove),
                get("/api/v1/lists/:id/accounts", read, this::accounts),
                post("/api/v1/lists/:id/accounts", write, this::add),
                delete("/api/v1/lists/:id/accounts", write, this::takeOff).withBody(),
                get("/api/v1/accounts/:id/lists", read, this::with),
                get("/api/v1/timelines/list/:id", read, this::timeline));
    }

    private Future<Answer> all(Call call) {
        return stored.of(call.viewer()).map(ListRoutes::answer);
    }

    private Future<Answer> create(Call call) {
        NewList wanted = NewList.of(call.parameters());
        pressure.check(call.viewer());
        return lists.create(call.viewer(), wanted.title(), wanted.replies(), Boolean.TRUE.equals(wanted.exclusive()))
                .map(ListRoutes::answer);
    }

    private Future<Answer> show(Call call) {
        return stored.require(call.viewer(), call.id()).map(ListRoutes::answer);
    }

    private Future<Answer> change(Call call) {
        NewList wanted = NewList.change(call.parameters());
        return lists.change(call.viewer(), call.id(), wanted.title(), wanted.replies(), wanted.exclusive())
                .map(ListRoutes::answer);
    }

    private Future<Answer> remove(Call call) {
        return lists.delete(call.viewer(), call.id()).map(Answer.EMPTY_OBJECT);
    }

    /** All of them at once for {@code limit=0}, as in Mastodon. */
    private Future<Answer> accounts(Call call) {
        boolean all = call.parameters().text("limit", "").equals("0");
        PageRequest page = all
                ? PageRequest.newest(limits.listAccountsMax())
                : call.parameters().page(ACCOUNTS_LIMIT, limits.pageMax());
        return stored.accounts(call.viewer(), call.id(), page)
                .compose(found -> accountRenderer.own(call, found, AccountRenderer.NOTHING_MORE))
                .map(answer -> all ? answer.link(null) : answer);
    }

    private Future<Answer> add(Call call) {
        Set<Long> ids = accountIds(call);
        if (ids.contains(-1L)) {
            throw Refusal.unknown();
        }
        pressure.check(call.viewer());
        return lists.add(call.viewer(), call.id(), ids).map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> takeOff(Call call) {
        Set<Long> ids = accountIds(call);
        ids.remove(-1L);
        return lists.remove(call.viewer(), call.id(), ids).map(Answer.EMPTY_OBJECT);
    }

    /** The ids asked for, in order; -1 for what cannot be one. */
    private static Set<Long> accountIds(Call call) {
        Set<Long> ids = new LinkedHashSet<>();
        call.parameters().all("account_ids").forEach(text -> ids.add(Id.parse(text)));
        if (ids.size() > ACCOUNTS_AT_ONCE_MAX) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "At most " + ACCOUNTS_AT_ONCE_MAX + " accounts at once: send them in parts.");
        }
        return ids;
    }

    private Future<Answer> with(Call call) {
        return accounts.require(call.id())
                .compose(account -> stored.with(call.viewer(), account.id()))
                .map(ListRoutes::answer);
    }

    private Future<Answer> timeline(Call call) {
        long began = timelines.moment();
        PageRequest page = call.parameters().page(STATUSES_LIMIT, limits.pageMax());
        return timelines.list(call.viewer(), call.id(), page, began).compose(found -> renderer.list(
                        found.items(), call.viewer(), began)
                .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, found))));
    }

    private static Answer answer(List<UserList> lists) {
        return Answer.array(lists, ListRoutes::write);
    }

    private static Answer answer(UserList list) {
        return Answer.json(json -> write(json, list));
    }

    private static void write(JsonGenerator json, UserList list) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(list.id()));
        json.writeStringField("title", list.title());
        json.writeStringField("replies_policy", list.replies().wire());
        json.writeBooleanField("exclusive", list.exclusive());
        json.writeEndObject();
    }
}
