package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.model.Visibility;

/** Everything that is public: statuses and their deletes, follows and unfollows. Immutable. */
public final class Firehose implements StreamFilter {
    public static final Firehose INSTANCE = new Firehose();

    private Firehose() {}

    @Override
    public boolean wants(Event event) {
        return event.visibility() == Visibility.PUBLIC;
    }

    @Override
    public boolean shared() {
        return true;
    }
}
