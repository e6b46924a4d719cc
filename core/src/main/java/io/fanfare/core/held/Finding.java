package io.fanfare.core.held;

/**
 * A signal that a post has.
 *
 * @param holds whether the post waits for a moderator; else it is published as unlisted
 */
public record Finding(Signal signal, boolean holds) {
    /** The explanation for the author of a post that is published as unlisted. */
    public String limitSentence() {
        return "Published as unlisted: " + signal.reason() + ".";
    }

    /** The explanation for the author of a post that waits. */
    public static String holdSentence(Signal signal) {
        return "Your post waits for a moderator: " + signal.reason()
                + ". You need not send it again: it is published when a moderator approves it.";
    }
}
