package io.fanfare.stream.filter;

/** The public timeline: public statuses that answer nobody else, and their edits and deletes. */
public record PublicTimeline() implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return event.isOfStatus() && event.isPublic() && event.isPlainPost();
    }

    @Override
    public boolean shared() {
        return true;
    }
}
