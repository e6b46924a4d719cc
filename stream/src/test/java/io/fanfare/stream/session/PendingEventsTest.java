package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The numbers of events that wait for a stream's socket. */
class PendingEventsTest {
    private final PendingEvents pending = new PendingEvents();

    @Test
    void numbersComeOutInTheOrderInWhichTheyWereAdded() {
        Random random = new Random(7);
        ArrayDeque<Long> expected = new ArrayDeque<>();
        for (long seq = 1; seq <= 10_000; seq++) {
            if (expected.size() < PendingEvents.MOST) {
                pending.add(seq);
                expected.add(seq);
            }
            for (int n = random.nextInt(3); n > 0 && !expected.isEmpty(); n--) {
                assertThat(pending.first()).isEqualTo(expected.peek());
                assertThat(pending.poll()).isEqualTo(expected.poll());
            }
            assertThat(pending.size()).isEqualTo(expected.size());
        }
        assertThat(pending.isOverrun()).isFalse();
        assertThat(all()).containsExactlyElementsOf(expected);
        assertThat(pending.isEmpty()).isTrue();
    }

    @Test
    void moreThanMayWaitIsAnOverrunThatKeepsWhatWaitedBefore() {
        LongStream.rangeClosed(1, PendingEvents.MOST).forEach(pending::add);
        assertThat(pending.isOverrun()).isFalse();

        pending.add(PendingEvents.MOST + 1);

        assertThat(pending.isOverrun()).isTrue();
        assertThat(pending.first()).isEqualTo(1);
        assertThat(all()).hasSize(PendingEvents.MOST);
    }

    @Test
    void aNumberThatIsFoundTwiceInARowIsKnownWhileItWaits() {
        assertThat(pending.isNewest(5)).isFalse();
        pending.add(5);
        assertThat(pending.isNewest(5)).isTrue();
        assertThat(pending.poll()).isEqualTo(5);
        assertThat(pending.isNewest(5)).isFalse();
    }

    private List<Long> all() {
        List<Long> all = new ArrayList<>();
        while (!pending.isEmpty()) {
            all.add(pending.poll());
        }
        return all;
    }
}
