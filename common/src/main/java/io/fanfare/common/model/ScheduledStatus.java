package io.fanfare.common.model;

import java.util.List;

/**
 * A post that its author wants to be published at a certain time. Its mentions, and the statuses that it refers to, are
 * looked up then.
 *
 * @param id 0 = it is not kept yet
 * @param dueMillis when, epoch ms
 * @param words options that the client did not choose are as the author's preferences are then
 * @param subjectId id of the status that it comments on; 0 = it is not a comment
 * @param inReplyToId the status that it replies to, or the comment that a comment answers; 0 = none
 * @param quotedId 0 = no quote
 * @param attachments pictures, in order
 * @param poll its end is the number of ms for which people can vote; null = no poll
 * @param application null = unknown
 */
public record ScheduledStatus(
        long id,
        long dueMillis,
        PostWords words,
        long subjectId,
        long inReplyToId,
        long quotedId,
        List<Attachment> attachments,
        Poll poll,
        Application application) {
    public ScheduledStatus {
        attachments = List.copyOf(attachments);
    }

    /** A post of nothing but text. */
    public static ScheduledStatus of(long dueMillis, String text) {
        PostWords words = new PostWords(text, "", null, PostOptions.UNCHOSEN);
        return new ScheduledStatus(0, dueMillis, words, 0, 0, 0, List.of(), null, null);
    }

    /** The same with these pictures. */
    public ScheduledStatus with(List<Attachment> pictures) {
        return new ScheduledStatus(id, dueMillis, words, subjectId, inReplyToId, quotedId, pictures, poll, application);
    }

    /** The same under this id, at this time. */
    public ScheduledStatus with(long otherId, long otherMillis) {
        return new ScheduledStatus(
                otherId, otherMillis, words, subjectId, inReplyToId, quotedId, attachments, poll, application);
    }
}
