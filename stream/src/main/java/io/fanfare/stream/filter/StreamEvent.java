package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.stream.match.MatchDocument;
import java.util.List;

/**
 * An event of the log as filters look at it: what they need of it is read when the first of them asks, once for all.
 * Confined to one event loop.
 */
public final class StreamEvent {
    /** Of an event that says nothing: a delete whose status had left the log. */
    private static final MatchFields UNKNOWN =
            new MatchFields(Post.Kind.POST, List.of(), "", 0, "", 0, 0, List.of(), List.of(), null, null);

    private final LoggedEvent logged;
    private final Documents documents;
    private MatchFields matchFields;
    private MatchDocument document;

    /** @param documents of the same event loop */
    public StreamEvent(LoggedEvent logged, Documents documents) {
        this.logged = logged;
        this.documents = documents;
    }

    public LoggedEvent logged() {
        return logged;
    }

    public Event event() {
        return logged.event();
    }

    public Event.Kind kind() {
        return event().kind();
    }

    public boolean isPublic() {
        return event().visibility() == Visibility.PUBLIC;
    }

    /** A status, or that it was deleted. */
    public boolean isOfStatus() {
        return kind() == Event.Kind.STATUS || kind() == Event.Kind.DELETE;
    }

    /** What is known of the status; of one deleted long ago nothing but its author, which is the event's actor. */
    public MatchFields matchFields() {
        if (matchFields == null) {
            matchFields = event().match().isEmpty() ? UNKNOWN : MatchFields.decode(event().match());
        }
        return matchFields;
    }

    /** The same for keywords, authors and places. */
    public MatchDocument document() {
        if (document == null) {
            document = document(matchFields().originalText());
            documents.keep(this);
        }
        return document;
    }

    /**
     * Whether all that filters look at can be read. To be asked when a filter has failed on the event: the event may be
     * the cause, or the filter.
     */
    public boolean isReadable() {
        try {
            if (isOfStatus()) {
                document().makeForms();
                MatchDocument lesser = redactedDocument();
                if (lesser != null) {
                    lesser.makeForms();
                }
            }
            return true;
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    /** The next who asks has it made anew. */
    void forgetDocument() {
        document = null;
    }

    /**
     * Of a delete the same without the words that the status showed: it was told like that to some, if those were
     * deleted before. Null = it showed none.
     */
    public MatchDocument redactedDocument() {
        boolean showed =
                kind() == Event.Kind.DELETE && !matchFields().originalText().isEmpty();
        return showed ? document("") : null;
    }

    private MatchDocument document(String originalText) {
        MatchFields about = matchFields();
        return new MatchDocument(
                event().subject(),
                event().actor(),
                about.text(),
                about.repliedTo(),
                about.mentions(),
                about.addressedTo(),
                about.originalAuthorId() != 0,
                about.originalAuthorId(),
                originalText,
                about.language(),
                about.place(),
                documents.seed());
    }

    /**
     * A status in its own right: neither under another one nor an answer to somebody else nor a repost without words.
     */
    public boolean isPlainPost() {
        MatchFields about = matchFields();
        return about.kind() == Post.Kind.POST && (about.repliedTo() == 0 || about.repliedTo() == event().actor());
    }
}
