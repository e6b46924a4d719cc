package io.fanfare.common.model;

import java.util.List;

/**
 * A status that its author wants to be published at a certain time, in the author's own words: the entities in it are
 * looked up then.
 *
 * @param id 0 = it is not kept yet
 * @param dueMillis when, epoch ms
 * @param visibility null = as the author's preferences say then; likewise {@code sensitive} and {@code language}
 * @param inReplyToId 0 = no reply
 * @param quotedId 0 = no quote
 * @param place null = not given
 * @param attachments pictures, in order
 * @param poll its question, which ends so many ms after publication as its end says; null = none
 * @param application null = unknown
 * @param quotePolicy the accounts that may quote it; null = as the author's preferences say then
 */
public record ScheduledStatus(
        long id,
        long dueMillis,
        String text,
        Visibility visibility,
        String spoilerText,
        Boolean sensitive,
        String language,
        long inReplyToId,
        long quotedId,
        Place place,
        List<Attachment> attachments,
        Poll poll,
        Application application,
        QuotePolicy quotePolicy) {
    public ScheduledStatus {
        attachments = List.copyOf(attachments);
    }

    /**
     * One that asks nothing.
     *
     * @param clientName empty = unknown
     */
    public ScheduledStatus(
            long id,
            long dueMillis,
            String text,
            Visibility visibility,
            String spoilerText,
            Boolean sensitive,
            String language,
            long inReplyToId,
            long quotedId,
            Place place,
            List<Attachment> attachments,
            String clientName) {
        this(
                id,
                dueMillis,
                text,
                visibility,
                spoilerText,
                sensitive,
                language,
                inReplyToId,
                quotedId,
                place,
                attachments,
                null,
                Application.of(clientName, null),
                null);
    }

    /** The same under this id, at this time. */
    public ScheduledStatus with(long otherId, long otherMillis) {
        return new ScheduledStatus(
                otherId,
                otherMillis,
                text,
                visibility,
                spoilerText,
                sensitive,
                language,
                inReplyToId,
                quotedId,
                place,
                attachments,
                poll,
                application,
                quotePolicy);
    }
}
