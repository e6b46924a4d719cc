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

class ViewerFiltersTest {
    private static UserFilter filter(long id, Action action) {
        Keyword keyword = new Keyword(100 + id, "spider", /* wholeWord= */ true);
        return new UserFilter(id, "f" + id, List.of(Context.HOME), action, 0, List.of(keyword), List.of());
    }

    @Test
    void theOptionsOfAPollAreLookedAtToo() {
        ViewerFilters filters = ViewerFilters.of("1", List.of(filter(1, Action.HIDE)));
        Content asked = Content.of("which?").with(new Poll(List.of("a fly", "a Spider"), 5, false, false));

        assertThat(filters.matches(asked, 5, 5, 1000))
                .extracting(FilterMatch::keyword)
                .containsExactly("Spider");
        assertThat(filters.matches(Content.of("which?"), 5, 5, 1000)).isEmpty();
        // Two options are no phrase.
        assertThat(ViewerFilters.searchable(asked)).contains("fly\n\na Spider");
    }

    @Test
    void ofManyThatMatchTheStrictestAreSaid() {
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
