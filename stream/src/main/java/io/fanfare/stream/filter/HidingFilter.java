package io.fanfare.stream.filter;

/** The events of a filter, without those that the viewer's shield hides. */
public record HidingFilter(StreamFilter filter, HiddenAccounts hiddenAccounts) implements DelegatingFilter {
    @Override
    public boolean wants(StreamEvent event) {
        // The filter is called in any case: it may learn from the event.
        return filter.wants(event) && hiddenAccounts.lets(event);
    }

    @Override
    public boolean confirms(StreamEvent event) {
        return filter.confirms(event) && hiddenAccounts.lets(event);
    }

    /** A viewer who hides nobody shares the frames that are made for everybody. */
    @Override
    public StreamFilter plain() {
        return hiddenAccounts.hides() ? this : filter;
    }

    @Override
    public StreamFilter stateless() {
        return new HidingFilter(filter.stateless(), hiddenAccounts);
    }

    @Override
    public boolean isReady() {
        return hiddenAccounts.isKnown() && filter.isReady();
    }

    @Override
    public void whenReady(Runnable then) {
        hiddenAccounts.whenKnown(() -> filter.whenReady(then));
    }

    @Override
    public StreamFilter changedTo(StreamFilter other) {
        return new HidingFilter(other, hiddenAccounts);
    }
}
