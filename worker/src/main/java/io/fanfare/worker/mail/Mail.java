package io.fanfare.worker.mail;

/**
 * A mail as it is sent.
 *
 * @param id the left half of its Message-ID; the same for each attempt
 * @param to the address of its recipient
 * @param subject one line
 * @param text the plain text
 * @param html the same as HTML
 * @param language the tag of its language
 */
record Mail(String id, String to, String subject, String text, String html, String language) {
    /** Its address and its links stay out of logs. */
    @Override
    public String toString() {
        return "Mail[" + id + "]";
    }
}
