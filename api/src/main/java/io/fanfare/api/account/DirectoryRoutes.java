package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.store.Directory;
import io.fanfare.common.store.Directory.Order;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.util.List;

/** Accounts that want to be found. */
public final class DirectoryRoutes {
    private static final int LIMIT = 40;
    private static final int LIMIT_MAX = 80;

    private final Directory directory;
    private final Views views;

    public DirectoryRoutes(Directory directory, Views views) {
        this.directory = directory;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(get("/api/v1/directory", Access.viewer("read"), this::list));
    }

    /** Everybody is local. As in Mastodon, an order that is not known is that of who has posted last. */
    private Future<Answer> list(Call call) {
        Order order = call.parameters().text("order", "").equals("new") ? Order.NEW : Order.ACTIVE;
        int offset = call.parameters().number("offset", 0, 0, Directory.MAX);
        int limit = call.parameters().number("limit", LIMIT, 1, LIMIT_MAX);
        return directory
                .page(order, call.viewer(), offset, limit)
                .map(found -> Answer.array(found, views.accounts()::write));
    }
}
