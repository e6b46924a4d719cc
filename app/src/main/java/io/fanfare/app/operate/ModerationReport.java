package io.fanfare.app.operate;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.report.Reports;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.core.LoopStores;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.ModerationLog.Entry;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.moderation.ModeratorNotes;
import io.fanfare.core.moderation.ModeratorNotes.Note;
import io.fanfare.core.moderation.Restrictions;
import io.fanfare.core.moderation.Restrictions.Kind;
import io.fanfare.core.moderation.Roles;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Roles and the log of acts for operators. For a link's event loop. */
public final class ModerationReport {
    /** Entries of one answer. */
    public static final int ENTRIES_MAX = 1000;

    private final Accounts accounts;
    private final ModerationLog log;
    private final Roles roles;
    private final Reports reports;
    private final Restrictions restrictions;
    private final ModeratorNotes notes;

    public ModerationReport(RedisLink redis, Shards shards, Settings settings, SecureRandom random) {
        this.accounts = new Accounts(redis, shards, random);
        this.log = new ModerationLog(redis, settings.log().auditEntries());
        this.roles = new Roles(redis, log);
        this.reports = new Reports(redis);
        this.notes = new ModeratorNotes(redis, log);
        LoopStores stores =
                LoopStores.of(LoopStores.Parts.uncached(redis, settings, shards, InstantSource.system(), random));
        this.restrictions = new Restrictions(redis, stores.statuses(), stores.publicTimelines(), stores.follows());
    }

    /** The role with this label; fails with a sentence that names the roles. */
    public static Role role(String label) {
        return Role.of(label)
                .orElseThrow(() ->
                        new Refusal(Refusal.Reason.MALFORMED, "The role must be owner, admin, moderator or user."));
    }

    /** Finds an account as {@link AccountReport#id} does. */
    public Future<Long> account(String nameOrId) {
        return AccountReport.id(accounts, nameOrId);
    }

    /** The same; 0 for an empty text. */
    public Future<Long> accountOrNone(String nameOrId) {
        return nameOrId.isEmpty() ? Future.succeededFuture(0L) : account(nameOrId);
    }

    /** Restricts an account or lifts a restriction, for programs: whether that has changed anything. */
    public Future<JsonObject> restrict(Actor by, String action, long account, Kind kind, boolean on, String why) {
        return accounts.inspect(List.of(account)).compose(found -> {
            if (found.isEmpty()) {
                return Future.failedFuture(Refusal.unknown());
            }
            return log.during(Act.on(by, action, account, why), () -> restrictions.set(account, kind, on))
                    .map(changed -> new JsonObject()
                            .put("id", Long.toString(account))
                            .put("username", found.get(account).account().username())
                            .put("changed", changed));
        });
    }

    /** Closes a report, for programs; fails when it is not open. */
    public Future<JsonObject> closeReport(Actor by, long id, String why) {
        return reports.find(id)
                .compose(found -> {
                    if (found.isEmpty()) {
                        throw noReport(id);
                    }
                    Act act = Act.on(by, "reports.close", found.get().account(), why)
                            .withReport(id);
                    return log.during(act, () -> reports.close(id));
                })
                .map(closed -> {
                    if (!closed) {
                        throw noReport(id);
                    }
                    return new JsonObject().put("closed", id);
                });
    }

    private static Refusal noReport(long id) {
        return new Refusal(Refusal.Reason.NOT_FOUND, "There is no open report " + id + ".");
    }

    /** The notes of moderators on an account, the newest first, for programs. */
    public Future<JsonArray> notes(long account) {
        return notes.all(account).compose(all -> accounts.inspect(all.stream()
                        .map(Note::author)
                        .filter(author -> author != 0)
                        .distinct()
                        .toList())
                .map(found -> {
                    JsonArray shown = new JsonArray();
                    all.forEach(note -> {
                        JsonObject json = new JsonObject()
                                .put("id", Long.toString(note.number()))
                                .put("at", Terminal.time(note.atMillis()))
                                .put("text", note.text());
                        shown.add(
                                note.author() == 0
                                        ? json.put("operator", note.operator())
                                        : named(json, "by_id", "by", note.author(), found));
                    });
                    return shown;
                }));
    }

