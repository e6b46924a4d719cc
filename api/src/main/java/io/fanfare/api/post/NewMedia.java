package io.fanfare.api.post;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.core.posting.MediaDescription;
import io.fanfare.server.http.Parameters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The description and focus of a picture: a part of the body of {@code POST /api/v2/media} and {@code PUT
 * /api/v1/media/:id}, and of {@code media_attributes}. The constructor validates every field.
 *
 * @param description null = not given, empty = none
 * @param focus null = not given
 */
public record NewMedia(String description, Attachment.Focus focus) {
    /** A part of a focus begins with it. */
    private static final Pattern NUMBER =
            Pattern.compile("\\s{0,8}([+-]?(?:\\d{1,3}(?:\\.\\d{0,20})?|\\.\\d{1,20})(?:[eE][+-]?\\d{1,3})?)");

    public static NewMedia of(Parameters given) {
        // In JSON also a list of two numbers, as in Mastodon.
        List<String> focus = given.all("focus");
        return of(given.text("description"), focus.size() > 1 ? String.join(",", focus) : given.text("focus"));
    }

    /** One of {@code media_attributes}. */
    private static NewMedia of(Map<String, String> attributes) {
        return of(attributes.get("description"), attributes.get("focus"));
    }

    /** The changes in {@code media_attributes} of these pictures; those of other pictures are not read. */
    public static List<MediaDescription> descriptions(Parameters parameters, Collection<Long> pictures) {
        List<MediaDescription> descriptions = new ArrayList<>();
        for (Map<String, String> attributes : parameters.objects("media_attributes")) {
            long id = Id.parse(attributes.getOrDefault("id", ""));
            if (pictures.contains(id)) {
                NewMedia media = of(attributes);
                descriptions.add(new MediaDescription(id, media.description(), media.focus()));
            }
        }
        return descriptions;
    }

    private static NewMedia of(String description, String focus) {
        ValidationErrors errors = new ValidationErrors();
        String text = description == null ? null : ControlCharacters.lines(description);
        if (text != null && text.codePointCount(0, text.length()) > Attachment.DESCRIPTION_MAX) {
            errors.add(
                    "description",
                    "ERR_TOO_LONG",
                    "is too long (at most " + Attachment.DESCRIPTION_MAX + " characters)");
        } else if (text != null) {
            errors.addUnlessStreamSafe("description", text);
        }
        Attachment.Focus point = null;
        if (focus != null && !focus.isEmpty()) {
            point = point(focus);
            if (point == null) {
                errors.add("focus", "ERR_INVALID", "must be two numbers from -1 to 1 with a comma between");
            }
        }
        errors.refuseIfAny();
        return new NewMedia(text, point);
    }

    /** As Mastodon reads it: what stands behind a number, or behind both, says nothing. Null without two numbers. */
    private static Attachment.Focus point(String text) {
        String[] parts = text.split(",", 3);
        Matcher x = NUMBER.matcher(parts[0]);
        Matcher y = NUMBER.matcher(parts.length > 1 ? parts[1] : "");
        return x.lookingAt() && y.lookingAt() ? new Attachment.Focus(number(x.group(1)), number(y.group(1))) : null;
    }

    /** Within its bounds, and no more exact than a pixel. */
    private static double number(String text) {
        double bounded = Math.max(-1, Math.min(1, Double.parseDouble(text)));
        return Math.round(bounded * 10_000) / 10_000.0 + 0.0;
    }
}
