package io.fanfare.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.api.search.SearchQuery.Clause;
import io.fanfare.api.search.SearchQuery.Kind;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SearchQueryTest {
    @Test
    void wordsPhrasesTagsAndTheirExclusionsAreConditions() {
        assertThat(SearchQuery.parse("late \"two words\" -\"not these\" -no +yes #Cats \"open")
                        .clauses())
                .containsExactly(
                        words("late"),
                        words("two words"),
                        new Clause(Kind.WORDS, true, "not these"),
                        new Clause(Kind.WORDS, true, "no"),
                        words("yes"),
                        new Clause(Kind.TAG, false, "cats"),
                        words("open"));
    }

    @Test
    void namedConditionsAreReadInAnyCase() {
        assertThat(SearchQuery.parse("from:@Ann -FROM:me has:media is:reply in:library language:EN 12:30 a:b")
                        .clauses())
                .containsExactly(
                        new Clause(Kind.FROM, false, "@ann"),
                        new Clause(Kind.FROM, true, "me"),
                        new Clause(Kind.HAS, false, "media"),
                        new Clause(Kind.IS, false, "reply"),
                        new Clause(Kind.IN, false, "library"),
                        new Clause(Kind.LANGUAGE, false, "en"),
                        words("12:30"),
                        words("a:b"));
    }

    @Test
    void aDayIsThatOfUtc() {
        long begin = id("2026-02-28T00:00:00Z");
        long end = id("2026-03-01T00:00:00Z");

        assertThat(SearchQuery.parse("before:2026-02-28 during:2026-02-28 after:\"2026-02-28\"")
                        .clauses())
                .containsExactly(
                        new Clause(Kind.TIME, false, "", 0, begin - 1),
                        new Clause(Kind.TIME, false, "", begin, end - 1),
                        new Clause(Kind.TIME, false, "", end, Id.MAX));
        assertThat(SearchQuery.parse("before:0001-01-01 after:9999-01-01").clauses())
                .hasSize(2);
    }

    @Test
    void aQueryThatIsTooExpensiveOrUnreadableIsRefused() {
        for (String text : new String[] {
            "x".repeat(SearchQuery.CHARS_MAX + 1), "a ".repeat(SearchQuery.CLAUSES_MAX + 1), "wild*", "after:yesterday"
        }) {
            assertThatThrownBy(() -> SearchQuery.parse(text))
                    .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                            .isEqualTo(Refusal.Reason.INVALID));
        }
    }

    private static Clause words(String text) {
        return new Clause(Kind.WORDS, false, text);
    }

    private static long id(String instant) {
        return Id.of(Instant.parse(instant).toEpochMilli(), 0, 0);
    }
}
