package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/** A status that will be posted later. A field without a value is null; a list without a value is empty. */
public record ScheduledStatus(String id, Instant scheduledAt, Params params, List<MediaAttachment> mediaAttachments) {
    /** Part of {@link ScheduledStatus}. */
    public record Params(
            String text,
            PollData poll,
            List<String> mediaIds,
            Boolean sensitive,
            String spoilerText,
            String visibility,
            String language,
            String scheduledAt,
            String idempotency,
            boolean withRateLimit,
            Long inReplyToId,
            Long applicationId,
            String quotedStatusId,
            String quoteApprovalPolicy) {}

    /** Part of {@link ScheduledStatus}. */
    public record PollData(List<String> options, long expiresIn, boolean multiple, boolean hideTotals) {}
}
