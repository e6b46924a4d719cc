package io.fanfare.stream.filter;

/**
 * Wants no event. Clients subscribe to streams of what a server does not have, such as remote statuses, and some end
 * all their streams when one is refused.
 */
public record EmptyFilter() implements StreamFilter {
    @Override
    public boolean wants(StreamEvent event) {
        return false;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public <S> boolean join(SubscriberIndex<S> subscriberIndex, S listener) {
        return true;
    }
}
