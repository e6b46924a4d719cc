package io.fanfare.app.operate;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.api.oauth.SignUp;
import io.fanfare.app.operate.AccountSearch.Portion;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.auth.Tokens.Listed;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.store.Applicants;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.view.PublicUrls;
import io.fanfare.core.factor.Factors;
import io.fanfare.core.moderation.Approvals;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;

/**
 * Accounts for their operator: found by the beginning of a name, shown with their sessions, suspended, given another
 * password, deleted, approved or rejected. Suspended ones are among them, and the names of deleted ones. For a link's
 * event loop.
 */
public final class AccountReport {
    /** Random bytes of a generated password: too many to guess. */
    private static final int PASSWORD_BYTES = 15;

    /** Paths of pictures, below the public URL. */
    private static final PublicUrls PATHS = new PublicUrls("");

    /** Accounts of {@link #pending}. */
    private static final int PENDING_MAX = 200;

    private final RedisLink redis;
    private final AccountAccess access;
    private final Applicants applicants;
    private final Approvals approvals;
    private final Accounts accounts;
    private final UsernameIndex names;
    private final Passwords passwords;
    private final SecureRandom random;

    public AccountReport(RedisLink redis, Shards shards, Passwords passwords, SecureRandom random) {
        this.redis = redis;
        this.access = new AccountAccess(redis);
        this.applicants = new Applicants(redis);
        this.approvals = new Approvals(redis);
        this.accounts = new Accounts(redis, shards, random);
        this.names = new UsernameIndex(redis);
        this.passwords = passwords;
        this.random = random;
    }

    /**
     * Finds an account by its id, or by its name with or without an @; its id. Fails with a {@link Refusal} that names
     * an unknown account.
     */
    public Future<Long> id(String nameOrId) {
        return id(accounts, nameOrId);
    }

    static Future<Long> id(Accounts accounts, String nameOrId) {
        long id = Id.parse(nameOrId);
        String name = name(nameOrId);
        return id > 0
                ? inspect(accounts, id).map(found -> found.account().id())
                : Account.isUsername(name)
                        ? accounts.claimantByUsername(name).map(found -> found.orElseThrow(() -> nobody(name)))
                        : Future.failedFuture(nobody(Terminal.printable(name)));
    }

    private static Future<Inspected> inspect(Accounts accounts, long id) {
        return accounts.inspectWithApplicants(List.of(id)).map(found -> {
            if (found.isEmpty()) {
                throw Refusal.unknown();
            }
            return found.get(id);
        });
    }

    /** The next accounts in the order of their names, for {@link AccountSearch}. */
    public Future<Portion> after(String member, String prefix, int limit) {
        return names.after(member, prefix, limit).compose(entries -> accounts.inspect(
                        entries.stream().map(UsernameIndex.Entry::id).toList())
                .map(found -> new Portion(entries, found)));
    }

    /** One with its address and its sessions, for programs. */
    public Future<JsonObject> show(long id) {
        return inspect(accounts, id).compose(found -> access.list(id).map(listed -> {
            JsonArray sessions = new JsonArray();
            listed.forEach(token -> sessions.add(json(token)));
            return json(found).put("email", found.email()).put("sessions", sessions);
        }));
    }

    /** One by name or number, without its sessions, for programs. */
    public Future<JsonObject> look(String nameOrId) {
        return id(nameOrId).compose(id -> inspect(accounts, id)).map(AccountReport::json);
    }

    static JsonObject json(Inspected found) {
        Account account = found.account();
        return new JsonObject()
                .put("id", Long.toString(account.id()))
                .put("username", account.username())
                .put("display_name", account.displayName())
                .put("picture", PATHS.avatar(account))
                .put("created_at", Terminal.time(Id.epochMillis(account.id())))
                .put("statuses", account.statusesCount())
                .put("followers", account.followersCount())
                .put("following", account.followingCount())
                .put("last_status_at", account.lastStatusAt() == 0 ? null : Terminal.time(account.lastStatusAt()))
                .put("second_factor", found.hasFactor())
                .put("suspended_at", found.suspendedAt() == 0 ? null : Terminal.time(found.suspendedAt()))
                .put("limited_at", found.limitedAt() == 0 ? null : Terminal.time(found.limitedAt()))
                .put("sensitized_at", found.sensitizedAt() == 0 ? null : Terminal.time(found.sensitizedAt()))
                .put("deleted_at", found.deletedAt() == 0 ? null : Terminal.time(found.deletedAt()))
                .put("pending", found.isApplicant())
                .put("reason", found.reason());
    }

    private static JsonObject json(Listed token) {
        return new JsonObject()
                .put("id", token.tokenId())
                .put("client_id", token.clientId().isEmpty() ? null : token.clientId())
                .put("scopes", String.join(" ", token.scopes()))
                .put("issued_at", Terminal.time(token.issuedAt().toEpochMilli()));
    }

