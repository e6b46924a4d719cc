package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.LogState;
import io.fanfare.stream.wire.Gap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class StartPositionTest {
    private static final LogState LOG = new LogState("5f3a9c01", 100, 41);

    @ParameterizedTest
    @NullAndEmptySource
    void withoutACursorItBeginsNow(String cursor) {
        assertThat(StartPosition.of(cursor, LOG)).isEqualTo(new StartPosition("5f3a9c01", 100, false, null));
    }

    @ParameterizedTest
    @CsvSource({
        "5f3a9c01-100,100",
        "5f3a9c01-99,99",
        "5f3a9c01-41,41",
        "5f3a9c01-40,40",
        "77,77",
        "40,40",
        "5f3a9c01-99-end,99"
    })
    void aCursorWithinTheLogGoesOnRightAfterIt(String cursor, long after) {
        assertThat(StartPosition.of(cursor, LOG)).isEqualTo(new StartPosition("5f3a9c01", after, true, null));
    }

    @ParameterizedTest
    @CsvSource({"5f3a9c01-39,40", "5f3a9c01-0,1", "12,13"})
    void eventsThatHaveLeftTheLogAreAGapUpToItsFloor(String cursor, long from) {
        assertThat(StartPosition.of(cursor, LOG))
                .isEqualTo(new StartPosition("5f3a9c01", 40, false, new Gap(Gap.Reason.EXPIRED, from, 40)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5f3a9c01-101", "5f3a9c01-999999999999999999", "101"})
    void aCursorAheadOfTheLogIsAGap(String cursor) {
        assertThat(StartPosition.of(cursor, LOG))
                .isEqualTo(new StartPosition("5f3a9c01", 100, false, new Gap(Gap.Reason.FUTURE, 0, 100)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000-50", "5f3a9c02-1"})
    void aCursorOfAnotherEpochIsAGap(String cursor) {
        assertThat(StartPosition.of(cursor, LOG))
                .isEqualTo(new StartPosition("5f3a9c01", 100, false, new Gap(Gap.Reason.EPOCH, 0, 100)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "-1",
                "5f3a9c01",
                "5f3a9c01-",
                "5F3A9C01-1",
                "5f3a9c01-1-1",
                "5f3a9c01-end",
                "5f3a9c01-1-end-end",
                "1.5",
                " 5",
                "9999999999999999999999",
                "5f3a9c01-1\u0660",
                "null"
            })
    void anInvalidCursorIsAGap(String cursor) {
        assertThat(StartPosition.of(cursor, LOG))
                .isEqualTo(new StartPosition("5f3a9c01", 100, false, new Gap(Gap.Reason.INVALID, 0, 0)));
    }

    @Test
    void anEmptyLogHasRoomForItsOwnCursor() {
        LogState empty = new LogState("5f3a9c01", 0, 1);
        assertThat(StartPosition.of("5f3a9c01-0", empty)).isEqualTo(new StartPosition("5f3a9c01", 0, true, null));
    }
}
