package io.fanfare.app.operate;

import io.fanfare.common.auth.AccountTokens;
import io.fanfare.common.auth.Tokens.Listed;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.UsernameIndex;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Accounts for their operator: found by the beginning of a name, shown with their sessions. For a link's event loop.
 */
public final class AccountReport {
    /** Accounts of one answer. */
    public static final int FOUND_MAX = 100;

    private final AccountTokens tokens;
    private final Accounts accounts;
    private final UsernameIndex names;

    public AccountReport(RedisLink redis, Shards shards, SecureRandom random) {
        this.tokens = new AccountTokens(redis);
        this.accounts = new Accounts(redis, shards, random);
        this.names = new UsernameIndex(redis);
    }

    /** The number of an account from its number, or from its name with or without an @; fails when there is none. */
    public Future<Long> id(String nameOrId) {
        long id = Id.parse(nameOrId);
        String name = name(nameOrId);
        return id > 0
                ? accounts.require(id).map(Account::id)
                : Account.isUsername(name)
                        ? accounts.idByUsername(name).map(found -> found.orElseThrow(() -> nobody(name)))
                        : Future.failedFuture(nobody(Terminal.printable(name)));
    }

    /** Those whose names begin so, in the order of their names, for programs. */
    public Future<JsonArray> find(String prefix, int max) {
        String name = name(prefix);
        if (!name.isEmpty() && !Account.isUsername(name)) {
            return Future.succeededFuture(new JsonArray());
        }
        return names.beginningWith(name, 0, max)
                .compose(ids -> accounts.load(ids).map(found -> shown(ids, found)));
    }

    private static JsonArray shown(List<Long> ids, Map<Long, Account> found) {
        JsonArray all = new JsonArray();
        ids.stream().map(found::get).filter(Objects::nonNull).forEach(account -> all.add(json(account)));
        return all;
    }

    /** One with its sessions, for programs. */
    public Future<JsonObject> show(long id) {
        return accounts.require(id).compose(account -> tokens.list(id).map(listed -> {
            JsonArray sessions = new JsonArray();
            listed.forEach(token -> sessions.add(json(token)));
            return json(account).put("sessions", sessions);
        }));
    }

    private static JsonObject json(Account account) {
        return new JsonObject()
                .put("id", Long.toString(account.id()))
                .put("username", account.username())
                .put("created_at", Terminal.time(Id.epochMillis(account.id())))
                .put("statuses", account.statusesCount())
                .put("followers", account.followersCount())
                .put("following", account.followingCount())
                .put("last_status_at", account.lastStatusAt() == 0 ? null : Terminal.time(account.lastStatusAt()));
    }

    private static JsonObject json(Listed token) {
        return new JsonObject()
                .put("id", token.tokenId())
                .put("client_id", token.clientId().isEmpty() ? null : token.clientId())
                .put("scopes", String.join(" ", token.scopes()))
                .put("issued_at", Terminal.time(token.issuedAt().toEpochMilli()));
    }

    /** Ends all sessions of one, for programs: how many there were. */
    public Future<JsonObject> signOut(long id) {
        return accounts.require(id).compose(account -> tokens.revokeAll(id).map(count -> new JsonObject()
                .put("id", Long.toString(id))
                .put("username", account.username())
                .put("ended", count)));
    }

    /** The user name that a person means. */
    public static String name(String given) {
        return given.replaceFirst("^@", "").toLowerCase(Locale.ROOT);
    }

    private static Refusal nobody(String name) {
        return new Refusal(Refusal.Reason.NOT_FOUND, "No account has the name " + name + ".");
    }
}
