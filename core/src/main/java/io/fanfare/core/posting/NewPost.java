package io.fanfare.core.posting;

import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.core.held.Finding;
import java.util.List;
import java.util.Set;

/**
 * A request to publish words: the words, and the ids of the statuses and uploads that they refer to.
 *
 * @param application the app that posts; null = unknown
 * @param once null = a new post each time
 * @param limit the signal by which it is at most unlisted; null = none
 */
public record NewPost(
        long author, PostWords words, Form form, Application application, IdempotentRequest once, Finding limit) {
    /** A request in which no signal was found. */
    public NewPost(long author, PostWords words, Form form, Application application, IdempotentRequest once) {
        this(author, words, form, application, once, null);
    }

    /** The same, which is published as unlisted where it would be public. */
    NewPost limitedBy(Finding signal) {
        return new NewPost(author, words, form, application, once, signal);
    }

    /**
     * The same as it is kept until it is published, which {@link PostWriter} reads back. A comment that also quotes is
     * kept as a comment.
     *
     * @param dueMillis 0 = no time is chosen yet
     */
    ScheduledStatus kept(References read, long dueMillis) {
        PostWords kept = limit == null ? words : words.unlisted();
        if (form instanceof Comment comment) {
            return new ScheduledStatus(
                    /* id= */ 0,
                    dueMillis,
                    kept,
                    comment.subjectId(),
                    comment.parentId(),
                    /* quotedId= */ 0,
                    read.attachments(),
                    /* poll= */ null,
                    application);
        }
        Plain plain = (Plain) form;
        return new ScheduledStatus(
                /* id= */ 0,
                dueMillis,
                kept,
                /* subjectId= */ 0,
                plain.inReplyToId(),
                plain.quotedId(),
                read.attachments(),
                plain.poll(),
                application);
    }

    /** The kind of post, with the ids that this kind refers to. */
    public sealed interface Form permits Plain, Comment, AsArticle {}

    /**
     * A post of its own, a reply, a quote, or a direct message.
     *
     * @param inReplyToId 0 = no reply
     * @param quotedId 0 = no quote
     * @param uploads pictures that it takes over
     * @param poll its end is the number of ms for which people can vote; null = no poll
     * @param allowedMentions accounts that its text may name, in addition to its author; null = all
     */
    public record Plain(long inReplyToId, long quotedId, UploadsTaken uploads, Poll poll, Set<Long> allowedMentions)
            implements Form {
        /** A quote without pictures; 0 = no quote. */
        public static Plain quoting(long quotedId) {
            return new Plain(0, quotedId, UploadsTaken.NONE, null, null);
        }
    }

    /**
     * A comment under a status.
     *
     * @param parentId the comment that it answers; 0 = the status itself
     * @param alsoQuotes whether the same words are published as a quote of the status, too
     */
    public record Comment(long subjectId, long parentId, boolean alsoQuotes) implements Form {}

    /** The status of an article, whose words begin with title and link. */
    public record AsArticle(Article article) implements Form {}

    /**
     * Uploads in the order in which they are shown.
     *
     * @param descriptions changes of some of them
     */
    public record UploadsTaken(List<Long> ids, List<MediaDescription> descriptions) {
        static final UploadsTaken NONE = new UploadsTaken(List.of(), List.of());

        public UploadsTaken {
            ids = List.copyOf(ids);
            descriptions = List.copyOf(descriptions);
        }
    }

    /**
     * A request to repost a status without words.
     *
     * @param visibility null = the author's preference
     * @param application the app that posts; null = unknown
     * @param once null = a new request each time
     */
    public record Repost(
            long author, long originalId, Visibility visibility, Application application, IdempotentRequest once) {}
}
