package io.fanfare.core.posting;

import io.fanfare.common.model.Content;
import java.util.List;

/** A text names accounts that its request does not allow. Travels as a failed Future; carries no stack trace. */
public final class UnexpectedMentions extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Content.Mention> mentions;

    UnexpectedMentions(List<Content.Mention> mentions) {
        super("unexpected mentions", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.mentions = List.copyOf(mentions);
    }

    /** The accounts, in the order of the text. */
    public List<Content.Mention> mentions() {
        return mentions;
    }
}
