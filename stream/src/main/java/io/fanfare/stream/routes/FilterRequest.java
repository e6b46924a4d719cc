package io.fanfare.stream.routes;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Decimal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.filter.NoiseLevel;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.FilterSpec.Reposts;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.session.EnumParameter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads the parameters of a filter: those of Twitter's {@code statuses/filter} and our extensions. Confined to one
 * event loop.
 */
final class FilterRequest {
    /** Values that may be empty, in a list. */
    private static final int BLANKS_MAX = 1000;

    private static final int NUMBERS_OF_BOX = 4;

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

    /** Fails with {@link InvalidFilter}; names of accounts are looked up. */
    Future<PredicateFilter> read(Parameters parameters) {
        List<String> follow = words(parameters, "follow", settings.followMax());
        NoiseLevel level = EnumParameter.of(parameters, "filter_level", NoiseLevel.class);
        boolean explains = parameters.flag("explain", false);
        return accounts(follow).map(ids -> new PredicateFilter(spec(parameters, ids), level, explains));
    }

    /** The sample of {@code rate} percent and {@code seed}. */
    Sample sample(Parameters parameters, String absent) {
        String rate = parameters.text("rate", absent).strip();
        double percent = Decimal.of(rate)
                .orElseThrow(() -> InvalidFilter.unacceptable("rate", "The rate must be a decimal number of percent."));
        return Sample.of(percent, salt, seed(parameters.text("seed", "")));
    }

    /** Any text names a seed. */
    private static long seed(String text) {
        long seed = 0;
        for (int i = 0; i < text.length(); i++) {
            seed = seed * 1_000_003 + text.charAt(i);
        }
        return seed;
    }

    private FilterSpec spec(Parameters parameters, Set<Long> follow) {
        return FilterSpec.parse(
                follow,
                parameters.flag("mentions", false),
                String.join(",", parameters.all("track")),
                String.join(",", words(parameters, "locations", NUMBERS_OF_BOX * settings.locationsMax())),
                EnumParameter.of(parameters, "combine", "or", "and").equals("and"),
                String.join(",", parameters.all("exclude")),
                String.join(",", parameters.all("language")),
                EnumParameter.of(parameters, "reposts", Reposts.class),
                sample(parameters, "100"),
                EnumParameter.of(parameters, "fold", "none", "zh").equals("zh"),
                new FilterSpec.Bounds(settings.followMax(), settings.trackMax(), settings.locationsMax()));
    }

    /** The texts between commas. Throws {@link InvalidFilter} for more than {@code most}, before splitting. */
    private static List<String> words(Parameters parameters, String param, int most) {
        long commas = parameters.all(param).stream()
                .mapToLong(value -> 1 + value.chars().filter(c -> c == ',').count())
                .sum();
        boolean boxes = param.equals("locations");
        if (commas > BLANKS_MAX + most) {
            throw InvalidFilter.tooMany(
                    param, boxes ? most / NUMBERS_OF_BOX : most, boxes ? commas / NUMBERS_OF_BOX : commas);
        }
        List<String> words = new ArrayList<>();
        for (String value : parameters.all(param)) {
            for (String item : value.split(",", -1)) {
                if (!item.isBlank()) {
                    words.add(item.strip());
                }
            }
        }
        if (words.size() > most) {
            int got = boxes ? (words.size() + NUMBERS_OF_BOX - 1) / NUMBERS_OF_BOX : words.size();
            throw InvalidFilter.tooMany(param, boxes ? most / NUMBERS_OF_BOX : most, got);
        }
        return words;
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
        return accounts.inspect(ids).compose(known -> {
            for (long id : ids) {
                if (!known.containsKey(id)) {
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
