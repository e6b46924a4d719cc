package io.fanfare.common.runtime;

import java.util.Optional;

/** What a part shows the operator, beside its metrics. Safe for every thread. */
public interface Inspection {
    /** Of a part that has nothing to show. */
    Inspection NONE = new Inspection() {};

    /** Why the part cannot do its work at the moment, as a sentence; empty while it can. */
    default Optional<String> trouble() {
        return Optional.empty();
    }
}
