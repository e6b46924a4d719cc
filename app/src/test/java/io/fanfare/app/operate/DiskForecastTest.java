package io.fanfare.app.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fanfare.app.operate.DiskForecast.Room;
import io.fanfare.app.operate.Minutes.Minute;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class DiskForecastTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    @Test
    void aDiskThatShrinksEvenlyIsFullWhenTheLineSaysSo() {
        assertThat(DiskForecast.full(measured(24, minute -> 10_000 - 10 * (minute / 60)), NOW))
                .hasValueSatisfying(full -> assertThat(full)
                        .isCloseTo(NOW.plus(Duration.ofHours((10_000 - 230) / 10)), within(2, ChronoUnit.HOURS)));
    }

    @Test
    void filesThatComeAndGoDoNotHideTheGrowth() {
        // Every sixth hour a backup takes 5000 MiB for some minutes.
        LongUnaryOperator saw =
                minute -> 20_000 - 100 * (minute / 60) - (minute / 60 % 6 == 3 && minute % 60 < 9 ? 5000 : 0);
        assertThat(DiskForecast.full(measured(72, saw), NOW))
                .hasValueSatisfying(full -> assertThat(Duration.between(NOW, full))
                        .isBetween(Duration.ofHours(100), Duration.ofHours(150)));
    }

    @Test
    void aFewHoursAGrowingRoomAndAnEndOutOfSightSayNothing() {
        assertThat(DiskForecast.full(List.of(), NOW)).isEmpty();
        assertThat(DiskForecast.full(measured(6, minute -> 50_000 - minute), NOW))
                .isEmpty();
        assertThat(DiskForecast.full(measured(72, minute -> 50_000), NOW)).isEmpty();
        assertThat(DiskForecast.full(measured(72, minute -> 50_000 + minute), NOW))
                .isEmpty();
        assertThat(DiskForecast.full(measured(72, minute -> 9_000_000 - minute / 60), NOW))
                .isEmpty();
    }

    @Test
    void minutesOfAnOlderVersionHaveNoRoom() {
        assertThat(Room.of(new Minute(7, "p", List.of(1L, 2L)))).isEqualTo(new Room(7, 0));
        assertThat(DiskForecast.full(measured(72, minute -> 0), NOW)).isEmpty();
    }

    private static List<Room> measured(int hours, LongUnaryOperator room) {
        long first = NOW.getEpochSecond() / 60 - hours * 60L;
        List<Room> rooms = new ArrayList<>();
        for (int minute = 0; minute < hours * 60; minute++) {
            rooms.add(new Room(first + minute, room.applyAsLong(minute)));
        }
        return rooms;
    }
}
