package io.fanfare.api.request;

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
import java.util.Locale;

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

    private NewSchedule() {}

    /** Epoch milliseconds; refuses ({@code Refusal(INVALID)}) what is no date. */
    public static long millis(String text) {
        try {
            if (text.length() <= CHARS_MAX) {
                TemporalAccessor read =
                        FORM.parseBest(text.strip(), OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
                OffsetDateTime moment = read instanceof OffsetDateTime exact
                        ? exact
                        : (read instanceof LocalDateTime local ? local : ((LocalDate) read).atStartOfDay())
                                .atOffset(ZoneOffset.UTC);
                if (moment.withOffsetSameInstant(ZoneOffset.UTC).getYear() <= YEAR_MAX) {
                    return moment.toInstant().toEpochMilli();
                }
            }
        } catch (DateTimeException e) {
            // Told below, as what is too long.
        }
        ValidationErrors errors = new ValidationErrors();
        errors.add("scheduled_at", "ERR_INVALID", "must be a date and time such as 2030-01-31T12:00:00.000Z");
        throw errors.refusal();
    }
}
