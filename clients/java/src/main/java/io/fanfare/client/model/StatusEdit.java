package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * One version of a status. A field without a value is null; a list without a value is empty.
 *
 * @param content HTML
 * @param quote Of a quote only
 * @param poll Of a status with a poll only
 */
public record StatusEdit(
        String content,
        String spoilerText,
        boolean sensitive,
        Instant createdAt,
        Account account,
        List<MediaAttachment> mediaAttachments,
        Quote quote,
        PollData poll,
        List<CustomEmoji> emojis) {
    /** Part of {@link StatusEdit}. */
    public record PollData(List<Option> options) {}

    /** Part of {@link StatusEdit}. */
    public record Option(String title) {}
}
