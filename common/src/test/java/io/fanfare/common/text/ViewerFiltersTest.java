package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.UserFilter.Action;
import io.fanfare.common.model.UserFilter.Context;
import io.fanfare.common.model.UserFilter.Keyword;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewerFiltersTest {
    private static UserFilter filter(long id, Action action) {
        return filter(id, action, "spider");
    }

    private static UserFilter filter(long id, Action action, String phrase) {
        Keyword keyword = new Keyword(100 + id, phrase, /* wholeWord= */ true);
        return new UserFilter(id, "f" + id, List.of(Context.HOME), action, 0, List.of(keyword), List.of());
    }

    @Test
    void theOptionsOfAPollAreLookedAtToo() {
        ViewerFilters filters = ViewerFilters.of("1", List.of(filter(1, Action.HIDE)));
        Content content = Content.of("which?").with(new Poll(List.of("a fly", "a Spider"), 5, false, false));

        assertThat(filters.matches(content, 5, 5, 1000))
                .extracting(FilterMatch::keyword)
                .containsExactly("Spider");
        assertThat(filters.matches(Content.of("which?"), 5, 5, 1000)).isEmpty();
        // Two options are no phrase.
        assertThat(ViewerFilters.searchable(content)).contains("fly\n\na Spider");
    }

    @ParameterizedTest
    @CsvSource({
        "caf\u00e9, un cafe\u0301 noir, café",
        "cafe\u0301, un CAF\u00c9 noir, CAFÉ",
        "한국, \u1112\u1161\u11ab\u1100\u116e\u11a8, 한국",
    })
    void bothSpellingsOfALetterWithAMarkAreOne(String phrase, String text, String match) {
        ViewerFilters filters = ViewerFilters.of("1", List.of(filter(1, Action.HIDE, phrase)));

        assertThat(filters.matches(Content.of(text), 5, 5, 1000))
                .extracting(FilterMatch::keyword)
                .containsExactly(match);
    }

    @Test
    void aPhraseIsFoundOverALineBreak() {
        ViewerFilters filters = ViewerFilters.of("1", List.of(filter(1, Action.HIDE, "large spider")));

        for (String text : List.of("a large\nspider", "a large\tspider", "a large\u00a0spider", "large\u3000spider")) {
            assertThat(filters.matches(Content.of(text), 5, 5, 1000)).as(text).hasSize(1);
        }
        assertThat(filters.matches(Content.of("large, spider"), 5, 5, 1000)).isEmpty();
    }

    @Test
    void theStrictestOfManyMatchesAreReturned() {
        List<UserFilter> filters = new ArrayList<>();
        for (int id = 1; id <= 20; id++) {
            filters.add(filter(id, id % 2 == 0 ? Action.BLUR : Action.WARN));
        }
        filters.add(filter(21, Action.HIDE));

        List<FilterMatch> matches = ViewerFilters.of("1", filters).matches("a spider", 5, 5, 1000);

        assertThat(matches)
                .hasSize(ViewerFilters.MATCHES_MAX)
                .extracting(match -> match.filter().id())
                .containsExactly(21L, 1L, 3L, 5L, 7L, 9L, 11L, 13L, 15L, 17L);
        assertThat(ViewerFilters.of("1", filters).matches("a spiderweb", 5, 5, 1000))
                .isEmpty();
    }
}
