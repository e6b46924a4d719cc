package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepostFoldingFilterTest {
    private static final String EPOCH = "5f3a9c01";
    private static final long UNWANTED = 99;

    private final RepostFoldingFilter filter =
            new RepostFoldingFilter(event -> event.event().actor() != UNWANTED);

    private long seq;

    @Test
    void aRepostIsLeftOutUntilFortyOthersHaveCome() {
        assertThat(receive(1, 0)).isTrue();
        assertThat(receive(2, 1)).isFalse();
        for (int i = 0; i < 39; i++) {
            assertThat(receive(100 + i, 0)).isTrue();
        }
        assertThat(receive(3, 1)).as("the other repost is the fortieth before").isFalse();
        for (int i = 0; i < 40; i++) {
            assertThat(receive(200 + i, 0)).isTrue();
        }
        assertThat(receive(4, 1)).isTrue();
        assertThat(receive(5, 1)).isFalse();
    }

    @Test
    void unwantedAndDeletedStatusesDoNotCount() {
        assertThat(filter.wants(event(Event.Kind.STATUS, 1, UNWANTED, 0))).isFalse();
        assertThat(receive(2, 1)).isTrue();
        assertThat(filter.wants(event(Event.Kind.DELETE, 2, 8, 1))).isTrue();
        assertThat(receive(3, 1)).isTrue();
        assertThat(receive(4, -1)).as("the original is deleted").isFalse();
        assertThat(receive(5, 0)).isTrue();
        assertThat(filter.wants(event(Event.Kind.EDIT, 5, 8, 0))).isTrue();
    }

    @Test
    void behindAGapNothingIsKnown() {
        assertThat(receive(1, 0)).isTrue();
        filter.skipped();
        assertThat(receive(2, 1)).isTrue();
    }

    /** As a stream that was called much further than it could write. */
    @Test
    void aReplayFromBeforeTheKnownEventsFoldsFromThereOn() {
        seq = 10;
        assertThat(receive(1, 0)).isTrue();
        for (int i = 0; i < 60; i++) {
            assertThat(receive(100 + i, 0)).isTrue();
        }
        seq = 10;
        assertThat(receive(1, 0)).isTrue();
        assertThat(receive(100, 0)).isTrue();
        assertThat(receive(2, 1)).isFalse();
    }

    @Test
    void eventsBeforeALossOfTheLogComeBefore() {
        seq = 500;
        assertThat(receive(1, 0)).isTrue();
        seq = 1;
        assertThat(filter.wants(event("0badcafe", Event.Kind.STATUS, 2, 8, 1))).isFalse();
    }

    @Test
    void aStatelessCallLeavesNoTrace() {
        assertThat(filter.stateless().wants(event(Event.Kind.STATUS, 1, 8, 0))).isTrue();
        assertThat(receive(2, 1)).isTrue();
    }

    /** A stream that was called further than it could write asks again about what lies before. */
    @Test
    void aRepeatedCallHasTheSameAnswer() {
        for (int seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            RepostFoldingFilter folding =
                    new RepostFoldingFilter(event -> event.event().actor() != UNWANTED);
            List<StreamEvent> events = new ArrayList<>();
            List<Boolean> answers = new ArrayList<>();
            List<long[]> shown = new ArrayList<>(); // Status and original.
            for (int i = 1; i <= 300; i++) {
                seq = i;
                long original = random.nextInt(3) == 0 ? 1 + random.nextInt(i) : 0;
                boolean wanted = random.nextInt(4) > 0;
                StreamEvent event = event(Event.Kind.STATUS, i, wanted ? 8 : UNWANTED, original);
                boolean expected = wanted && !(original > 0 && hasLately(shown, original));
                if (wanted) {
                    shown.add(new long[] {i, original > 0 ? original : i});
                }
                assertThat(folding.wants(event)).as("seed %d", seed).isEqualTo(expected);
                events.add(event);
                answers.add(expected);
                if (random.nextInt(10) == 0) {
                    for (int j = Math.max(0, i - 1 - random.nextInt(30)); j < i; j++) {
                        assertThat(folding.wants(events.get(j)))
                                .as("seed %d again", seed)
                                .isEqualTo(answers.get(j));
                    }
                }
            }
        }
    }

    private static boolean hasLately(List<long[]> shown, long original) {
        Set<Long> lately = new HashSet<>();
        shown.subList(Math.max(0, shown.size() - Post.REPOST_FOLD_WINDOW), shown.size())
                .forEach(one -> lately.add(one[1]));
        return lately.contains(original);
    }

    /** @param original 0 = it is no repost; negative = deleted since */
    private boolean receive(long status, long original) {
        seq++;
        return filter.wants(event(Event.Kind.STATUS, status, 8, original));
    }

    private StreamEvent event(Event.Kind kind, long status, long actor, long original) {
        return event(EPOCH, kind, status, actor, original);
    }

    private StreamEvent event(String epoch, Event.Kind kind, long status, long actor, long original) {
        String match =
                original == 0 ? "{\"t\":\"\"}" : "{\"o\":[" + original + "],\"k\":\"REPOST\",\"t\":\"\",\"ou\":16}";
        Event event = new Event(kind, status, actor, 0, Visibility.PUBLIC, match, "{}");
        return new StreamEvent(new LoggedEvent(epoch, seq, 0, event), new Documents(1));
    }
}
