package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.feed.TagNames.Used;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The names of hashtags are bounded in number, in time and in what a look-up costs. */
@ParameterizedClass
@KindsOfRedis
class TagNamesTest {
    private static final long TODAY = 20_000;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void theSameUseAgainChangesNothingAndANewDayCountsMoreThanTheOneBefore() {
        TagNames names = names(10);
        note(names, new Used("aa", TODAY - 1, 9), new Used("ab", TODAY - 1, 4));
        note(names, new Used("aa", TODAY - 1, 8));
        assertThat(found(names, "a")).containsExactly("aa", "ab");
        note(names, new Used("ab", TODAY, 8));
        note(names, new Used("ab", TODAY, 8));
        assertThat(found(names, "a")).as("8 and half of 4, against 9").containsExactly("ab", "aa");
        note(names, new Used("ab", TODAY - 1, 1000));
        assertThat(f.number(Keys.TAG_SCORES, "ZSCORE", Keys.TAG_SCORES, "ab")).isEqualTo(10);
    }

    @Test
    void thoseUsedLastStayAndThoseUnusedForLongGo() {
        TagNames names = names(3);
        for (int i = 0; i < 5; i++) {
            note(names, new Used("a" + i, TODAY - 5 + i, 1));
        }
        assertThat(found(names, "a")).containsExactlyInAnyOrder("a2", "a3", "a4");
        f.get(() -> names.note(List.of(new Used("b", TODAY + 90, 1)), TODAY + 90));
        assertThat(f.members(Keys.TAG_NAMES)).containsExactly("b");
        assertThat(f.members(Keys.TAG_SCORES)).containsExactly("b");
        assertThat(f.members(Keys.TAG_DAYS)).containsExactly("b");
        for (String key : List.of(Keys.TAG_NAMES, Keys.TAG_SCORES, Keys.TAG_DAYS)) {
            assertThat(f.number(key, "TTL", key)).isBetween(89 * 86_400L, 90 * 86_400L);
        }
    }

    @Test
    void ofVeryManyTheMostUsedAreFoundHoweverTheyAreSpelledAndAnAnswerIsBounded() {
        TagNames names = names(TagNames.MAX);
        List<Used> many = new ArrayList<>(IntStream.range(0, 3 * TagNames.IN_ORDER)
                .mapToObj(i -> new Used("a" + (10_000 + i), TODAY, 1))
                .toList());
        many.add(new Used("azzz", TODAY, 50));
        for (int from = 0; from < many.size(); from += 500) {
            List<Used> chunk = many.subList(from, Math.min(from + 500, many.size()));
            f.get(() -> names.note(chunk, TODAY));
        }
        assertThat(found(names, "a")).startsWith("azzz", "a10000").hasSize(TagNames.FOUND_MAX);
        assertThat(found(names, "a12999")).containsExactly("a12999");
        f.get(() -> names.forget(List.of("azzz", "unknown")));
        assertThat(found(names, "az")).isEmpty();
    }

    private TagNames names(int max) {
        return new TagNames(f.link, Duration.ofDays(90), max);
    }

    private void note(TagNames names, Used... uses) {
        f.get(() -> names.note(List.of(uses), TODAY));
    }

    private List<String> found(TagNames names, String prefix) {
        return f.get(() -> names.beginningWith(prefix));
    }
}
