package io.fanfare.app.console;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.common.id.Shards;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;

/** Accounts, as {@code fanfare admin accounts} shows them and ends their sessions. One event loop. */
final class AccountOperations {
    private static final int FOUND = 50;

    private final Stores stores;
    private final Shards shards;
    private final SecureRandom random;

    AccountOperations(Stores stores, Shards shards, SecureRandom random) {
        this.stores = stores;
        this.shards = shards;
        this.random = random;
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("accounts", List.of("name"), this::find),
                Operation.get("accounts/one", List.of("account"), this::show),
                Operation.post("accounts/sign-out", List.of("account"), this::signOut));
    }

    private Future<AccountReport> accounts() {
        return stores.link().map(redis -> new AccountReport(redis, shards, random));
    }

    private Future<JsonObject> find(Arguments given) {
        return accounts()
                .compose(accounts -> accounts.find(given.text("name"), FOUND))
                .map(found -> new JsonObject().put("accounts", found));
    }

    private Future<JsonObject> show(Arguments given) {
        return accounts().compose(accounts -> accounts.id(given.text("account")).compose(accounts::show));
    }

    private Future<JsonObject> signOut(Arguments given) {
        return accounts().compose(accounts -> accounts.id(given.text("account")).compose(accounts::signOut));
    }
}
