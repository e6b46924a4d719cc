package io.fanfare.core.queue;

import java.util.List;

/** The result of a lease renewal. A batch in neither list could not be checked: its lease may still be there. */
public record LeaseRenewal(List<Batch> renewed, List<Batch> gone) {
    public LeaseRenewal {
        renewed = List.copyOf(renewed);
        gone = List.copyOf(gone);
    }
}
