package io.fanfare.client.error;

/** The answer breaks the contract: it is too large, not readable, or a redirect. */
public final class ProtocolException extends FanfareException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String sentence) {
        super(sentence, null);
    }
}
