package io.fanfare.api.post;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Decimal;
import io.fanfare.common.model.Place;
import io.fanfare.server.http.Parameters;

/**
 * Reads where a status was written: {@code lat} and {@code long} in degrees, and {@code place}, its name. All or the
 * first two or none.
 */
final class NewPlace {
    private static final int NAME_MAX = 100;

    private NewPlace() {}

    /** Null when nothing is said; refuses what is no place on Earth. */
    static Place of(Parameters parameters) {
        String latitude = parameters.text("lat", "").strip();
        String longitude = parameters.text("long", "").strip();
        String name = parameters.text("place", "").strip();
        if (latitude.isEmpty() && longitude.isEmpty() && name.isEmpty()) {
            return null;
        }
        ValidationErrors errors = new ValidationErrors();
        check(errors, "lat", latitude, 90);
        check(errors, "long", longitude, 180);
        if (name.codePointCount(0, name.length()) > NAME_MAX) {
            errors.add("place", "ERR_TOO_LONG", "is too long (at most " + NAME_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("place", name);
        }
        errors.refuseIfAny();
        return new Place(Double.parseDouble(latitude), Double.parseDouble(longitude), name);
    }

    private static void check(ValidationErrors errors, String field, String text, int max) {
        if (text.isEmpty()) {
            errors.add(field, "ERR_BLANK", "can't be blank when a place is given");
        } else if (Decimal.of(text).stream().noneMatch(degrees -> Math.abs(degrees) <= max)) {
            errors.add(field, "ERR_INVALID", "must be a number of degrees from -" + max + " to " + max);
        }
    }
}
