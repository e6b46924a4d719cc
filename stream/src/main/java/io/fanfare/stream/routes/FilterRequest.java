package io.fanfare.stream.routes;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.match.Sample;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the filter of a request: every {@link FilterParameter}, then its accounts. Confined to one event loop. */
final class FilterRequest {
    private final Accounts accounts;
    private final Settings.Stream settings;
    private final long salt;

    /**
     * To be shared by all requests of an event loop.
     *
     * @param salt what samples are drawn by, the same on all nodes
     */
    FilterRequest(Accounts accounts, Settings.Stream settings, long salt) {
        this.accounts = accounts;
        this.settings = settings;
        this.salt = salt;
    }

    /** Fails with {@link InvalidFilter}; looks up names of accounts. */
    Future<PredicateFilter> read(Parameters parameters) {
        FilterParameter.Draft draft = new FilterParameter.Draft(settings, salt);
        for (FilterParameter parameter : FilterParameter.values()) {
            parameter.read(parameters, draft);
        }
        return accounts(draft.accounts()).map(draft::filter);
    }

    /** The sample of {@code rate} percent and {@code seed}. */
    Sample sample(Parameters parameters, String absent) {
        return Sample.of(FilterParameter.rate(parameters, absent), salt, FilterParameter.seed(parameters));
    }

    /**
     * Ids, and names with or without {@code @}; all must be known. A name that is there again is not looked up again.
     * Those of suspended accounts are as good: nobody else's stream ends with them.
     */
    private Future<Set<Long>> accounts(List<String> words) {
        Set<Long> ids = new LinkedHashSet<>();
        List<Future<Long>> named = new ArrayList<>();
        for (String item : new LinkedHashSet<>(words)) {
            long id = Id.parse(item);
            if (id > 0) {
                ids.add(id);
            } else {
                named.add(named(item));
            }
        }
        return accounts.heldAmong(ids).compose(known -> {
            for (long id : ids) {
                if (!known.contains(id)) {
                    throw unknown(Long.toString(id));
                }
            }
            return Future.all(named).map(found -> {
                found.<Long>list().forEach(ids::add);
                return ids;
            });
        });
    }

    private Future<Long> named(String item) {
        String bare = item.startsWith("@") ? item.substring(1) : item;
        String name = bare.length() > Account.USERNAME_MAX ? "" : bare.toLowerCase(Locale.ROOT);
        if (!Account.isUsername(name)) {
            throw unknown(name);
        }
        return accounts.signedUpByUsername(name).map(id -> id.orElseThrow(() -> unknown(name)));
    }

    /** The error for an unknown account. A text that cannot be a name is not repeated. */
    private static InvalidFilter unknown(String account) {
        String shown = Account.isUsername(account) ? " " + account : "";
        return InvalidFilter.unacceptable(
                "follow", "There is no account" + shown + ": follow takes account ids and user names.");
    }
}
