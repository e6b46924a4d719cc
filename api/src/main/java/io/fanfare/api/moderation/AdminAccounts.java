package io.fanfare.api.moderation;

import io.fanfare.api.moderation.AccountQuery.State;
import io.fanfare.api.moderation.AdminAccountJson.Shown;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.store.MemoryPager;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.core.moderation.Roles;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds accounts for moderators. A page looks through one list: those that wait for approval, or the accounts of an
 * e-mail address, of the beginning of a user name ({@value #NAMES_MAX} at most), of a role, of a restriction, or else
 * those that have signed up last ({@code Directory.MAX}). What else is wanted leaves out some of them.
 */
final class AdminAccounts {
    /** User names of a beginning that are looked at. */
    static final int NAMES_MAX = 500;

    private final Redis redis;
    private final Accounts accounts;
    private final Roles roles;
    private final UsernameIndex names;

    AdminAccounts(Redis redis, Accounts accounts, Roles roles) {
        this.redis = redis;
        this.accounts = accounts;
        this.roles = roles;
        this.names = new UsernameIndex(redis);
    }

    /** Finds an account that is not deleted; fails with {@code Refusal(NOT_FOUND)} for any other id. */
    Future<Shown> require(long id) {
        return load(List.of(id)).map(found -> {
            Shown shown = found.get(id);
            if (shown == null || shown.inspected().deletedAt() > 0) {
                throw Refusal.unknown();
            }
            return shown;
        });
    }

    /** These accounts with their roles, deleted ones and applicants too; unknown ones are left out. */
    Future<Map<Long, Shown>> load(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> wanted = List.copyOf(ids);
        Future<Map<Long, Inspected>> inspected = accounts.inspectWithApplicants(wanted);
        Future<List<Role>> held = roles.of(wanted);
        return Future.all(inspected, held).map(both -> {
            Map<Long, Shown> shown = new HashMap<>();
            for (int i = 0; i < wanted.size(); i++) {
                Inspected found = inspected.result().get(wanted.get(i));
                if (found != null) {
                    shown.put(wanted.get(i), new Shown(found, held.result().get(i)));
                }
            }
            return shown;
        });
    }

    /** A page of accounts, the latest sign-up first. */
    Future<Page<Shown>> page(AccountQuery query, PageRequest page) {
        if (!query.possible()) {
            return Future.succeededFuture(new Page<>(List.of(), 0, 0));
        }
        if (query.states().contains(State.PENDING)) {
            return listed(Keys.APPLICANTS, query, page);
        }
        if (!query.email().isEmpty()) {
            return accounts.signedUpByEmail(query.email())
                    .compose(found -> among(found.map(List::of).orElse(List.of()), query, page));
        }
        if (!query.username().isEmpty()) {
            return names.beginningWith(query.username(), 0, NAMES_MAX).compose(ids -> among(ids, query, page));
        }
        if (!query.roles().isEmpty() && !query.roles().contains(Role.USER)) {
            return roles.all()
                    .compose(all -> among(
                            all.entrySet().stream()
                                    .filter(held -> query.roles().contains(held.getValue()))
                                    .map(Map.Entry::getKey)
                                    .toList(),
                            query,
                            page));
        }
        return listed(list(query.states()), query, page);
    }

    private Future<Page<Shown>> listed(String list, AccountQuery query, PageRequest page) {
        return SortedSetPager.page(redis, list, page, members -> load(members.stream()
                        .map(SortedSetPager.Member::id)
                        .toList())
                .map(known -> known.values().stream()
                        .filter(query::wants)
                        .collect(Collectors.toMap(shown -> Long.toString(id(shown)), Function.identity()))));
    }

    private static String list(Set<State> states) {
        if (states.contains(State.SUSPENDED)) {
            return Keys.SUSPENDED_ACCOUNTS;
        }
        if (states.contains(State.SILENCED)) {
            return Keys.LIMITED_ACCOUNTS;
        }
        return states.contains(State.SENSITIZED) ? Keys.SENSITIZED_ACCOUNTS : Keys.NEW_ACCOUNTS;
    }

    private Future<Page<Shown>> among(Collection<Long> ids, AccountQuery query, PageRequest page) {
        return load(ids).map(known -> {
            List<Shown> wanted = known.values().stream()
                    .filter(query::wants)
                    .sorted(Comparator.comparingLong(AdminAccounts::id).reversed())
                    .toList();
            return MemoryPager.page(wanted, AdminAccounts::id, page);
        });
    }

    private static long id(Shown shown) {
        return shown.inspected().account().id();
    }
}