    /** The accounts that wait for approval, the earliest first, for programs. */
    public Future<JsonArray> pending() {
        return applicants.earliest(PENDING_MAX).compose(ids -> accounts.inspectWithApplicants(ids)
                .map(found -> {
                    JsonArray pending = new JsonArray();
                    for (long id : ids) {
                        if (found.containsKey(id) && found.get(id).isApplicant()) {
                            pending.add(json(found.get(id))
                                    .put("email", found.get(id).email()));
                        }
                    }
                    return pending;
                }));
    }

    /** Approves one that waits for it, for programs. See {@link Approvals#approve}. */
    public Future<JsonObject> approve(long id) {
        return inspect(accounts, id).compose(found -> approvals.approve(id).map(of(found)));
    }

    /** Rejects one that waits for approval, for programs. See {@link Approvals#reject}. */
    public Future<JsonObject> reject(long id) {
        return inspect(accounts, id).compose(found -> approvals.reject(id).map(of(found)));
    }

    /** Ends all sessions of one, for programs: how many there were. */
    public Future<JsonObject> signOut(long id) {
        return inspect(accounts, id)
                .compose(found -> access.revokeAll(id).map(count -> of(found).put("ended", count)));
    }

    /** Suspends one, for programs: whether it was not suspended before. See {@link AccountAccess#suspend}. */
    public Future<JsonObject> suspend(long id) {
        return inspect(accounts, id)
                .compose(found -> access.suspend(id).map(changed -> of(found).put("changed", changed)));
    }

    /** Lifts the suspension of one, for programs: whether there was one. See {@link AccountAccess#unsuspend}. */
    public Future<JsonObject> unsuspend(long id) {
        return inspect(accounts, id)
                .compose(found -> access.unsuspend(id).map(changed -> of(found).put("changed", changed)));
    }

    /** Deletes one for good, for programs: whether it was not deleted before. See {@link AccountAccess#delete}. */
    public Future<JsonObject> delete(long id) {
        return inspect(accounts, id)
                .compose(found -> access.delete(id).map(changed -> of(found).put("changed", changed)));
    }

    /** The same for somebody who has to give its name as well; fails when it has another. */
    public Future<JsonObject> delete(long id, String name) {
        return inspect(accounts, id)
                .compose(found -> found.account().username().equals(name(name))
                        ? delete(id)
                        : Future.failedFuture(new Refusal(
                                Refusal.Reason.INVALID,
                                "The account has another name than the one given: nothing is deleted.")));
    }

    /**
     * Gives one another e-mail address, for programs. See {@link io.fanfare.common.store.AddressChanges#changeNow}; a
     * former address cannot be restored afterwards.
     */
    public Future<JsonObject> changeAddress(long id, String typed) {
        String address = SignUp.folded(typed);
        if (!SignUp.isEmail(address)) {
            return Future.failedFuture(
                    new Refusal(Refusal.Reason.INVALID, "This is no e-mail address: " + Terminal.printable(typed)));
        }
        return inspect(accounts, id)
                .compose(found -> found.suspendedAt() > 0 || found.deletedAt() > 0 || found.isApplicant()
                        ? Future.failedFuture(new Refusal(
                                Refusal.Reason.INVALID,
                                "The account is suspended, deleted or not approved: its address stays."))
                        : accounts.addressChanges()
                                .changeNow(id, address, /* over= */ true)
                                .map(of(found)));
    }

    /**
     * Gives one a password that is drawn here, and ends all of its sessions, for programs: the password, which nobody
     * is told again, and how many sessions there were.
     */
    public Future<JsonObject> resetPassword(long id) {
        String password = Secrets.draw(random, PASSWORD_BYTES);
        return inspect(accounts, id).compose(found -> passwords
                .hash(password)
                .compose(hash -> access.resetPassword(id, hash))
                .map(ended -> of(found).put("password", password).put("ended", ended)));
    }

    /** Removes the second factor of one, for programs: whether it had one. See {@link Factors#remove}. */
    public Future<JsonObject> removeFactor(long id) {
        return inspect(accounts, id).compose(found -> Factors.remove(redis, id)
                .map(changed -> of(found).put("changed", changed)));
    }

    private static JsonObject of(Inspected found) {
        return new JsonObject()
                .put("id", Long.toString(found.account().id()))
                .put("username", found.account().username());
    }

    /** The user name that a person means. */
    public static String name(String given) {
        return given.replaceFirst("^@", "").toLowerCase(Locale.ROOT);
    }

    /** The error for a name that nobody has. */
    static Refusal nobody(String name) {
        return new Refusal(Refusal.Reason.NOT_FOUND, "No account has the name " + name + ".");
    }
}
