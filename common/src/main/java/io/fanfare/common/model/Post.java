package io.fanfare.common.model;

import java.util.List;
import java.util.Objects;

/**
 * A published status without its counters. Only the {@code content} and the {@code quoteTerms} ever change, and each
 * time the content does, {@code edit} does. Already validated (see the API's request records).
 *
 * @param kind its role for readers
 * @param content the author's words; empty in a plain repost
 * @param replyTo the answered status, null = none
 * @param root the status whose comments list a comment beside those of the answered one; null = there is no other, or
 *     this is no comment
 * @param original the status that a repost shows, with the author's content around it or (a quote) inside it; null =
 *     neither
 * @param conversation the status with which its conversation began; 0 = with itself, or, in statuses from before this
 *     was kept, with the answered one
 * @param application the app that posted it, null when unknown
 * @param edit the edit that made the content, a time-ordered id like that of a status; 0 = as it was posted
 * @param recipients of a direct message, without its author, whatever its text names since; empty otherwise
 * @param quoteTerms change without an edit
 */
public record Post(
        long authorId,
        Visibility visibility,
        Kind kind,
        Content content,
        Reference replyTo,
        Reference root,
        Reference original,
        long conversation,
        Application application,
        long edit,
        List<Long> recipients,
        QuoteTerms quoteTerms) {
    /**
     * A repost is left out when one of so many statuses before it, in a home or a stream of it, shows the same status.
     * As in Mastodon.
     */
    public static final int REPOST_FOLD_WINDOW = 40;

    /** One of which no conversation is known beyond what it answers, and of the app its name at most. */
    public Post(
            long authorId,
            Visibility visibility,
            Kind kind,
            Content content,
            Reference replyTo,
            Reference root,
            Reference original,
            String clientName,
            long edit) {
        this(
                authorId,
                visibility,
                kind,
                content,
                replyTo,
                root,
                original,
                0,
                Application.of(clientName, null),
                edit,
                List.of(),
                QuoteTerms.PLAIN);
    }

    /** One that is as it was posted. */
    public Post(
            long authorId,
            Visibility visibility,
            Kind kind,
            Content content,
            Reference replyTo,
            Reference root,
            Reference original,
            String clientName) {
        this(authorId, visibility, kind, content, replyTo, root, original, clientName, 0);
    }

    /** The role of a status for its readers. */
    public enum Kind {
        /**
         * Goes to followers and is listed on profiles; with an {@code original} it is a quote (a repost with a
         * comment), with {@code replyTo} a reply.
         */
        POST,
        /**
         * Stands under another status only: is not fanned out, not in profiles and public timelines, and not counted
         * among its author's.
         */
        COMMENT,
        /** A repost without words of its own: what is done to it is done to its original. */
        REPOST,
        /**
         * A direct message, the only kind that is {@link Visibility#DIRECT}: goes to nobody's home and is in no list
         * but its author's own of comments; its {@code root} is the direct message with whose comments it is listed. A
         * kind of its own, so that a version that does not know it cannot read it rather than show it to everybody.
         */
        DIRECT;

        /** Whether it is in profiles and homes. */
        public boolean isListed() {
            return this == POST || this == REPOST;
        }
    }

    public Post {
        Objects.requireNonNull(content);
        Objects.requireNonNull(quoteTerms);
        recipients = List.copyOf(recipients);
        boolean direct = visibility == Visibility.DIRECT;
        if (visibility == null || direct != (kind == Kind.DIRECT) || (!direct && !recipients.isEmpty())) {
            throw new IllegalArgumentException(kind + " for " + visibility);
        }
        if ((kind == Kind.REPOST && original == null) || (kind == Kind.COMMENT && replyTo == null)) {
            throw new IllegalArgumentException(kind + " of nothing");
        }
    }

    /** A public post of nothing but text. */
    public static Post of(long authorId, String text) {
        return of(authorId, Visibility.PUBLIC, Content.of(text));
    }

    /** A post that answers nobody and shows nothing else. */
    public static Post of(long authorId, Visibility visibility, Content content) {
        return new Post(authorId, visibility, Kind.POST, content, null, null, null, null);
    }

    /**
     * A post in a conversation.
     *
     * @param repliedTo what it answers; null = no reply
     * @param quoted what it shows, which sets how widely it may be seen; null = no quote
     * @param application null = unknown
     */
    public static Post of(
            long authorId,
            Visibility visibility,
            Content content,
            Status repliedTo,
            Status quoted,
            Application application) {
        Post post = new Post(
                        authorId,
                        visibility,
                        Kind.POST,
                        content,
                        repliedTo == null ? null : Reference.to(repliedTo),
                        null,
                        quoted == null ? null : Reference.to(quoted),
                        null)
                .postedWith(application);
        Post seen = quoted == null ? post : post.noWiderThan(quoted.visibility());
        return repliedTo == null ? seen : seen.in(repliedTo.conversationId());
    }

    /**
     * This status, seen by no more people than may see the other: nobody makes the other known to more than its author
     * did.
     */
    public Post noWiderThan(Visibility other) {
        Visibility narrower = visibility.compareTo(other) < 0 ? other : visibility;
        return new Post(
                authorId,
                narrower,
                kind,
                content,
                replyTo,
                root,
                original,
                conversation,
                application,
                edit,
                recipients,
                quoteTerms);
    }

    /** The same after, or before, an edit. */
    public Post with(Content other, long madeBy) {
        return new Post(
                authorId,
                visibility,
                kind,
                other,
                replyTo,
                root,
                original,
                conversation,
                application,
                madeBy,
                recipients,
                quoteTerms);
    }

    /** The same direct message for these, its author not among them. */
    public Post to(List<Long> others) {
        return new Post(
                authorId,
                visibility,
                kind,
                content,
                replyTo,
                root,
                original,
                conversation,
                application,
                edit,
                others,
                quoteTerms);
    }

    /**
     * The same posted with this app.
     *
     * @param app null = unknown
     */
    public Post postedWith(Application app) {
        return new Post(
                authorId,
                visibility,
                kind,
                content,
                replyTo,
                root,
                original,
                conversation,
                app,
                edit,
                recipients,
                quoteTerms);
    }

    /** Whether a direct message is for this account: its author, or a recipient. */
    public boolean isFor(long account) {
        return authorId == account || recipients.contains(account);
    }

    /**
     * The same direct message as an answer to another one. It names that only to who may see it, and stands among its
     * comments only where everybody who sees one sees the other.
     */
    public Post answering(Post answered) {
        boolean isKnown = answered.isFor(authorId) && recipients.stream().allMatch(answered::isFor);
        boolean isShared = isKnown && isFor(answered.authorId) && recipients.containsAll(answered.others(authorId));
        return new Post(
                authorId,
                visibility,
                kind,
                content,
                isKnown ? replyTo : null,
                isShared ? root : null,
                original,
                conversation,
                application,
                edit,
                recipients,
                quoteTerms);
    }

    private List<Long> others(long account) {
        return recipients.stream().filter(each -> each != account).toList();
    }

    /** The same as a part of a conversation that began with another status. */
    public Post in(long beginning) {
        return new Post(
                authorId,
                visibility,
                kind,
                content,
                replyTo,
                root,
                original,
                beginning,
                application,
                edit,
                recipients,
                quoteTerms);
    }

    /** A repost with words of its own. */
    public boolean isQuote() {
        return kind != Kind.REPOST && original != null;
    }

    /** The language by which {@link FollowLanguages} judge it; null = none. */
    public String spoken() {
        return FollowLanguages.spoken(isQuote(), content.text(), content.language());
    }

    /** The status that it shows: null without one, or when its author has taken it out of this quote. */
    public Reference shown() {
        return quoteTerms.revoked() ? null : original;
    }

    /**
     * The same, quoted by these; null = as it is. A status that not everybody may see is quoted by nobody, whatever the
     * policy.
     */
    public Post quotedBy(QuotePolicy policy) {
        boolean never = policy == null || visibility.isRestricted() || kind == Kind.REPOST;
        return never ? this : with(new QuoteTerms(policy, quoteTerms.revoked()));
    }

    /** The same with these terms. */
    public Post with(QuoteTerms other) {
        return new Post(
                authorId,
                visibility,
                kind,
                content,
                replyTo,
                root,
                original,
                conversation,
                application,
                edit,
                recipients,
                other);
    }
}
