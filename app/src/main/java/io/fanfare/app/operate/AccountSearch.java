package io.fanfare.app.operate;

import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.store.UsernameIndex;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * Goes through the accounts in the order of their names for those that an operator looks for, {@value #LOOK_MAX} of
 * them at most. For one use, by one thread.
 */
public final class AccountSearch {
    /** Accounts of one page. */
    public static final int PAGE_MAX = 100;

    /** Accounts before the last page. */
    public static final int OFFSET_MAX = 1000;

    /** The longest text that is searched for. */
    public static final int TEXT_MAX = 100;

    private static final int LOOK_MAX = 20_000;
    private static final int PORTION = 500;

    private final Names names;
    private final BooleanSupplier over;
    private boolean sawAll = true;

    /** Which accounts. A deleted one is found until its jobs have erased it. */
    public enum State {
        ANY,
        ACTIVE,
        SUSPENDED,
        DELETED;

        boolean isThatOf(Inspected found) {
            return switch (this) {
                case ANY -> true;
                case ACTIVE -> found.suspendedAt() == 0 && found.deletedAt() == 0;
                case SUSPENDED -> found.suspendedAt() > 0;
                case DELETED -> found.deletedAt() > 0;
            };
        }
    }

    /** The order of the accounts found: by name, or those with the highest figure first. */
    public enum Order {
        NAME(found -> 0),
        NEWEST(found -> found.account().id()),
        LAST_POST(found -> found.account().lastStatusAt()),
        POSTS(found -> found.account().statusesCount()),
        FOLLOWERS(found -> found.account().followersCount());

        @SuppressWarnings("ImmutableEnumChecker") // Each is a lambda that keeps nothing.
        private final ToLongFunction<Inspected> figure;

        Order(ToLongFunction<Inspected> figure) {
            this.figure = figure;
        }

        Comparator<Inspected> comparator() {
            return Comparator.comparingLong(figure).reversed().thenComparing(found -> found.account()
                    .username());
        }
    }

    /**
     * The accounts that an operator looks for.
     *
     * @param text how their names begin; an @ before it is left out
     * @param anywhere whether the text may stand anywhere in a name or display name, in letters of either case
     * @param offset how many to pass over, up to {@link #OFFSET_MAX}
     * @param max how many to show, up to {@link #PAGE_MAX}
     */
    public record Query(String text, boolean anywhere, State state, Order order, int offset, int max) {
        public Query {
            if (text.length() > TEXT_MAX) {
                throw new Refusal(Refusal.Reason.MALFORMED, "The name must have at most " + TEXT_MAX + " characters.");
            }
            text = AccountReport.name(text.strip());
        }

        private boolean matches(Inspected found) {
            Account account = found.account();
            return state.isThatOf(found)
                    && (!anywhere
                            || account.username().contains(text)
                            || account.displayName().toLowerCase(Locale.ROOT).contains(text));
        }

        /** The beginning of every name that may match. */
        private String prefix() {
            return anywhere ? "" : text;
        }
    }

    /** Reads accounts; blocks. */
    public interface Names {
        /** The next accounts in the order of their names, of names that begin so: {@link UsernameIndex#after}. */
        Portion after(String member, String prefix, int limit);
    }

    /**
     * Some of the index of names.
     *
     * @param found by account id; some may lack
     */
    public record Portion(List<UsernameIndex.Entry> entries, Map<Long, Inspected> found) {}

    /** @param over whether the search is to end between two steps, with what it has */
    public AccountSearch(Names names, BooleanSupplier over) {
        this.names = names;
        this.over = over;
    }

    /** A page for programs, whether there are {@code more}, and whether the search {@code saw_all} accounts. */
    public JsonObject page(Query query) {
        List<Inspected> best = best(query);
        JsonArray page = new JsonArray();
        best.stream().skip(query.offset()).limit(query.max()).forEach(one -> page.add(AccountReport.json(one)));
        return new JsonObject()
                .put("accounts", page)
                .put("more", best.size() > query.offset() + query.max())
                .put("saw_all", sawAll);
    }

    /** The first in the order of the query, one more than its page needs. */
    private List<Inspected> best(Query query) {
        int wanted = query.offset() + query.max() + 1;
        List<Inspected> best = new ArrayList<>();
        if (!query.anywhere() && !query.text().isEmpty() && !Account.isUsername(query.text())) {
            return best;
        }
        String member = query.prefix();
        for (int looked = 0; ; looked += PORTION) {
            if (looked >= LOOK_MAX || over.getAsBoolean()) {
                sawAll = false;
                return best;
            }
            Portion portion = names.after(member, query.prefix(), PORTION);
            boolean end = portion.entries().size() < PORTION;
            for (UsernameIndex.Entry entry : portion.entries()) {
                Inspected found = portion.found().get(entry.id());
                if (found != null && query.matches(found)) {
                    best.add(found);
                }
                member = entry.member();
            }
            // Stable, so that names keep their order.
            best.sort(query.order().comparator());
            if (best.size() > wanted) {
                best.subList(wanted, best.size()).clear();
            }
            if (end || (query.order() == Order.NAME && best.size() == wanted)) {
                return best;
            }
        }
    }
}
