package io.fanfare.stream.match;

import io.fanfare.common.model.Decimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the Earth between two parallels and two meridians, edges included; {@code west > east} crosses the
 * antimeridian. Degrees.
 */
public record Box(double west, double south, double east, double north) {
    public Box {
        if (!(Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90)) {
            throw InvalidFilter.unacceptable(
                    "locations", "Longitudes lie between -180 and 180, latitudes between -90 and 90.");
        }
        if (south > north) {
            throw InvalidFilter.unacceptable(
                    "locations", "The south-west corner of a box comes first, then the north-east.");
        }
    }

    boolean contains(double longitude, double latitude) {
        return contains(west, south, east, north, longitude, latitude);
    }

    /** The same of a box that is there as numbers only. */
    static boolean contains(double west, double south, double east, double north, double longitude, double latitude) {
        // The antimeridian has two names.
        boolean antimeridian = Math.abs(longitude) == 180;
        return latitude >= south
                && latitude <= north
                && (isPole(latitude)
                        || isWithin(west, east, longitude)
                        || (antimeridian && isWithin(west, east, -longitude)));
    }

    /** All longitudes are the same point there. */
    static boolean isPole(double latitude) {
        return Math.abs(latitude) == 90;
    }

    private static boolean isWithin(double west, double east, double longitude) {
        return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
    }

    /**
     * Boxes of a {@code locations} parameter: {@code west,south,east,north} of each. Throws {@link InvalidFilter}, for
     * more than {@code most} as well.
     */
    static List<Box> parse(String values, int most) {
        long given = 1 + values.chars().filter(c -> c == ',').count();
        if (given > 4L * most) {
            throw InvalidFilter.tooMany("locations", most, (given + 3) / 4);
        }
        String[] words = values.isBlank() ? new String[0] : values.split(",", -1);
        if (words.length % 4 != 0) {
            throw InvalidFilter.unacceptable(
                    "locations",
                    "A box takes four numbers: longitude and latitude of its south-west and north-east corner.");
        }
        List<Box> boxes = new ArrayList<>(words.length / 4);
        for (int i = 0; i < words.length; i += 4) {
            boxes.add(new Box(number(words[i]), number(words[i + 1]), number(words[i + 2]), number(words[i + 3])));
        }
        return boxes;
    }

    private static double number(String text) {
        return Decimal.of(text.strip())
                .orElseThrow(() ->
                        InvalidFilter.unacceptable("locations", "A coordinate must be a decimal number of degrees."));
    }
}
