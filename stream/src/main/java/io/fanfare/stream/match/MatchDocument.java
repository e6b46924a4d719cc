package io.fanfare.stream.match;

import io.fanfare.common.model.Place;
import java.util.List;

/**
 * The properties of a status that filters look at. Its texts are folded when the first keyword needs them, once for all
 * filters. Confined to one event loop.
 */
public final class MatchDocument {
    private final long statusId;
    private final long authorId;
    private final String text;
    private final long repliedTo;
    private final List<Long> mentions;
    private final long addressedTo;
    private final boolean repost;
    private final long originalAuthorId;
    private final String originalText;
    private final String language;
    private final Place place;
    private final long seed;
    private TokenizedText own;
    private TokenizedText all;
    private TokenizedText ownSimplified;
    private TokenizedText allSimplified;

    /**
     * @param repliedTo account that it answers, 0 = none
     * @param mentions accounts that it names
     * @param addressedTo account whose name the text begins with, when it answers nothing; 0 = none
     * @param repost whether it shows another status, with or without words of its own
     * @param originalText of the status shown; empty when there is none or it is gone
     * @param language null = not said
     * @param place null = not said
     * @param seed of hashes: the same as that of the {@link FilterIndex} which it is matched with
     */
    public MatchDocument(
            long statusId,
            long authorId,
            String text,
            long repliedTo,
            List<Long> mentions,
            long addressedTo,
            boolean repost,
            long originalAuthorId,
            String originalText,
            String language,
            Place place,
            long seed) {
        this.statusId = statusId;
        this.authorId = authorId;
        this.text = text;
        this.repliedTo = repliedTo;
        this.mentions = List.copyOf(mentions);
        this.addressedTo = addressedTo;
        this.repost = repost;
        this.originalAuthorId = originalAuthorId;
        this.originalText = originalText;
        this.language = language;
        this.place = place;
        this.seed = seed;
    }

    /** Makes all forms of its texts that a filter can ask for, so that a text that cannot be folded shows. */
    public void makeForms() {
        var unused = List.of(own(false), all(false), own(true), all(true));
    }

    /** How long its texts are. */
    public int length() {
        return text.length() + originalText.length();
    }

    /** The words of its author. */
    TokenizedText own() {
        if (own == null) {
            own = TokenizedText.of(text, "", false, seed);
        }
        return own;
    }

    /** The words of its author and those of the status it shows. */
    TokenizedText all() {
        if (all == null) {
            all = originalText.isEmpty() ? own() : TokenizedText.of(text, originalText, false, seed);
        }
        return all;
    }

    /** {@link #own()}, with traditional Chinese characters as simplified ones if wanted. */
    TokenizedText own(boolean simplified) {
        if (!simplified) {
            return own();
        }
        if (ownSimplified == null) {
            ownSimplified = isSimplified(own()) ? own() : TokenizedText.of(text, "", true, seed);
        }
        return ownSimplified;
    }

    /** {@link #all()}, likewise. */
    TokenizedText all(boolean simplified) {
        if (!simplified) {
            return all();
        }
        if (allSimplified == null) {
            allSimplified = originalText.isEmpty() ? own(true) : simplifiedOfBoth();
        }
        return allSimplified;
    }

    private TokenizedText simplifiedOfBoth() {
        return isSimplified(all()) ? all() : TokenizedText.of(text, originalText, true, seed);
    }

    private static boolean isSimplified(TokenizedText forms) {
        return ChineseFolding.fold(forms.folded()).equals(forms.folded());
    }

    long statusId() {
        return statusId;
    }

    long authorId() {
        return authorId;
    }

    long repliedTo() {
        return repliedTo;
    }

    List<Long> mentions() {
        return mentions;
    }

    long addressedTo() {
        return addressedTo;
    }

    boolean repost() {
        return repost;
    }

    long originalAuthorId() {
        return originalAuthorId;
    }

    String language() {
        return language;
    }

    Place place() {
        return place;
    }
}
