package io.fanfare.api.endpoint;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.text.StreamSafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects everything that is wrong with a request's fields, so that the caller learns it at once. Confined to one
 * constructor.
 */
public final class ValidationErrors {
    private final Map<String, List<Refusal.Detail>> byField = new LinkedHashMap<>();
    private final List<String> sentences = new ArrayList<>();

    /**
     * Adds an error of a field.
     *
     * @param error one of Mastodon's codes, such as ERR_BLANK
     * @param description goes on after the field's name: "can't be blank"
     */
    public void add(String field, String error, String description) {
        byField.computeIfAbsent(field, name -> new ArrayList<>()).add(new Refusal.Detail(error, description));
        sentences.add(field + " " + description);
    }

    /** Adds the fault of a text with too many combining marks in a row; to be asked of texts of a checked length. */
    public void addUnlessStreamSafe(String field, String text) {
        if (!StreamSafeText.isStreamSafe(text)) {
            add(
                    field,
                    "ERR_INVALID",
                    "has more than " + StreamSafeText.MARKS_MAX + " combining marks in a row: leave some out");
        }
    }

    /** Throws {@link #refusal}; does nothing when there is no fault. */
    public void refuseIfAny() {
        if (!byField.isEmpty()) {
            throw refusal();
        }
    }

    /** {@code Refusal(INVALID)} that names them all. */
    public Refusal refusal() {
        return new Refusal(
                Refusal.Reason.INVALID,
                "Validation failed: " + String.join(", ", sentences) + ".",
                Map.copyOf(byField));
    }
}
