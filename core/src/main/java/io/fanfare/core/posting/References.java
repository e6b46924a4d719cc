package io.fanfare.core.posting;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Status;
import java.util.List;

/**
 * The statuses and pictures that a new post refers to, as its author may see them.
 *
 * @param repliedTo the status that it answers; null = no reply
 * @param quoted null = no quote
 * @param subject the status under which a comment stands; null = no comment
 */
record References(Status repliedTo, Status quoted, Status subject, List<Attachment> attachments) {
    static final References NONE = new References(null, null, null, List.of());

    References {
        attachments = List.copyOf(attachments);
    }

    static References quoting(Status quoted) {
        return new References(null, quoted, null, List.of());
    }

    /** The same with pictures. */
    References with(List<Attachment> pictures) {
        return pictures.isEmpty() ? this : new References(repliedTo, quoted, subject, pictures);
    }

    static References comment(Status subject, Status parent) {
        return new References(parent, null, subject, List.of());
    }
}
