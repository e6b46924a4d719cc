package io.fanfare.app.console;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.AccountSearch;
import io.fanfare.app.operate.SignUpReport;
import io.fanfare.common.id.Shards;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Accounts and sign-ups, as {@code fanfare admin accounts} and {@code sign-ups} show and change them. One event loop.
 */
final class AccountOperations {
    private static final int FOUND = 50;

    private final Stores stores;
    private final Shards shards;
    private final Passwords passwords;
    private final SecureRandom random;
    private final boolean registrations;
    private final InstantSource clock;

    /** @param registrations {@code auth.registrations} */
    AccountOperations(
            Stores stores,
            Shards shards,
            Passwords passwords,
            SecureRandom random,
            boolean registrations,
            InstantSource clock) {
        this.stores = stores;
        this.shards = shards;
        this.passwords = passwords;
        this.random = random;
        this.registrations = registrations;
        this.clock = clock;
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("accounts", List.of("name", "anywhere", "state", "sort", "offset"), this::find),
                Operation.get("accounts/one", List.of("account"), this::show),
                change("accounts/sign-out", AccountReport::signOut),
                Operation.get("sign-ups", List.of(), given -> signUps(SignUpReport::status)),
                signUpChange("sign-ups/close", report -> report.choose(false)),
                signUpChange("sign-ups/open", report -> report.choose(true)),
                signUpChange("sign-ups/default", SignUpReport::leaveToSetting),
                change("accounts/suspend", AccountReport::suspend),
                change("accounts/unsuspend", AccountReport::unsuspend),
                change("accounts/reset-password", AccountReport::resetPassword),
                change("accounts/factor-remove", AccountReport::removeFactor),
                Operation.moderation(
                        "accounts/delete",
                        List.of("account", "name", "why"),
                        (given, by) -> change(
                                "accounts/delete",
                                given,
                                by,
                                (accounts, id) -> accounts.delete(id, given.text("name")))));
    }

    private Operation change(String path, BiFunction<AccountReport, Long, Future<JsonObject>> change) {
        return Operation.moderation(path, List.of("account", "why"), (given, by) -> change(path, given, by, change));
    }

    private Future<JsonObject> change(
            String path, Arguments given, Actor by, BiFunction<AccountReport, Long, Future<JsonObject>> change) {
        return accounts().compose(accounts -> accounts.id(given.text("account")).compose(id -> {
            Act act = Act.on(by, Operation.action(path), id, given.text("why"));
            return stores.log().compose(log -> log.during(act, () -> change.apply(accounts, id)));
        }));
    }

    private Operation signUpChange(String path, Function<SignUpReport, Future<JsonObject>> change) {
        return Operation.moderation(path, List.of("why"), (given, by) -> stores.log()
                .compose(log ->
                        log.during(Act.on(by, Operation.action(path), 0, given.text("why")), () -> signUps(change))));
    }

    private Future<JsonObject> signUps(Function<SignUpReport, Future<JsonObject>> question) {
        return stores.link().compose(redis -> question.apply(new SignUpReport(redis, registrations, clock)));
    }

    private Future<AccountReport> accounts() {
        return stores.link().map(redis -> new AccountReport(redis, shards, passwords, random));
    }

    private Future<JsonObject> find(Arguments given, WorkLimit limit) {
        AccountSearch.Query query = new AccountSearch.Query(
                given.text("name"),
                Boolean.parseBoolean(given.text("anywhere")),
                given.one("state", AccountSearch.State.ANY),
                given.one("sort", AccountSearch.Order.NAME),
                given.number("offset", 0, 0, AccountSearch.OFFSET_MAX),
                FOUND);
        return accounts()
                .compose(accounts -> stores.onThread(limit, access -> new AccountSearch(
                                (member, prefix, portion) ->
                                        access.ask(unused -> accounts.after(member, prefix, portion)),
                                access::isOver)
                        .page(query)));
    }

    private Future<JsonObject> show(Arguments given) {
        return accounts().compose(accounts -> accounts.id(given.text("account")).compose(accounts::show));
    }
}
