package io.fanfare.common.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a viewer stands to some accounts, with what only the viewer is told of it: the entity Relationship.
 *
 * @param notifying of whose posts the viewer is told; a part of whom the viewer follows
 * @param endorsed whom the viewer recommends; a part of whom the viewer follows
 * @param requested whom the viewer asks to be let follow
 * @param requestedBy who asks to follow the viewer
 * @param notes what the viewer has noted about them; only of those with a note
 * @param languages in which the viewer wants their posts; only of those of whom it does not want all
 */
public record RelationshipDetails(
        ViewerRelationships relationships,
        Set<Long> notifying,
        Set<Long> endorsed,
        Set<Long> requested,
        Set<Long> requestedBy,
        Map<Long, String> notes,
        Map<Long, List<String>> languages) {
    /** Empty when there is none. */
    public String note(long account) {
        return notes.getOrDefault(account, "");
    }
}
