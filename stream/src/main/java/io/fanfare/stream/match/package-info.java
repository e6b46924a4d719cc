/**
 * Which statuses a filtered stream wants: keywords, authors, places, a sample. Knows neither connections nor Redis.
 * {@link io.fanfare.stream.match.FilterSpec} says what a filter means, one status at a time;
 * {@link io.fanfare.stream.match.FilterIndex} answers the same for all filters at once.
 */
package io.fanfare.stream.match;
