package io.fanfare.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.client.error.ApiException;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.error.ProtocolException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Makes a failure of an answer that is not a success. */
public final class Refusals {
    private static final int SENTENCE_MAX = 1000;
    private static final Duration WAIT_MAX = Duration.ofDays(1);

    private final InstantSource clock;

    public Refusals(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The failure that an answer stands for.
     *
     * @param request method and path, for the message
     * @param body at most what the client allows
     */
    public FanfareException of(String request, int status, HttpHeaders headers, String body) {
        if (status >= 300 && status < 400) {
            return redirect(request, headers);
        }
        JsonNode json = Json.tree(body);
        return new ApiException(
                request,
                status,
                sentence(json),
                json.path("param").isTextual() ? plain(json.path("param").textValue()) : null,
                status == 429 || status == 503 ? retryAfter(headers).orElse(null) : null);
    }

    /** A redirect is never followed: the token belongs to the server that the caller named. */
    private static ProtocolException redirect(String request, HttpHeaders headers) {
        String place = headers.firstValue("Location").flatMap(Refusals::origin).orElse("an unreadable address");
        return new ProtocolException(
                request + " was redirected to " + place
                        + ": redirects are not followed, and the token was not sent there. If you trust that server, pass its address");
    }

    private static Optional<String> origin(String location) {
        try {
            URI address = URI.create(location);
            return Optional.of(
                    address.getRawAuthority() == null
                            ? "another path"
                            : plain(address.getScheme() + "://" + address.getHost()));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** The wait that the headers demand, if any: {@code Retry-After}, else {@code X-RateLimit-Reset}. */
    public Optional<Duration> retryAfter(HttpHeaders headers) {
        Optional<Duration> seconds = headers.firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,9}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
        return seconds.or(() -> headers.firstValue("X-RateLimit-Reset").flatMap(this::until))
                .map(wait -> wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait);
    }

    private Optional<Duration> until(String reset) {
        try {
            Duration wait = Duration.between(clock.instant(), Instant.parse(reset));
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException | ArithmeticException noTime) {
            return Optional.empty();
        }
    }

    private static String sentence(JsonNode json) {
        for (String field : new String[] {"error_description", "message", "error"}) {
            if (json.path(field).isTextual()) {
                return plain(json.path(field).textValue());
            }
        }
        return "no reason is given";
    }

    /** Nothing in it can steer a terminal or fill a log. */
    private static String plain(String text) {
        String cut = text.length() <= SENTENCE_MAX ? text : text.substring(0, SENTENCE_MAX) + "...";
        return cut.replaceAll("\\p{Cntrl}|[\\x{80}-\\x{9f}]", " ");
    }
}
