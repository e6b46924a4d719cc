package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.UserFilter.Action;
import io.fanfare.common.model.UserFilter.Context;
import io.fanfare.common.model.UserFilter.Keyword;
import io.fanfare.common.model.UserFilter.OfStatus;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.UserFilters.Changed;
import io.fanfare.common.store.UserFilters.FilterChange;
import io.fanfare.common.store.UserFilters.KeywordChange;
import io.fanfare.common.store.UserFilters.Kind;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class UserFiltersTest {
    /** As many as the model test may make in a row, and few enough to fill. */
    private static final int FILTERS_MAX = 400;

    private static final int LITTLE = 10;

    private static final Action[] ACTIONS = {null, Action.WARN, Action.HIDE, Action.BLUR};

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private UserFilters filters;
    private long owner;
    private long other;

    @BeforeEach
    void start() {
        f = StoreFixture.on(kind.redis());
        filters = new UserFilters(
                f.link, SettingsLoader.defaultsWith("queue.depth-max=100000", "limits.filters-max=" + FILTERS_MAX));
        long[] users = f.users(2);
        owner = users[0];
        other = users[1];
    }

    @AfterEach
    void stop() {
        f.close();
    }

    /** A filter of the model; changed by whoever changes the real one. */
    private static final class Model {
        String title;
        List<Context> contexts;
        Action action;
        long expiresAt;
        final TreeMap<Long, Keyword> keywords = new TreeMap<>();
        final TreeMap<Long, OfStatus> statuses = new TreeMap<>();

        UserFilter as(long id) {
            return new UserFilter(
                    id,
                    title,
                    contexts,
                    action,
                    expiresAt,
                    List.copyOf(keywords.values()),
                    List.copyOf(statuses.values()));
        }

        void take(FilterChange change) {
            title = change.title() == null ? title : change.title();
            contexts = change.contexts() == null ? contexts : change.contexts();
            action = change.action() == null ? action : change.action();
            expiresAt = change.expiresAt() == null ? expiresAt : change.expiresAt();
        }
    }

    @Test
    void filtersEqualANaiveModelAfterRandomChanges() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        TreeMap<Long, Model> model = new TreeMap<>();
        String version = "";
        for (int step = 0; step < 400; step++) {
            List<UserFilter> before = f.get(() -> filters.of(owner)).filters();
            step(random, model);
            UserFilters.All all = f.get(() -> filters.of(owner));
            List<UserFilter> expected = new ArrayList<>();
            model.forEach((id, one) -> expected.add(one.as(id)));
            assertThat(all.filters()).as("seed " + seed + " step " + step).isEqualTo(expected);
            // Whoever keeps them by their version keeps what is there.
            assertThat(all.version().equals(version)).as("seed " + seed).isEqualTo(before.equals(expected));
            assertThat(all.version().isEmpty()).isEqualTo(expected.isEmpty());
            version = all.version();
        }
    }

    private void step(Random random, Map<Long, Model> model) {
        Optional<Long> picked = model.keySet().stream()
                .skip(model.isEmpty() ? 0 : random.nextInt(model.size()))
                .findFirst();
        int act = random.nextInt(10);
        if (act < 3 || picked.isEmpty()) {
            FilterChange wanted = change(random, /* fresh= */ true, keywords(random, null));
            Changed made = f.get(() -> filters.create(owner, wanted));
            Model fresh = new Model();
            fresh.action = Action.WARN;
            fresh.take(wanted);
            model.put(made.filter().id(), fresh);
            takeKeywords(fresh, wanted.keywords(), made.filter());
            return;
        }
        long id = picked.get();
        Model one = model.get(id);
        switch (act) {
            case 3, 4, 5 -> {
                FilterChange wanted = change(random, /* fresh= */ false, keywords(random, one));
                Changed done = f.get(() -> filters.change(owner, id, Kind.FILTER, wanted));
                one.take(wanted);
                takeKeywords(one, wanted.keywords(), done.filter());
            }
            case 6, 7 -> {
                long status = 1L + random.nextInt(5);
                boolean there = one.statuses.values().stream().anyMatch(known -> known.statusId() == status);
                if (there) {
                    assertThatThrownBy(() -> f.get(() -> filters.addStatus(owner, id, status)))
                            .isInstanceOf(Refusal.class);
                } else {
                    long added =
                            f.get(() -> filters.addStatus(owner, id, status)).added();
                    one.statuses.put(added, new OfStatus(added, status));
                }
            }
            case 8 -> {
                if (!one.statuses.isEmpty()) {
                    long gone = one.statuses.firstKey();
                    f.get(() -> filters.remove(owner, gone, Kind.STATUS));
                    one.statuses.remove(gone);
                } else if (!one.keywords.isEmpty()) {
                    long gone = one.keywords.firstKey();
                    f.get(() -> filters.remove(owner, gone, Kind.KEYWORD));
                    one.keywords.remove(gone);
                }
            }
            default -> {
                f.get(() -> filters.remove(owner, id, Kind.FILTER));
                model.remove(id);
            }
        }
    }

    private static FilterChange change(Random random, boolean fresh, List<KeywordChange> keywords) {
        String title = fresh || random.nextBoolean() ? "title " + random.nextInt(3) : null;
        List<Context> contexts = fresh || random.nextBoolean()
                ? (random.nextBoolean() ? List.of(Context.HOME) : List.of(Context.PUBLIC, Context.THREAD))
                : null;
        Action action = ACTIONS[random.nextInt(ACTIONS.length)];
        Long expires = random.nextInt(3) == 0 ? null : Long.valueOf(random.nextInt(3));
        return new FilterChange(title, contexts, action, expires, /* alone= */ false, keywords);
    }

    private static List<KeywordChange> keywords(Random random, Model of) {
        List<KeywordChange> changes = new ArrayList<>();
        if (of != null && !of.keywords.isEmpty() && random.nextBoolean()) {
            long id = of.keywords.firstKey();
            changes.add(new KeywordChange(
                    id, random.nextBoolean() ? "other word " : null, random.nextBoolean(), random.nextBoolean()));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            changes.add(KeywordChange.add(" k " + random.nextInt(9), random.nextBoolean() ? null : false));
        }
        return changes;
    }

    private static void takeKeywords(Model model, List<KeywordChange> changes, UserFilter done) {
        List<Long> fresh = done.keywords().stream()
                .map(Keyword::id)
                .filter(id -> !model.keywords.containsKey(id))
                .toList();
        int next = 0;
        for (KeywordChange change : changes) {
            if (change.gone()) {
                model.keywords.remove(change.id());
                continue;
            }
            Keyword before = model.keywords.get(change.id());
            long id = before == null ? fresh.get(next++) : before.id();
            boolean whole = change.wholeWord() != null ? change.wholeWord() : before == null || before.wholeWord();
            model.keywords.put(
                    id, new Keyword(id, change.keyword() == null ? before.keyword() : change.keyword(), whole));
        }
    }

    @Test
    void filtersOfOthersAndIdsOfAnotherKindAreUnknown() {
        Changed made = f.get(() -> filters.create(owner, filter(List.of(KeywordChange.add("word", true)))));
        long id = made.filter().id();
        long keyword = made.added();
        FilterChange nothing = new FilterChange(null, null, null, null, false, List.of());
        for (Kind of : Kind.values()) {
            assertUnknown(() -> f.get(() -> filters.remove(other, id, of)));
            assertUnknown(() -> f.get(() -> filters.change(other, id, of, nothing)));
        }
        assertUnknown(() -> f.get(() -> filters.remove(owner, id, Kind.KEYWORD)));
        assertUnknown(() -> f.get(() -> filters.remove(owner, keyword, Kind.FILTER)));
        assertUnknown(() -> f.get(() -> filters.change(owner, keyword, Kind.FILTER, nothing)));
        assertUnknown(() -> f.get(() -> filters.addStatus(owner, keyword, 1)));
        long second =
                f.get(() -> filters.create(owner, filter(List.of()))).filter().id();
        FilterChange ofTheOther =
                new FilterChange(null, null, null, null, false, List.of(new KeywordChange(keyword, "x", null, false)));
        assertUnknown(() -> f.get(() -> filters.change(owner, second, Kind.FILTER, ofTheOther)));
    }

    private static void assertUnknown(Runnable act) {
        assertThatThrownBy(act::run).isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                .isEqualTo(Refusal.Reason.NOT_FOUND));
    }

    @Test
    void everyLimitIsReportedInASentence() {
        filters = new UserFilters(f.link, SettingsLoader.defaultsWith("limits.filters-max=" + LITTLE));
        for (int i = 0; i < LITTLE; i++) {
            f.get(() -> filters.create(owner, filter(List.of())));
        }
        assertRefused(filter(List.of()), LITTLE + " filters");
        long id = f.get(() -> filters.of(owner)).filters().get(0).id();
        List<KeywordChange> many = new ArrayList<>();
        for (int i = 0; i < 5 * LITTLE; i++) {
            many.add(KeywordChange.add("k" + i, true));
        }
        f.get(() -> filters.change(owner, id, Kind.FILTER, keywords(many)));
        assertThatThrownBy(() -> f.get(
                        () -> filters.change(owner, id, Kind.FILTER, keywords(List.of(KeywordChange.add("x", true))))))
                .hasMessageContaining(5 * LITTLE + " keywords");
        f.get(() -> filters.remove(owner, id, Kind.FILTER));
        List<KeywordChange> longOnes = new ArrayList<>();
        for (int i = 0; i < LITTLE * 2 + 1; i++) {
            longOnes.add(KeywordChange.add("x".repeat(510), true));
        }
        assertRefused(filter(longOnes), LITTLE + " KiB");
        long last = f.get(() -> filters.of(owner)).filters().get(0).id();
        for (int i = 0; i < 5 * LITTLE; i++) {
            long status = 1000L + i;
            f.get(() -> filters.addStatus(owner, last, status));
        }
        assertThatThrownBy(() -> f.get(() -> filters.addStatus(owner, last, 1)))
                .hasMessageContaining(5 * LITTLE + " posts");
    }

    private void assertRefused(FilterChange wanted, String sentence) {
        assertThatThrownBy(() -> f.get(() -> filters.create(owner, wanted)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(sentence)
                .hasMessageEndingWith(".");
    }

    private static FilterChange filter(List<KeywordChange> keywords) {
        return new FilterChange("title", List.of(Context.HOME), null, null, /* alone= */ false, keywords);
    }

    private static FilterChange keywords(List<KeywordChange> keywords) {
        return new FilterChange(null, null, null, null, /* alone= */ false, keywords);
    }

    @Test
    void theLastOneTakesTheKeyWithIt() {
        long id = f.get(() -> filters.create(owner, filter(List.of(KeywordChange.add("word", true)))))
                .filter()
                .id();
        String key = Keys.filters(owner);
        assertThat(f.redis.askAt(key, "EXISTS", key).asLong()).isEqualTo(1);
        f.get(() -> filters.remove(owner, id, Kind.FILTER));
        assertThat(f.redis.askAt(key, "EXISTS", key).asLong()).isZero();
        assertThat(f.get(() -> filters.of(owner))).isEqualTo(UserFilters.All.NONE);
    }
}
