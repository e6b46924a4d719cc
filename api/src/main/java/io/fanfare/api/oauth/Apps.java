package io.fanfare.api.oauth;

import io.fanfare.common.auth.Scopes;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Owns {@code app} keys: the registered client applications. Anybody may register one, so it has an end: a day after it
 * was registered, or 90 days after it got a token of its own. Once a user has logged in with it, it stays. Those that
 * have an end are listed, at most {@value #UNCLAIMED_MAX}, beyond which the ones go that did nothing for the longest
 * time. Confined to one event loop.
 */
public final class Apps {
    /** Apps that nobody has logged in with. Each takes about 300 bytes, 4 KB at most. */
    static final int UNCLAIMED_MAX = 50_000;

    private static final Duration LIFE = Duration.ofDays(1);
    private static final Duration LIFE_WITH_TOKEN = Duration.ofDays(90);
    private static final int PURGED_AT_ONCE = 500;

    /** Production: the clock of the Redis server. */
    private static final String SERVER_CLOCK = "";

    private static final Pattern CLIENT_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private static final Script ADD = Script.load("app_add");
    private static final Script EXTEND = Script.load("app_extend");
    private static final Script DROP = Script.load("app_drop");
    private static final Script UNCLAIMED = Script.load("app_unclaimed");

    private final Redis redis;
    private final int unclaimedMax;

    public Apps(Redis redis) {
        this(redis, UNCLAIMED_MAX);
    }

    Apps(Redis redis, int unclaimedMax) {
        this.redis = redis;
        this.unclaimedMax = unclaimedMax;
    }

    /** Listed first, so that none is kept that the list does not know. */
    public Future<Void> add(App app) {
        Command add = ADD.call(
                List.of(Keys.app(app.clientId())),
                LIFE.toSeconds(),
                "secret",
                app.secretDigest(),
                "name",
                app.name(),
                "website",
                app.website() == null ? "" : app.website(),
                "redirects",
                String.join("\n", app.redirectUris()),
                "scopes",
                String.join(" ", new TreeSet<>(app.scopes())),
                "registered",
                app.registeredAt());
        return list(app.clientId()).compose(listed -> redis.send(add)).mapEmpty();
    }

    private Future<Void> list(String clientId) {
        Command list = UNCLAIMED.call(
                List.of(Keys.UNCLAIMED_APPS), SERVER_CLOCK, clientId, LIFE_WITH_TOKEN.toMillis(), unclaimedMax);
        return redis.send(list)
                .compose(gone -> drop(gone.items().stream().map(Reply::asString).toList()))
                .mapEmpty();
    }

    /** Forgets those that nobody has logged in with, with their tokens; answers how many these were. */
    private Future<Integer> drop(List<String> clientIds) {
        return BatchedPipeline.send(
                        redis,
                        clientIds.stream()
                                .map(id -> DROP.call(List.of(Keys.app(id))))
                                .toList())
                .compose(dropped -> {
                    List<Command> tokens = new ArrayList<>();
                    for (int i = 0; i < clientIds.size(); i++) {
                        if (dropped.get(i).asLong() == 1) {
                            tokens.add(Command.of("DEL", Keys.appTokens(clientIds.get(i))));
                        }
                    }
                    return BatchedPipeline.send(redis, tokens).map(done -> tokens.size());
                });
    }

    /**
     * A user logs in with the app: from now on it stays, as do its own tokens. To be done before the user gets a token.
     *
     * @param clientId empty = no app
     */
    public Future<Void> keep(String clientId) {
        return clientId.isEmpty()
                ? Future.succeededFuture()
                : BatchedPipeline.send(
                                redis,
                                List.of(
                                        Command.of("PERSIST", Keys.app(clientId)),
                                        Command.of("PERSIST", Keys.appTokens(clientId)),
                                        Command.of("ZREM", Keys.UNCLAIMED_APPS, clientId)))
                        .mapEmpty();
    }

    /**
     * The app has got a token of its own, without a user: it and its tokens stay for 90 days more, unless they stay
     * anyhow.
     */
    public Future<Void> extend(String clientId) {
        long life = LIFE_WITH_TOKEN.toSeconds();
        return redis.send(EXTEND.call(List.of(Keys.app(clientId)), life))
                .compose(extended -> extended.asLong() == 0
                        ? Future.succeededFuture()
                        : redis.send(Command.of("EXPIRE", Keys.appTokens(clientId), life))
                                .compose(done -> list(clientId)));
    }

    /** The app of that id, whatever text the id is: it comes from outside. */
    public Future<Optional<App>> find(String clientId) {
        if (!CLIENT_ID.matcher(clientId).matches()) {
            return Future.succeededFuture(Optional.empty());
        }
        return redis.send(Command.of(
                        "HMGET", Keys.app(clientId), "secret", "name", "website", "redirects", "scopes", "registered"))
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
                Scopes.parse(fields.get(4).asString()),
                fields.get(5).isNil() ? 0 : fields.get(5).asLong()));
    }

    /**
     * An app that nobody has logged in with.
     *
     * @param activeAtMillis when it was registered, or got its newest token
     */
    public record Unclaimed(String clientId, String name, long activeAtMillis) {}

    /**
     * Apps that nobody has logged in with, those first that did nothing for the longest time; what has ended since is
     * left out.
     */
    public Future<List<Unclaimed>> unclaimed(int max) {
        return redis.send(Command.of("ZRANGE", Keys.UNCLAIMED_APPS, 0, max - 1, "WITHSCORES"))
                .compose(reply -> unclaimed(reply.items()));
    }

    private Future<List<Unclaimed>> unclaimed(List<Reply> idsAndScores) {
        List<Command> names = new ArrayList<>();
        for (int i = 0; i < idsAndScores.size(); i += 2) {
            names.add(Command.of("HGET", Keys.app(idsAndScores.get(i).asString()), "name"));
        }
        return BatchedPipeline.send(redis, names).map(found -> {
            List<Unclaimed> apps = new ArrayList<>();
            for (int i = 0; i < found.size(); i++) {
                if (!found.get(i).isNil()) {
                    apps.add(new Unclaimed(
                            idsAndScores.get(2 * i).asString(),
                            found.get(i).asString(),
                            idsAndScores.get(2 * i + 1).asLong()));
                }
            }
            return List.copyOf(apps);
        });
    }

    /**
     * Forgets the apps that nobody has logged in with and that have done nothing since that moment; answers how many
     * these were.
     */
    public Future<Integer> purge(long beforeMillis) {
        Command unclaimed = Command.of(
                "ZRANGE", Keys.UNCLAIMED_APPS, "-inf", "(" + beforeMillis, "BYSCORE", "LIMIT", 0, PURGED_AT_ONCE);
        return redis.send(unclaimed).compose(found -> {
            List<String> ids = found.items().stream().map(Reply::asString).toList();
            return ids.isEmpty() ? Future.succeededFuture(0) : purge(ids, beforeMillis);
        });
    }

    /** They leave the list last, so that what a purge that was interrupted has left is found by the next. */
    private Future<Integer> purge(List<String> ids, long beforeMillis) {
        List<Command> removed = ids.stream()
                .map(id -> Command.of("ZREM", Keys.UNCLAIMED_APPS, id))
                .toList();
        return drop(ids).compose(dropped -> BatchedPipeline.send(redis, removed)
                .compose(done -> purge(beforeMillis))
                .map(more -> dropped + more));
    }
}
