package io.fanfare.client.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The place of a status.
 *
 * @param name null without a name
 * @param latitude degrees north
 * @param longitude degrees east
 */
public record Place(
        String name,
        @JsonProperty("lat") double latitude,
        @JsonProperty("long") double longitude) {}
