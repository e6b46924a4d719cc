package io.fanfare.common.store;

import io.fanfare.common.auth.Scopes;
import io.fanfare.common.model.App;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Owns {@code app} keys: the registered client applications. Confined to one event loop. */
public final class Apps {
    private static final Pattern CLIENT_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Redis redis;

    public Apps(Redis redis) {
        this.redis = redis;
    }

    public Future<Void> add(App app) {
        Command set = Command.of(
                "HSET",
                Keys.app(app.clientId()),
                "secret",
                app.secretDigest(),
                "name",
                app.name(),
                "website",
                app.website() == null ? "" : app.website(),
                "redirects",
                String.join("\n", app.redirectUris()),
                "scopes",
                String.join(" ", new TreeSet<>(app.scopes())));
        return redis.send(set).mapEmpty();
    }

    /** The app of that id, whatever text the id is: it comes from outside. */
    public Future<Optional<App>> find(String clientId) {
        if (!CLIENT_ID.matcher(clientId).matches()) {
            return Future.succeededFuture(Optional.empty());
        }
        return redis.send(Command.of("HMGET", Keys.app(clientId), "secret", "name", "website", "redirects", "scopes"))
                .map(reply -> app(clientId, reply.items()));
    }

    private static Optional<App> app(String clientId, List<Reply> fields) {
        String secret = fields.get(0).asString();
        if (secret == null) {
            return Optional.empty();
        }
        String website = fields.get(2).asString();
        return Optional.of(new App(
                clientId,
                secret,
                fields.get(1).asString(),
                website.isEmpty() ? null : website,
                fields.get(3).asString().lines().toList(),
                Scopes.parse(fields.get(4).asString())));
    }
}
