package io.fanfare.app.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.app.operate.AccountSearch.Order;
import io.fanfare.app.operate.AccountSearch.Portion;
import io.fanfare.app.operate.AccountSearch.Query;
import io.fanfare.app.operate.AccountSearch.State;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts.Inspected;
import io.fanfare.common.store.UsernameIndex.Entry;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AccountSearchTest {
    private final TreeMap<String, Inspected> index = new TreeMap<>();
    private int portions;
    private boolean over;

    @Test
    void accountsAreFoundByTheBeginningOfTheirNamesInTheirOrder() {
        add(1, "bea", "Ada", 5, 0, 0);
        add(2, "ada", "Ada", 9, 0, 0);
        add(3, "adam", "", 1, 0, 0);
        assertThat(names(search("", false, State.ANY, Order.NAME, 0, 50))).containsExactly("ada", "adam", "bea");
        assertThat(names(search("@AD", false, State.ANY, Order.NAME, 0, 50))).containsExactly("ada", "adam");
        assertThat(names(search("ä", false, State.ANY, Order.NAME, 0, 50))).isEmpty();
        assertThat(names(search("ada", true, State.ANY, Order.NAME, 0, 50)))
                .as("also in display names, in letters of either case")
                .containsExactly("ada", "adam", "bea");
    }

    @Test
    void stateAndOrderChooseAndRankThem() {
        add(1, "ann", "", 5, 0, 0);
        add(2, "bob", "", 9, 77, 0);
        add(3, "cat", "", 7, 0, 88);
        add(4, "dan", "", 7, 0, 0);
        assertThat(names(search("", false, State.ACTIVE, Order.NAME, 0, 50))).containsExactly("ann", "dan");
        assertThat(names(search("", false, State.SUSPENDED, Order.NAME, 0, 50))).containsExactly("bob");
        assertThat(names(search("", false, State.DELETED, Order.NAME, 0, 50))).containsExactly("cat");
        assertThat(names(search("", false, State.ANY, Order.FOLLOWERS, 0, 50)))
                .containsExactly("bob", "cat", "dan", "ann");
        assertThat(names(search("", false, State.ANY, Order.NEWEST, 0, 50)))
                .containsExactly("dan", "cat", "bob", "ann");
    }

    @Test
    void pagesMeetAndTheLastOneSaysThatNothingFollows() {
        for (int i = 0; i < 1200; i++) {
            add(i + 1, String.format("user%04d", i), "", i, 0, 0);
        }
        JsonObject first = search("user", false, State.ANY, Order.NAME, 0, 100);
        assertThat(names(first)).hasSize(100).startsWith("user0000").endsWith("user0099");
        assertThat(first.getBoolean("more")).isTrue();
        assertThat(portions).as("no more than the page needs").isEqualTo(1);
        assertThat(names(search("user", false, State.ANY, Order.NAME, 100, 100)))
                .startsWith("user0100");
        JsonObject rank = search("user", false, State.ANY, Order.FOLLOWERS, 1000, 100);
        assertThat(names(rank)).startsWith("user0199").endsWith("user0100");
        assertThat(rank.getBoolean("more")).isTrue();
        JsonObject last = search("user119", false, State.ANY, Order.NAME, 0, 100);
        assertThat(names(last)).hasSize(10);
        assertThat(last.getBoolean("more")).isFalse();
        assertThat(last.getBoolean("saw_all")).isTrue();
    }

    @Test
    void aSearchThatEndsEarlySaysSoAndALongTextIsRefused() {
        for (int i = 0; i < 30_000; i++) {
            add(i + 1, String.format("user%05d", i), "", 0, 0, 0);
        }
        JsonObject bounded = search("nobody", true, State.ANY, Order.NAME, 0, 50);
        assertThat(bounded.getBoolean("saw_all")).isFalse();
        assertThat(portions).isEqualTo(40);
        over = true;
        assertThat(search("", false, State.ANY, Order.NAME, 0, 50).getBoolean("saw_all"))
                .isFalse();
        assertThatThrownBy(() -> search("x".repeat(101), true, State.ANY, Order.NAME, 0, 50))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("at most 100 characters");
    }

    private JsonObject search(String text, boolean anywhere, State state, Order order, int offset, int max) {
        portions = 0;
        return new AccountSearch(this::after, () -> over).page(new Query(text, anywhere, state, order, offset, max));
    }

    private Portion after(String member, String prefix, int limit) {
        portions++;
        List<Map.Entry<String, Inspected>> found = index.tailMap(member, false).entrySet().stream()
                .filter(one -> one.getKey().startsWith(prefix))
                .limit(limit)
                .toList();
        return new Portion(
                found.stream()
                        .map(one ->
                                new Entry(one.getKey(), one.getValue().account().id()))
                        .toList(),
                found.stream()
                        .collect(
                                Collectors.toMap(one -> one.getValue().account().id(), Map.Entry::getValue)));
    }

    private void add(long id, String name, String display, long followers, long suspended, long deleted) {
        Account account =
                new Account(id << 20, name, display, "", followers, 0, 0, 0, ProfileSettings.PLAIN, /* rev= */ 1);
        index.put(
                name + " " + account.id(), new Inspected(account, suspended, deleted, 0, 0, "", null, 0, false, true));
    }

    private static List<String> names(JsonObject page) {
        return page.getJsonArray("accounts").stream()
                .map(one -> ((JsonObject) one).getString("username"))
                .toList();
    }
}
