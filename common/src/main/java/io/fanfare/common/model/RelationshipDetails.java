package io.fanfare.common.model;

import java.util.Map;

/**
 * How a viewer stands to some accounts, with what only the viewer is told of it: the entity Relationship.
 *
 * @param notes what the viewer has noted about them; only of those with a note
 */
public record RelationshipDetails(ViewerRelationships relationships, Map<Long, String> notes) {
    /** Empty when there is none. */
    public String note(long account) {
        return notes.getOrDefault(account, "");
    }
}
