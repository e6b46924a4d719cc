package io.fanfare.client.http;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A successful answer.
 *
 * @param body at most as many bytes as the client allows
 */
public record Answer(int status, HttpHeaders headers, String body) {
    private static final Pattern LINK = Pattern.compile("<([^>]*)>\\s*;\\s*rel=\"(\\w+)\"");

    /**
     * The query of a {@code Link}; empty when the answer has none. Only the query matters: the path is that of the
     * request, and a link to another server is never followed.
     *
     * @param relation {@code next} or {@code prev}
     */
    public Optional<String> link(String relation) {
        Matcher link = LINK.matcher(String.join(", ", headers.allValues("Link")));
        while (link.find()) {
            if (link.group(2).equals(relation)) {
                return query(link.group(1));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> query(String address) {
        try {
            return Optional.ofNullable(URI.create(address).getRawQuery());
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }
}
