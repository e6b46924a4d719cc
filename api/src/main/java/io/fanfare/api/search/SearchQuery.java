package io.fanfare.api.search;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.text.TextEntities;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A search, in the language of Mastodon: words, {@code "phrases"}, {@code #tags}, {@code from:}, {@code has:},
 * {@code is:}, {@code in:}, {@code language:}, {@code before:}, {@code after:}, {@code during:}, each with a minus
 * before it for the negation. All must hold. Immutable.
 */
public record SearchQuery(List<Clause> clauses) {
    /** Characters of a query. */
    public static final int CHARS_MAX = 500;

    /** Conditions of a query. */
    public static final int CLAUSES_MAX = 20;

    /** The subject of a condition. */
    public enum Kind {
        WORDS,
        TAG,
        /** {@code me}, or a name as it was written. */
        FROM,
        HAS,
        IS,
        IN,
        LANGUAGE,
        /** The time of a status, as of its id: {@link Clause#from} to {@link Clause#to}. */
        TIME
    }

    /**
     * One condition.
     *
     * @param negated whether it must not hold
     * @param value words, a folded tag, a name or a word in small letters; empty for a time
     * @param from smallest id of a time
     * @param to largest id of a time
     */
    public record Clause(Kind kind, boolean negated, String value, long from, long to) {
        Clause(Kind kind, boolean negated, String value) {
            this(kind, negated, value, 0, 0);
        }
    }

    /** A sign, a name and a value, which may be in quotes. */
    private static final Pattern PART = Pattern.compile("([-+]?)(?:([A-Za-z]+):(?=\\S))?(?:\"([^\"]*)\"?|(\\S+))");

    private static final Map<String, Kind> KINDS = Map.of(
            "from", Kind.FROM,
            "has", Kind.HAS,
            "is", Kind.IS,
            "in", Kind.IN,
            "language", Kind.LANGUAGE,
            "before", Kind.TIME,
            "after", Kind.TIME,
            "during", Kind.TIME);

    public SearchQuery {
        clauses = List.copyOf(clauses);
    }

    /** Refuses ({@code INVALID}) what is too long, has a wildcard, or a date that is none. */
    public static SearchQuery parse(String text) {
        if (text.length() > CHARS_MAX) {
            throw refused("The search is too long: at most " + CHARS_MAX + " characters.");
        }
        List<Clause> clauses = new ArrayList<>();
        Matcher part = PART.matcher(text);
        while (part.find()) {
            if (clauses.size() == CLAUSES_MAX) {
                throw refused("The search has too many parts: at most " + CLAUSES_MAX + ".");
            }
            boolean negated = part.group(1).equals("-");
            String value = part.group(3) == null ? part.group(4) : part.group(3);
            Kind kind = part.group(2) == null ? null : KINDS.get(part.group(2).toLowerCase(Locale.ROOT));
            clauses.add(
                    kind == null
                            ? words(negated, part.group(2), value, part.group(3) != null)
                            : named(kind, negated, part.group(2).toLowerCase(Locale.ROOT), value));
        }
        return new SearchQuery(clauses);
    }

    private static Clause words(boolean negated, String nameOrNull, String value, boolean quoted) {
        if (!quoted && nameOrNull == null && value.startsWith("#")) {
            String tag = TextEntities.tag(value);
            if (tag != null) {
                return new Clause(Kind.TAG, negated, tag);
            }
        }
        if (!quoted && value.length() > 1 && value.endsWith("*")) {
            throw refused("The search finds whole words only: leave out the *.");
        }
        return new Clause(Kind.WORDS, negated, nameOrNull == null ? value : nameOrNull + ":" + value);
    }

    private static Clause named(Kind kind, boolean negated, String name, String value) {
        return kind == Kind.TIME
                ? time(negated, name, value)
                : new Clause(kind, negated, value.toLowerCase(Locale.ROOT));
    }

    /** Days of UTC. A day before the first id there can be is before everything. */
    private static Clause time(boolean negated, String name, String value) {
        long begin;
        long end;
        try {
            LocalDate day = LocalDate.parse(value);
            begin = firstOf(day);
            end = firstOf(day.plusDays(1));
        } catch (DateTimeException e) {
            throw refused("The search needs a day after " + name + ": such as " + name + ":2026-01-31.");
        }
        return switch (name) {
            case "before" -> new Clause(Kind.TIME, negated, "", 0, begin - 1);
            case "after" -> new Clause(Kind.TIME, negated, "", end, Id.MAX);
            default -> new Clause(Kind.TIME, negated, "", begin, end - 1);
        };
    }

    /** The smallest id of a day; no id is as small as 1. */
    private static long firstOf(LocalDate day) {
        long years = Math.max(2000, Math.min(day.getYear(), 2090));
        if (years != day.getYear()) {
            return years == 2000 ? 1 : Id.MAX;
        }
        long millis = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        return millis <= Id.EPOCH_MILLIS ? 1 : Math.min(Id.MAX, Id.of(millis, 0, 0));
    }

    private static Refusal refused(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }
}
