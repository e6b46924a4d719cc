package io.fanfare.common.model;

/** Another status, with its author: that is known even when the status is gone. */
public record Reference(long statusId, long accountId) {
    public static Reference to(Status status) {
        return new Reference(status.id(), status.authorId());
    }
}
