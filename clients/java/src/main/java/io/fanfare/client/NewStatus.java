package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A status to post. Immutable: each method returns another one. The server checks lengths and values. */
public final class NewStatus {
    private final Fields fields;
    private final String key;

    private NewStatus(Fields fields, String keyOrNull) {
        this.fields = fields;
        this.key = keyOrNull;
    }

    /** A status with this text; names ({@code @ann}) and hashtags in it are found by the server. */
    public static NewStatus text(String text) {
        return new NewStatus(Fields.NONE.withText("status", text), null);
    }

    /** A status of uploads alone. */
    public static NewStatus ofMedia(String... mediaIds) {
        return new NewStatus(Fields.NONE, null).media(mediaIds);
    }

    /** Limits the readers: {@code public}, {@code unlisted}, {@code private} or {@code direct}. */
    public NewStatus visibility(String visibility) {
        return with("visibility", Arguments.text(visibility, "the visibility", 20));
    }

    public NewStatus inReplyTo(String statusId) {
        return with("in_reply_to_id", Arguments.id(statusId));
    }

    public NewStatus quoting(String statusId) {
        return with("quoted_status_id", Arguments.id(statusId));
    }

    /** A text that readers see first; the status unfolds under it. */
    public NewStatus contentWarning(String text) {
        return new NewStatus(fields.withText("spoiler_text", text), key);
    }

    public NewStatus sensitive() {
        return with("sensitive", true);
    }

    /** Names the language, such as {@code en}. */
    public NewStatus language(String code) {
        return with("language", Arguments.text(code, "the language", 20));
    }

    /** Uploads of {@link Media}, in this order. */
    public NewStatus media(String... mediaIds) {
        return with(
                "media_ids",
                Arguments.notEmpty(Arrays.asList(mediaIds), "media_ids").stream()
                        .map(Arguments::id)
                        .toList());
    }

    /**
     * A poll.
     *
     * @param lasts five minutes to a month
     * @param multiple whether a voter may choose several options
     */
    public NewStatus poll(List<String> options, Duration lasts, boolean multiple) {
        Arguments.check(lasts != null && lasts.toSeconds() > 0, "a poll lasts at least five minutes");
        return with(
                "poll",
                Map.of(
                        "options",
                        List.copyOf(Arguments.notEmpty(options, "options")),
                        "expires_in",
                        lasts.toSeconds(),
                        "multiple",
                        multiple));
    }

    /** Limits who may quote it: {@code public}, {@code followers} or {@code nobody}. */
    public NewStatus quotePolicy(String policy) {
        return with("quote_approval_policy", Arguments.text(policy, "the quote policy", 20));
    }

    /** Adds a place, in degrees north and degrees east. */
    public NewStatus at(double latitude, double longitude) {
        Arguments.check(
                Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180,
                "a place has a latitude from -90 to 90 and a longitude from -180 to 180");
        return with("lat", latitude).with("long", longitude);
    }

    /**
     * The server posts once for each key within an hour. Without this, each call has a random key, which covers its own
     * retries. A key made of the cause, such as the id of the event that is answered, also covers a restart.
     */
    public NewStatus idempotencyKey(String value) {
        return new NewStatus(fields, Arguments.text(value, "the Idempotency-Key", 255));
    }

    private NewStatus with(String name, Object value) {
        return new NewStatus(fields.with(name, value), key);
    }

    Fields fields() {
        return fields;
    }

    String keyOrNull() {
        return key;
    }
}
