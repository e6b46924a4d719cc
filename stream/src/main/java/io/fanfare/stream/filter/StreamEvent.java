package io.fanfare.stream.filter;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.stream.match.MatchDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * An event of the log as filters look at it: what they need of it is read when the first of them asks, once for all.
 * Confined to one event loop.
 */
public final class StreamEvent {
    /** The fields of an event that has none: a delete whose status had left the log. */
    private static final MatchFields UNKNOWN =
            new MatchFields(Post.Kind.POST, List.of(), "", 0, "", 0, 0, List.of(), List.of(), null, null);

    private final LoggedEvent logged;
    private final Documents documents;
    private List<MatchFields> versions;
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

    /** Whether it is of a direct message: only accounts of {@link #isDirectFor} receive it. */
    public boolean isDirect() {
        return event().visibility() == Visibility.DIRECT;
    }

    /** The recipients of a direct message, without its author. */
    public List<Long> directRecipients() {
        return isDirect() ? matchFields().mentions() : List.of();
    }

    /**
     * Whether it is of a direct message that was for this account, by its author or a recipient. Of direct messages
     * only their deletes are sent like this.
     */
    public boolean isDirectFor(long account) {
        return isDirect()
                && kind() == Event.Kind.DELETE
                && (event().actor() == account || directRecipients().contains(account));
    }

    /** A status, or that it was edited or deleted. */
    public boolean isOfStatus() {
        return event().status() != 0;
    }

    /** The known fields of the status; of one deleted long ago only its author, which is the event's actor. */
    public MatchFields matchFields() {
        return versions().get(0);
    }

    /** The same, and of a delete behind it what the status was after its edits. */
    public List<MatchFields> versions() {
        if (versions == null) {
            versions = event().match().isEmpty()
                    ? List.of(UNKNOWN)
                    : kind() == Event.Kind.DELETE
                            ? MatchFields.versions(event().match())
                            : List.of(MatchFields.decode(event().match()));
        }
        return versions;
    }

    /** The same for keywords, authors and places. */
    public MatchDocument document() {
        if (document == null) {
            document = document(matchFields(), matchFields().originalText());
            documents.keep(this);
        }
        return document;
    }

    /**
     * Whether all fields for filters can be read. For a filter that has failed on the event: the event may be the
     * cause, or the filter.
     */
    public boolean isReadable() {
        try {
            if (isOfStatus()) {
                document().makeForms();
                otherDocuments().forEach(MatchDocument::makeForms);
            }
            return true;
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    /** Drops the document; the next access makes it again. */
    void forgetDocument() {
        document = null;
    }

    /**
     * Other versions of a deleted status that clients may have received: the status after its edits, and each version
     * without the words of another status that it showed, if that was deleted before. Empty for other events.
     */
    public List<MatchDocument> otherDocuments() {
        if (kind() != Event.Kind.DELETE) {
            return List.of();
        }
        List<MatchDocument> others = new ArrayList<>();
        for (int i = 0; i < versions().size(); i++) {
            MatchFields version = versions().get(i);
            if (i > 0) {
                others.add(document(version, version.originalText()));
            }
            if (!version.originalText().isEmpty()) {
                others.add(document(version, ""));
            }
        }
        return others;
    }

    private MatchDocument document(MatchFields about, String originalText) {
        return new MatchDocument(
                event().status(),
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
