package io.fanfare.common.model;

/**
 * The place where a status was written (WGS 84).
 *
 * @param latitude degrees, -90 to 90
 * @param longitude degrees, -180 to 180
 * @param name as its author calls it, empty when not given
 */
public record Place(double latitude, double longitude, String name) {
    public Place {
        if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
            throw new IllegalArgumentException("no place on Earth");
        }
    }
}
