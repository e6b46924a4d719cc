package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.stream.match.FilterIndex;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.MatchDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds the listeners that want an event, in time proportional to their number and not to that of all listeners: by
 * keywords and places, by author, by hashtag, by the account it is about. It finds candidates;
 * {@link StreamFilter#confirms} decides about each. Confined to one event loop.
 *
 * @param <S> the listener
 */
public final class SubscriberIndex<S> {
    private final FilterIndex<S> filters;
    private final Map<Long, List<S>> byAuthor = new HashMap<>();
    private final Map<Long, List<S>> byAccount = new HashMap<>();
    private final Map<String, List<S>> byTag = new HashMap<>();

    /** @param documents of the events that it will receive */
    public SubscriberIndex(Documents documents) {
        filters = new FilterIndex<>(documents.seed());
    }

    void addFilter(FilterSpec spec, S listener) {
        filters.add(spec, listener);
    }

    void removeFilter(FilterSpec spec, S listener) {
        filters.remove(spec, listener);
    }

    /** Statuses of this account and their edits and deletes. */
    void addAuthor(long account, S listener) {
        add(byAuthor, account, listener);
    }

    void removeAuthor(long account, S listener) {
        remove(byAuthor, account, listener);
    }

    /** Everything else that is about this account: who it follows, what it is notified of. */
    void about(long account, S listener) {
        add(byAccount, account, listener);
    }

    void notAbout(long account, S listener) {
        remove(byAccount, account, listener);
    }

    void addTag(String tag, S listener) {
        add(byTag, tag, listener);
    }

    void removeTag(String tag, S listener) {
        remove(byTag, tag, listener);
    }

    /** Names everybody who may want the event; somebody perhaps twice. */
    public void receive(StreamEvent event, Consumer<S> candidate) {
        switch (event.kind()) {
            case STATUS, EDIT, DELETE -> status(event, candidate);
            case FOLLOW, UNFOLLOW -> edge(event.event(), candidate);
            case TERMS, UNMUTE -> about(event.event().actor(), candidate);
            default -> {
                if (event.kind().isForTarget()) {
                    about(event.event().target(), candidate);
                }
            }
        }
    }

    private void status(StreamEvent event, Consumer<S> candidate) {
        if (event.isDirect()) {
            about(event.event().actor(), candidate);
            event.directRecipients().forEach(account -> about(account, candidate));
            return;
        }
        // A listener that joins or leaves while it is called must not disturb the others.
        List.copyOf(byAuthor.getOrDefault(event.event().actor(), List.of())).forEach(candidate);
        if (!event.isPublic()) {
            return;
        }
        if (filters.size() > 0) {
            filters.match(event.document(), candidate);
            for (MatchDocument other : event.otherDocuments()) {
                filters.match(other, candidate);
            }
        }
        if (!byTag.isEmpty()) {
            for (MatchFields version : event.versions()) {
                version.tags().forEach(tag -> List.copyOf(byTag.getOrDefault(tag, List.of()))
                        .forEach(candidate));
            }
        }
    }

    private void edge(Event event, Consumer<S> candidate) {
        if (filters.size() > 0) {
            filters.matchEdge(event.actor(), event.target(), candidate);
        }
        about(event.actor(), candidate);
        about(event.target(), candidate);
    }

    private void about(long account, Consumer<S> candidate) {
        List.copyOf(byAccount.getOrDefault(account, List.of())).forEach(candidate);
    }

    private static <K, S> void add(Map<K, List<S>> index, K key, S listener) {
        index.computeIfAbsent(key, absent -> new ArrayList<>(1)).add(listener);
    }

    private static <K, S> void remove(Map<K, List<S>> index, K key, S listener) {
        List<S> listeners = index.get(key);
        if (listeners != null && listeners.remove(listener) && listeners.isEmpty()) {
            index.remove(key);
        }
    }
}
