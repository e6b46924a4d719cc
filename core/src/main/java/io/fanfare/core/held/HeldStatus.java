package io.fanfare.core.held;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.ScheduledStatus;

/**
 * A post that waits for a moderator.
 *
 * @param status with its id; its time is that for which its author has scheduled it, 0 = at once
 * @param signal by which it waits
 */
public record HeldStatus(long author, ScheduledStatus status, Signal signal) {
    public long id() {
        return status.id();
    }

    /** The start of the wait, Unix ms. */
    public long sinceMillis() {
        return Id.epochMillis(id());
    }

    /** The end of the wait if no moderator decides, Unix ms. */
    public long endsMillis() {
        return sinceMillis() + HeldStatuses.LIFE.toMillis();
    }
}
