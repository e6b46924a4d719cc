package io.fanfare.common.view;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Moments as the Mastodon API shows them, in UTC. By hand: a page of a timeline holds sixty, and a DateTimeFormatter
 * takes ten times as long for each.
 */
public final class Timestamps {
    private static final long DAY_MILLIS = 86_400_000;

    private Timestamps() {}

    /** A moment as every answer shows it: {@code 2026-01-02T03:04:05.678Z}. */
    public static String time(long epochMillis) {
        LocalDateTime time = utc(epochMillis);
        StringBuilder text = new StringBuilder(24).append(time.toLocalDate());
        append(text.append('T'), time.getHour(), 2);
        append(text.append(':'), time.getMinute(), 2);
        append(text.append(':'), time.getSecond(), 2);
        append(text.append('.'), (int) Math.floorMod(epochMillis, 1000L), 3);
        return text.append('Z').toString();
    }

    /** A day (UTC) as Mastodon writes it: {@code 2026-01-02}. */
    public static String date(long epochMillis) {
        return LocalDate.ofEpochDay(Math.floorDiv(epochMillis, DAY_MILLIS)).toString();
    }

    private static LocalDateTime utc(long epochMillis) {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(epochMillis, 1000L), 0, ZoneOffset.UTC);
    }

    private static void append(StringBuilder text, int number, int digits) {
        int tens = 1;
        for (int i = 1; i < digits; i++) {
            tens *= 10;
        }
        for (int left = tens; left > 0; left /= 10) {
            text.append((char) ('0' + number / left % 10));
        }
    }
}
