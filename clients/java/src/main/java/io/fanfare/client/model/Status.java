package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/**
 * A status: a post, comment, repost, quote or article. A field without a value is null; a list without a value is
 * empty.
 *
 * @param repliesCount Comments, and replies among them
 * @param editedAt When it was last edited
 * @param favourited Whether you like it; this and the next five only when you are logged in
 * @param muted Whether you have muted its conversation
 * @param filtered Which of your filters match it, whatever their contexts: your client applies them. Of what you have
 *     written yourself none does
 * @param place Where it was written
 * @param deleted A tombstone: the status is gone
 * @param limitedBy In the answer to its author who has just posted it: why it is at most unlisted
 * @param reblog The reposted status; one that is gone is there without content, with {@code deleted}
 */
public record Status(
        String id,
        Instant createdAt,
        String inReplyToId,
        String inReplyToAccountId,
        boolean sensitive,
        String spoilerText,
        String visibility,
        String language,
        String uri,
        String url,
        long repliesCount,
        long reblogsCount,
        long favouritesCount,
        long quotesCount,
        QuoteApproval quoteApproval,
        Instant editedAt,
        String content,
        App application,
        Account account,
        List<MediaAttachment> mediaAttachments,
        List<Mention> mentions,
        List<StatusTag> tags,
        List<CustomEmoji> emojis,
        Poll poll,
        Boolean favourited,
        Boolean reblogged,
        Boolean muted,
        Boolean bookmarked,
        Boolean pinned,
        List<FilterResult> filtered,
        Place place,
        Article article,
        Boolean deleted,
        LimitedBy limitedBy,
        Status reblog,
        Quote quote) {
    /** Part of {@link Status}. */
    public record LimitedBy(String signal, String reason) {}

    /** Part of {@link Status}. */
    public record QuoteApproval(List<String> automatic, List<String> manual, String currentUser) {}

    /** Part of {@link Status}. */
    public record App(String name, String website) {}
}
