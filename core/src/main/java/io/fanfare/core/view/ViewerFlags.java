package io.fanfare.core.view;

import io.fanfare.common.text.ViewerFilters;
import io.fanfare.common.view.SharedArticle;
import java.util.Set;

/**
 * The viewer's actions on the requested statuses; others may be among them.
 *
 * @param mutedConversations the statuses with which conversations began that the viewer has muted
 * @param filters those of the viewer
 */
public record ViewerFlags(
        Set<Long> favourited,
        Set<Long> reblogged,
        Set<Long> bookmarked,
        Set<Long> pinned,
        Set<Long> mutedConversations,
        ViewerFilters filters) {
    static final ViewerFlags NONE =
            new ViewerFlags(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), ViewerFilters.NONE);

    /** The flags on one of them with which a conversation begins, as {@link SharedArticle#element} takes them. */
    public int of(Long id) {
        return (favourited.contains(id) ? SharedArticle.FAVOURITED : 0)
                + (reblogged.contains(id) ? SharedArticle.REBLOGGED : 0)
                + (bookmarked.contains(id) ? SharedArticle.BOOKMARKED : 0)
                + (pinned.contains(id) ? SharedArticle.PINNED : 0)
                + (mutedConversations.contains(id) ? SharedArticle.MUTED : 0);
    }
}
