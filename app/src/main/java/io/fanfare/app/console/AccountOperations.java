package io.fanfare.app.console;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.AccountSearch;
import io.fanfare.app.operate.SignUpReport;
import io.fanfare.app.operate.SwitchReport;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Registrations;
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
    private final Registrations registrations;
    private final InstantSource clock;

    /** @param registrations {@code auth.registrations} */
    AccountOperations(
            Stores stores,
            Shards shards,
            Passwords passwords,
            SecureRandom random,
            Registrations registrations,
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
                Operation.get("accounts/one", List.of("account"), this::show).hiding("email", "reason"),
                Operation.get("accounts/pending", List.of(), given -> accounts()
                                .compose(AccountReport::pending)
                                .map(pending -> new JsonObject().put("accounts", pending)))
                        .forOperators(),
                change("accounts/approve", AccountReport::approve),
                change("accounts/reject", AccountReport::reject),
                change("accounts/sign-out", AccountReport::signOut),
                Operation.get("sign-ups", List.of(), given -> signUps(SignUpReport::status)),
                Operation.get("switches", List.of(), given -> stores.link()
                        .compose(redis -> new SwitchReport(redis, clock).status())),
                siteChange("site/on", true),
                siteChange("site/off", false),
                signUpChange("sign-ups/close", report -> report.choose(Registrations.CLOSED)),
                signUpChange("sign-ups/open", report -> report.choose(Registrations.OPEN)),
                signUpChange("sign-ups/invitation", report -> report.choose(Registrations.INVITATION)),
                signUpChange("sign-ups/approval", report -> report.choose(Registrations.APPROVAL)),
                signUpChange("sign-ups/default", SignUpReport::leaveToSetting),
                change("accounts/suspend", AccountReport::suspend),
                change("accounts/unsuspend", AccountReport::unsuspend),
                change("accounts/reset-password", AccountReport::resetPassword),
                change("accounts/factor/remove", AccountReport::removeFactor),
                Operation.moderation(
                                "accounts/mail",
                                List.of("account", "address", "why"),
                                (given, by) -> change(
                                        "accounts/mail",
                                        given,
                                        by,
                                        (accounts, id) -> accounts.changeAddress(id, given.text("address"))))
                        .logging("account", "why"),
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

    private Operation siteChange(String path, boolean on) {
        return Operation.moderation(path, List.of("switch", "why"), (given, by) -> {
            String name = given.text("switch");
            Act act = Act.on(by, Operation.action(path), 0, given.text("why")).withDetail(name);
            return stores.link().compose(redis -> stores.log()
                    .compose(log -> log.during(act, () -> new SwitchReport(redis, clock).turn(name, on))));
        });
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
