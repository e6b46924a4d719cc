package io.fanfare.api.schedule;

import io.fanfare.api.endpoint.ValidationErrors;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** When somebody wants a status to be published: the parameter {@code scheduled_at}. */
public final class NewSchedule {
    private static final int CHARS_MAX = 40;

    /** The years that can be given: four digits, as all moments are shown. */
    private static final int YEAR_MAX = 9999;

    /** With an offset of any form, or without one, which is UTC; a day alone begins at midnight. */
    private static final DateTimeFormatter FORM = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("uuuu-MM-dd")
            .optionalStart()
            .appendPattern("['T'][' ']HH:mm")
            .optionalStart()
            .appendPattern(":ss")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, /* decimalPoint= */ true)
            .optionalEnd()
            .optionalEnd()
            .appendPattern("[XXX][XX][X]")
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    /** ISO 8601 without signs, as calendars write it. */
    private static final DateTimeFormatter BASIC = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("uuuuMMdd'T'HHmmss[XXX][XX][X]")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    /** Forms that are read. The last one is that of HTTP (RFC 9110) and of JavaScript's {@code toUTCString}. */
    private static final List<DateTimeFormatter> FORMS = List.of(FORM, BASIC, DateTimeFormatter.RFC_1123_DATE_TIME);

    /** A time zone as Ruby and Python write it. */
    private static final Pattern SPACED_OFFSET = Pattern.compile("(?<=\\d) (?=[+-]\\d)| ?(?:GMT|UTC|Z)$");

    private NewSchedule() {}

    /** Epoch milliseconds; refuses ({@code Refusal(INVALID)}) what is no date. */
    public static long millis(String text) {
        String stripped = text.length() <= CHARS_MAX ? text.strip() : "";
        for (DateTimeFormatter form : FORMS) {
            OffsetDateTime moment = read(form, stripped);
            if (moment != null && moment.withOffsetSameInstant(ZoneOffset.UTC).getYear() <= YEAR_MAX) {
                return moment.toInstant().toEpochMilli();
            }
        }
        ValidationErrors errors = new ValidationErrors();
        errors.add("scheduled_at", "ERR_INVALID", "must be a date and time such as 2030-01-31T12:00:00.000Z");
        throw errors.refusal();
    }

    /** Null for another form. */
    private static OffsetDateTime read(DateTimeFormatter form, String text) {
        try {
            boolean words = form == DateTimeFormatter.RFC_1123_DATE_TIME;
            TemporalAccessor read = form.parseBest(
                    words ? text : zoned(text), OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
            return read instanceof OffsetDateTime exact
                    ? exact
                    : (read instanceof LocalDateTime local ? local : ((LocalDate) read).atStartOfDay())
                            .atOffset(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String zoned(String text) {
        return SPACED_OFFSET.matcher(text).replaceAll(found -> found.group().isBlank() ? "" : "Z");
    }
}
