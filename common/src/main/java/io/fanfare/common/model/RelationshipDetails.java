package io.fanfare.common.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A viewer's relationships to some accounts, with the parts that only the viewer sees: the entity Relationship.
 *
 * @param notifying followees whose posts notify the viewer
 * @param endorsed followees whom the viewer recommends
 * @param requested accounts that the viewer has requested to follow
 * @param requestedBy accounts that have requested to follow the viewer
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
