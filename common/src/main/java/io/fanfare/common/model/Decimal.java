package io.fanfare.common.model;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Numbers as people and JSON write them. Other forms that Java reads as a number ({@code 5f}, {@code 0x1p3},
 * {@code NaN}) are mistakes of the sender, and no other server takes them.
 */
public final class Decimal {
    private static final Pattern FORM =
            Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,3})?");

    private Decimal() {}

    /** The number; empty when the text is none. */
    public static OptionalDouble of(String text) {
        return FORM.matcher(text).matches() ? OptionalDouble.of(Double.parseDouble(text)) : OptionalDouble.empty();
    }
}
