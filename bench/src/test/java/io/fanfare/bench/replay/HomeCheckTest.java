package io.fanfare.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.bench.input.SocialGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The expected homes, and that the check notices each kind of difference. */
class HomeCheckTest {
    private static final long SEED = 20_261_121;

    /** User 0 follows 1 and 2, 1 follows 2, 2 follows nobody. */
    private final SocialGraph graph = new SocialGraph(List.of(10L, 11L, 12L), new int[][] {{1, 2}, {2}, {}});

    private final Ledger ledger = Ledger.draw(40, graph, true, new Random(SEED));
    private final List<Person> people = List.of(new Person("a", 1, ""), new Person("b", 2, ""), new Person("c", 3, ""));
    private final Differences differences = new Differences();

    HomeCheckTest() {
        for (int post = 0; post < ledger.posts(); post++) {
            // Ids do not come in the order of the posts: authors live in different shards.
            ledger.acknowledge(post, 1000 + (post * 7L) % 40, 0);
        }
    }

    @Test
    void expectsPostsOfSelfAndFollowedNewestFirst() {
        List<Long> due = new ArrayList<>();
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.author(post) != 0) {
                due.add(ledger.id(post));
            }
        }
        due.sort(Collections.reverseOrder());
        assertThat(new ExpectedHomes(graph, ledger).of(1))
                .as("seed %d", SEED)
                .isEqualTo(due)
                .isNotEmpty();
        assertThat(new ExpectedHomes(graph, ledger).of(0)).hasSize(40);
    }

    @Test
    void expectsNothingOfAPostThatWasNotAcknowledged() {
        Ledger unanswered = Ledger.draw(40, graph, false, new Random(SEED));
        assertThat(new ExpectedHomes(graph, unanswered).of(0)).isEmpty();
        assertThat(new ExpectedHomes(graph, unanswered).deliveries()).isZero();
    }

    @Test
    void countsOneDeliveryPerFollowerAndOneForTheAuthor() {
        long entries = 0;
        for (int user = 0; user < 3; user++) {
            entries += new ExpectedHomes(graph, ledger).of(user).size();
        }
        assertThat(new ExpectedHomes(graph, ledger).deliveries()).isEqualTo(entries);
    }

    @Test
    void acceptsAHomeThatIsFullOrHoldsMoreThanItMust() {
        List<Long> expected = List.of(9L, 8L, 7L, 6L, 5L);
        compare(expected, 5, expected);
        compare(expected, 3, List.of(9L, 8L));
        compare(expected, 3, List.of(9L, 8L, 7L));
        compare(expected, 3, List.of(9L, 8L, 7L, 6L));
        compare(List.of(), 3, List.of());
        assertThat(differences.first()).isEmpty();
    }

    @Test
    void noticesEveryWayOfBeingWrong() {
        List<Long> expected = List.of(9L, 8L, 7L, 6L);
        compare(expected, 4, null);
        compare(expected, 4, List.of(9L, 8L, 6L));
        compare(expected, 3, List.of(9L));
        compare(expected, 4, List.of(9L, 8L, 7L, 6L, 5L));
        compare(expected, 3, List.of(9L, 8L, 5L));
        compare(expected, 4, List.of(9L, 8L, 8L, 7L, 6L));
        compare(expected, 4, List.of(8L, 9L, 7L, 6L));
        assertThat(differences.count()).isEqualTo(7);
        assertThat(differences.first())
                .containsExactly(
                        "home of a (1) does not exist",
                        "home of a (1) lacks 1 of 4, the newest being 7 (not acknowledged in this run)",
                        "home of a (1) lacks 1 of 2, the newest being 8 (not acknowledged in this run)",
                        "home of a (1) holds 1 that do not belong there, the newest being 5 (not acknowledged in this run)",
                        "home of a (1) lacks 1 of 3, the newest being 7 (not acknowledged in this run); it holds 1 that do not belong there, the newest being 5 (not acknowledged in this run)",
                        "home of a (1) shows a status twice",
                        "home of a (1) is not in order");
    }

    @Test
    void namesThePostThatIsMissing() {
        long id = ledger.id(3);
        compare(List.of(id), 4, List.of());
        assertThat(differences.first().get(0))
                .contains(id + " (post 3 by " + people.get(ledger.author(3)).username() + ")");
    }

    @Test
    void drawsTheSameAuthorsFromTheSameSeedAndMoreOfThoseWithFollowers() {
        int[] drawn = new int[3];
        Ledger first = Ledger.draw(6000, graph, true, new Random(SEED));
        Ledger second = Ledger.draw(6000, graph, true, new Random(SEED));
        for (int post = 0; post < 6000; post++) {
            assertThat(second.author(post)).isEqualTo(first.author(post));
            drawn[first.author(post)]++;
        }
        // Followers 0, 1, 2: weights 1, 2, 3 of 6.
        assertThat(Arrays.stream(drawn).mapToObj(count -> Math.round(count / 1000.0)))
                .as("seed %d", SEED)
                .containsExactly(1L, 2L, 3L);
    }

    private void compare(List<Long> expected, int homeMax, List<Long> actual) {
        new HomeCheck("home", ledger, people, homeMax, homeMax - 1, differences)
                .compare(people.get(0), expected, actual);
    }
}
