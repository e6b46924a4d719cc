package io.fanfare.api.feature;

import io.fanfare.server.runtime.Component;
import java.util.List;

/** A feature with parts that all event loops of a process share. */
public interface ProcessFeature {
    /** Verticles that run beside those of the API; none where the settings switch them off. */
    List<Component> components();

    /** The feature on one event loop. */
    ApiFeature on(ApiLoop loop);
}
