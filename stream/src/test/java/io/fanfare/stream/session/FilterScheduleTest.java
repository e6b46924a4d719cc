package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.stream.filter.EmptyFilter;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.relay.StreamCounters;
import org.junit.jupiter.api.Test;

/** Which filter of a stream holds where, and what is released with it. */
class FilterScheduleTest {
    private final StreamCounters counters = new StreamCounters();
    private final FilterBudget budget = new FilterBudget(SettingsLoader.defaultsWith("stream.terms-max=1000").stream());
    private final FilterSchedule filters = new FilterSchedule(counters);

    @Test
    void aFilterHoldsFromTheEventBehindItsPlaceOn() {
        StreamFilter second = new EmptyFilter();
        StreamFilter third = new EmptyFilter();
        assertThat(filters.last()).isEqualTo(Long.MAX_VALUE);
        assertThat(filters.change(10, second, FilterBudget.Reservation.NOTHING)).isTrue();
        assertThat(filters.change(20, third, FilterBudget.Reservation.NOTHING)).isTrue();

        assertThat(filters.advance(9)).isNull();
        assertThat(filters.last()).isEqualTo(10);
        assertThat(filters.advance(10)).isSameAs(second);
        assertThat(filters.last()).isEqualTo(20);
        assertThat(filters.advance(19)).isNull();
        assertThat(filters.advance(500)).isSameAs(third);
        assertThat(filters.last()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void ofSeveralThatLieBehindTheNewestHolds() {
        StreamFilter third = new EmptyFilter();
        assertThat(filters.change(10, new EmptyFilter(), FilterBudget.Reservation.NOTHING))
                .isTrue();
        assertThat(filters.change(20, third, FilterBudget.Reservation.NOTHING)).isTrue();
        assertThat(filters.advance(20)).isSameAs(third);
        assertThat(filters.last()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void eachFilterReleasesWhatWasReservedForItWhenTheNextHolds() {
        filters.holds(budget.reserve(null, 100));
        assertThat(filters.change(10, new EmptyFilter(), budget.reserve(null, 20)))
                .isTrue();
        assertThat(counters.terms).isEqualTo(120);
        assertThat(filters.advance(10)).isNotNull();
        assertThat(counters.terms).isEqualTo(20);
        // What is free again can be taken again.
        assertThat(budget.reserve(null, 980).terms()).isEqualTo(980);
    }

    @Test
    void aFilterThatIsReplacedBeforeAnyEventReleasesItsReservation() {
        assertThat(filters.change(10, new EmptyFilter(), budget.reserve(null, 30)))
                .isTrue();
        assertThat(filters.change(10, new EmptyFilter(), budget.reserve(null, 50)))
                .isTrue();
        assertThat(counters.terms).isEqualTo(50);
        filters.releaseAll();
        assertThat(counters.terms).isZero();
        assertThat(budget.reserve(null, 1000).terms()).isEqualTo(1000);
    }

    @Test
    void waitingFiltersAreBoundedAndARefusedOneKeepsItsReservation() {
        int waiting = 0;
        while (filters.change(10 + waiting, new EmptyFilter(), FilterBudget.Reservation.NOTHING)) {
            waiting++;
        }
        assertThat(waiting).isEqualTo(8);
        FilterBudget.Reservation reserved = budget.reserve(null, 5);
        assertThat(filters.change(100, new EmptyFilter(), reserved)).isFalse();
        assertThat(counters.terms).isZero();
        assertThat(filters.advance(9)).isNull();
    }
}
