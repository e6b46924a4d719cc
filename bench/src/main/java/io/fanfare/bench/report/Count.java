package io.fanfare.bench.report;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** For options that count something of which there is at least one: refuses anything but a whole number from 1 on. */
public final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        // Ten digits may be too many for an int, but not for a long.
        if (!text.matches("\\d{1,10}") || Long.parseLong(text) < 1 || Long.parseLong(text) > Integer.MAX_VALUE) {
            throw new TypeConversionException("'" + text + "' is not a whole number from 1 to " + Integer.MAX_VALUE);
        }
        return Integer.valueOf(text);
    }
}
