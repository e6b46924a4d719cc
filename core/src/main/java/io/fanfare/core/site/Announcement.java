package io.fanfare.core.site;

import static io.fanfare.core.site.Validity.invalid;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * An announcement to everybody who has an account. All moments are Unix times in ms.
 *
 * @param id unique for good
 * @param text plain
 * @param publishedMillis from which it is shown
 * @param updatedMillis of its last change
 * @param period the time of the event that it is about
 */
public record Announcement(long id, String text, long publishedMillis, long updatedMillis, Period period) {
    /** Characters of an announcement. */
    public static final int TEXT_MAX = 3000;

    /**
     * The time of an event. An announcement is shown until the end of its event.
     *
     * @param startMillis 0 = none
     * @param endMillis 0 = none
     * @param allDay whether both are days (UTC): the beginning of the first, the end of the last
     */
    public record Period(long startMillis, long endMillis, boolean allDay) {
        public static final Period NONE = new Period(0, 0, false);

        private static final int DATE_CHARS = 10;

        public Period {
            if (startMillis != 0 && endMillis != 0 && endMillis <= startMillis) {
                throw invalid("The end of an announcement must come after its start.");
            }
        }

        /** The period between two moments, as {@link #millis} reads them, or two days; empty = open. */
        public static Period of(String start, String end) {
            boolean days = start.length() == DATE_CHARS || end.length() == DATE_CHARS;
            if (days && (start.length() != DATE_CHARS || end.length() != DATE_CHARS)) {
                throw invalid("Give start and end both as days, or both as moments.");
            }
            return days
                    ? new Period(day(start), day(end) + 86_399_999, /* allDay= */ true)
                    : new Period(millis(start), millis(end), /* allDay= */ false);
        }

        private static long day(String text) {
            return date(text).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        }
    }

    public Announcement {
        text = Validity.lines("An announcement", text, TEXT_MAX);
    }

    /** Whether it is shown now: it is published, and its event has not ended. */
    public boolean isShown(long nowMillis) {
        return publishedMillis <= nowMillis && (period.endMillis() == 0 || nowMillis < period.endMillis());
    }

    /** The day of a text such as {@code 2026-12-01}. */
    public static LocalDate date(String text) {
        try {
            LocalDate day = LocalDate.parse(text);
            if (day.getYear() < 1970 || day.getYear() > 9999) {
                throw new DateTimeException(text);
            }
            return day;
        } catch (DateTimeException e) {
            throw invalid("A day must be like 2026-12-01.");
        }
    }

    /** The moment of a text such as {@code 2026-12-01T08:00Z} or {@code 2026-12-01T16:00+08:00}; 0 for an empty one. */
    public static long millis(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            Instant moment = OffsetDateTime.parse(text).toInstant();
            if (moment.getEpochSecond() <= 0) {
                throw new DateTimeException(text);
            }
            return moment.toEpochMilli();
        } catch (DateTimeException e) {
            throw invalid("A time must be like 2026-12-01T08:00Z, with Z or an offset such as +08:00.");
        }
    }
}
