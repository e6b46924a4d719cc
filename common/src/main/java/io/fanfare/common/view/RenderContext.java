package io.fanfare.common.view;

import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The data with which statuses are rendered for one viewer, as it was read at that moment.
 *
 * @param viewer the reader; 0 = nobody in particular, for whom no flags are shown
 * @param accounts authors of the statuses, and of the statuses that these repost and quote, by id; a status whose
 *     author is missing cannot be shown
 * @param originals living statuses that are reposted or quoted, by id
 * @param hidden living originals that are not simply shown to the viewer, and how they are shown
 * @param favourited statuses that the viewer likes; {@code reblogged} and {@code bookmarked} likewise
 * @param mutedConversations first statuses of the conversations that the viewer has muted
 * @param pinned the viewer's own statuses that the viewer has pinned
 * @param filtered matches of the viewer's filters, by status id; a status without an entry has none
 * @param quotable statuses of others that only followers may quote, and that the viewer may quote
 * @param standings states of the articles among all of these, by id; an article without an entry is as it was published
 * @param polls states of the polls among all of these, by status id; a poll without an entry is as it was published
 */
public record RenderContext(
        long viewer,
        Map<Long, Account> accounts,
        Map<Long, Status> originals,
        Map<Long, Showing> hidden,
        Set<Long> favourited,
        Set<Long> reblogged,
        Set<Long> bookmarked,
        Set<Long> pinned,
        Set<Long> mutedConversations,
        Map<Long, List<FilterMatch>> filtered,
        Set<Long> quotable,
        Map<Long, Standing> standings,
        Map<Long, Poll.Standing> polls) {

    /** A context of statuses without articles and polls. */
    public RenderContext(
            long viewer,
            Map<Long, Account> accounts,
            Map<Long, Status> originals,
            Map<Long, Showing> hidden,
            Set<Long> favourited,
            Set<Long> reblogged,
            Set<Long> bookmarked) {
        this(
                viewer,
                accounts,
                originals,
                hidden,
                favourited,
                reblogged,
                bookmarked,
                Set.of(),
                Set.of(),
                Map.of(),
                Set.of(),
                Map.of(),
                Map.of());
    }

    /** How a viewer may see an original: the state of the entity Quote. */
    public enum Showing {
        FREE("accepted"),
        GONE("deleted"),
        /** Its author has taken it out of the quote. */
        REVOKED("revoked"),
        /** The viewer is none of those for whom it is. */
        FORBIDDEN("unauthorized"),
        /** The viewer blocks its author: clients show it when asked to. */
        BLOCKED("blocked_account"),
        /** The viewer mutes its author: clients show it when asked to. */
        MUTED("muted_account");

        private final String wire;

        Showing(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }

        /** Whether the original is handed out, be it for showing on demand. */
        boolean shows() {
            return this != GONE && this != FORBIDDEN && this != REVOKED;
        }
    }

    /** A context of statuses by one author that repost and quote nothing. */
    public static RenderContext of(Account author) {
        return new RenderContext(0, Map.of(author.id(), author), Map.of(), Map.of(), Set.of(), Set.of(), Set.of());
    }

    /** The same for somebody who has done nothing with any of it. */
    public RenderContext seenBy(long other) {
        return new RenderContext(
                other, accounts, originals, hidden, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(),
                Set.of(), standings, polls);
    }

    /** The same with one more account, whoever may see it. */
    public RenderContext with(Account account) {
        Map<Long, Account> known = new HashMap<>(accounts);
        known.put(account.id(), account);
        return with(known, standings, polls);
    }

    /** The same with how an article stands, which is the only one. */
    RenderContext with(long article, Standing standing) {
        return with(accounts, Map.of(article, standing), polls);
    }

    /** The same with how a poll stands, which is the only one. */
    public RenderContext with(long status, Poll.Standing standing) {
        return with(accounts, standings, Map.of(status, standing));
    }

    private RenderContext with(Map<Long, Account> known, Map<Long, Standing> articles, Map<Long, Poll.Standing> votes) {
        return new RenderContext(
                viewer,
                known,
                originals,
                hidden,
                favourited,
                reblogged,
                bookmarked,
                pinned,
                mutedConversations,
                filtered,
                quotable,
                articles,
                votes);
    }

    /**
     * The same without anybody looking: whom the viewer blocks or mutes is nobody else's business. Of what is not for
     * everybody it shows what all see who see the status.
     *
     * @param status which is shown
     */
    public RenderContext neutral(Status status) {
        if (originals.isEmpty() && standings.isEmpty() && polls.isEmpty()) {
            return new RenderContext(0, accounts, originals, Map.of(), Set.of(), Set.of(), Set.of());
        }
        Map<Long, Showing> forbidden = originals.values().stream()
                .filter(original -> original.visibility().isRestricted() && !isForTheSame(original, status))
                .collect(Collectors.toUnmodifiableMap(Status::id, original -> Showing.FORBIDDEN));
        Map<Long, Standing> neutral = new HashMap<>();
        standings.forEach((id, standing) -> neutral.put(id, standing.neutral()));
        Map<Long, Poll.Standing> neutralPolls = new HashMap<>();
        polls.forEach((id, standing) -> neutralPolls.put(id, standing.neutral()));
        return new RenderContext(
                0,
                accounts,
                originals,
                forbidden,
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                Map.of(),
                Set.of(),
                neutral,
                neutralPolls);
    }

    /** Whether both are for the followers of one author, who has written both. */
    private static boolean isForTheSame(Status original, Status status) {
        return original.authorId() == status.authorId()
                && original.visibility() == Visibility.PRIVATE
                && original.kind() == Post.Kind.POST
                && status.visibility() == Visibility.PRIVATE;
    }

    /** How the poll of a status stands. */
    Poll.Standing poll(Status asking) {
        Poll.Standing known = polls.get(asking.id());
        return known == null ? asking.post().content().poll().first() : known;
    }

    /** How an article stands. One that is not ranked yet has the vote of its author, who has published it just now. */
    Standing standing(Status article) {
        Standing known = standings.get(article.id());
        Optional<Boolean> voted = viewer == 0 ? Optional.empty() : Optional.of(viewer == article.authorId());
        return known == null ? article.post().content().article().first(voted) : known;
    }

    /**
     * Whether this can be shown: its author is known, and so is the author of what it passes on. A quote has words of
     * its own, and is shown without what it quotes.
     */
    public boolean covers(Status status) {
        return accounts.containsKey(status.authorId())
                && (status.kind() != Post.Kind.REPOST || knowsOriginal(status.post()));
    }

    /** Whether the author of what this reposts or quotes is known, if it does so. */
    boolean knowsOriginal(Post post) {
        return post.shown() == null || accounts.containsKey(post.shown().accountId());
    }

    /**
     * The living statuses that a status is shown with: what it reposts or quotes, and behind it what that quotes in
     * turn, as deep as it is said what has become of that. Not what the viewer must not see.
     */
    public List<Status> inside(Status status) {
        int deepest = status.kind() == Post.Kind.REPOST ? 3 : 2;
        List<Status> inside = new ArrayList<>();
        for (Status next = original(status); next != null && inside.size() < deepest; next = original(next)) {
            inside.add(next);
        }
        return inside;
    }

    private Status original(Status status) {
        Reference reference = status.post().shown();
        return reference == null || hidden.get(reference.statusId()) == Showing.FORBIDDEN
                ? null
                : originals.get(reference.statusId());
    }

    /** How the viewer may see what a status passes on or quotes. */
    Showing showing(Post post) {
        if (post.shown() == null) {
            return Showing.REVOKED;
        }
        long original = post.original().statusId();
        Status living = originals.get(original);
        return living == null || !accounts.containsKey(living.authorId())
                ? Showing.GONE
                : hidden.getOrDefault(original, Showing.FREE);
    }

    /**
     * The result of a quote of this status by the viewer, in the words of the entity QuoteApproval. It is unknown for
     * nobody in particular if only followers may quote.
     */
    String quoteApproval(Status status) {
        if (status.visibility() == Visibility.DIRECT) {
            return "denied";
        }
        if (status.authorId() == viewer) {
            return "automatic";
        }
        if (status.visibility() == Visibility.PRIVATE) {
            return "denied";
        }
        return switch (status.post().quoteTerms().policy()) {
            case PUBLIC -> "automatic";
            case FOLLOWERS -> viewer == 0 ? "unknown" : quotable.contains(status.id()) ? "automatic" : "denied";
            case NOBODY -> "denied";
        };
    }
}
