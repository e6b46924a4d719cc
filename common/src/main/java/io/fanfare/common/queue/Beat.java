package io.fanfare.common.queue;

import java.util.List;

/** What a beat found out. A batch in neither list could not be asked about: its lease may still be there. */
public record Beat(List<Batch> renewed, List<Batch> gone) {
    public Beat {
        renewed = List.copyOf(renewed);
        gone = List.copyOf(gone);
    }
}
