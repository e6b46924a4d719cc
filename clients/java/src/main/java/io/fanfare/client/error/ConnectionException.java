package io.fanfare.client.error;

/** No answer came: the server is away, the connection was lost, or the time limit passed. */
public final class ConnectionException extends FanfareException {
    private static final long serialVersionUID = 1L;

    private final boolean sent;

    /** @param sent whether the server may have received the request */
    public ConnectionException(String sentence, boolean sent, Throwable causeOrNull) {
        super(sentence, causeOrNull);
        this.sent = sent;
    }

    /** Whether the server may have received and carried out the request. */
    public boolean mayHaveArrived() {
        return sent;
    }
}