    /** Adds a note on an account, for programs; its number. See {@link ModeratorNotes#add}. */
    public Future<Long> addNote(Actor by, long account, String text) {
        return notes.add(by, account, text);
    }

    /** Removes a note on an account. See {@link ModeratorNotes#remove}. */
    public Future<Void> removeNote(Actor by, long account, long number) {
        return notes.remove(by, account, number);
    }

    /** Gives an account a role, for programs: its role before. Fails when the account is deleted. */
    public Future<JsonObject> setRole(Actor by, long account, Role role, String why) {
        return accounts.inspect(List.of(account)).compose(found -> {
            Inspected one = found.get(account);
            if (one == null || one.deletedAt() > 0) {
                return Future.failedFuture(Refusal.unknown());
            }
            return roles.set(Act.on(by, "role.set", account, why), role).map(before -> new JsonObject()
                    .put("id", Long.toString(account))
                    .put("username", one.account().username())
                    .put("role", role.label())
                    .put("before", before.label()));
        });
    }

    /** The accounts with a role, the highest first, for programs. */
    public Future<JsonArray> roles() {
        return roles.all().compose(all -> accounts.inspect(all.keySet()).map(found -> {
            List<Map.Entry<Long, Role>> entries = new ArrayList<>(all.entrySet());
            entries.sort(Map.Entry.<Long, Role>comparingByValue().reversed());
            JsonArray shown = new JsonArray();
            entries.forEach(entry -> shown.add(named(new JsonObject(), "id", "username", entry.getKey(), found)
                    .put("role", entry.getValue().label())
                    .put("suspended", isSuspended(found.get(entry.getKey())))));
            return shown;
        }));
    }

    private static boolean isSuspended(Inspected found) {
        return found != null && found.suspendedAt() > 0;
    }

    /**
     * A page of the log, the newest first, for programs: {@code entries}, and {@code next} where there is more.
     *
     * @param before the id of an entry; empty = from the newest
     */
    public Future<JsonObject> log(Filter filter, String before, int limit) {
        return log.page(filter, before, limit).compose(page -> {
            List<Long> ids = page.entries().stream()
                    .map(Entry::act)
                    .flatMap(act -> List.of(act.actor().account(), act.account()).stream())
                    .filter(id -> id != 0)
                    .distinct()
                    .toList();
            return accounts.inspect(ids).map(found -> {
                JsonArray entries = new JsonArray();
                page.entries().forEach(entry -> entries.add(json(entry, found)));
                return ReportPage.of("entries", entries, page.next());
            });
        });
    }

    private static JsonObject json(Entry entry, Map<Long, Inspected> found) {
        Act act = entry.act();
        JsonObject json = new JsonObject()
                .put("id", entry.id())
                .put("at", Terminal.time(entry.atMillis()))
                .put("action", act.action())
                .put("via", act.actor().via().label());
        if (act.actor().account() == 0) {
            json.put("operator", act.actor().name());
        } else {
            named(json, "by_id", "by", act.actor().account(), found);
        }
        if (act.account() != 0) {
            named(json, "account_id", "account", act.account(), found);
        }
        putUnlessZero(json, "report", act.report());
        putUnlessZero(json, "status", act.status());
        return json.put("detail", act.detail()).put("why", act.why());
    }

    /** An account that is erased has its id in place of its name. */
    @CanIgnoreReturnValue
    private static JsonObject named(JsonObject json, String id, String name, long account, Map<Long, Inspected> found) {
        Account known = found.get(account) == null ? null : found.get(account).account();
        return json.put(id, Long.toString(account))
                .put(name, known == null ? Long.toString(account) : known.username());
    }

    private static void putUnlessZero(JsonObject json, String name, long id) {
        if (id != 0) {
            json.put(name, Long.toString(id));
        }
    }
}
