package io.fanfare.stream.wire;

/** Why the server ends a stream; the codes are those of Twitter's streaming API. */
public enum Disconnect {
    SHUTDOWN(1, "shutdown", "The server is going down: reconnect with your cursor."),
    CONTROL_REQUEST(3, "control request", "An operator of the server has closed this stream: reconnect later."),
    STALL(4, "stall", "The stream was read too slowly: read faster, or ask for less."),
    TOKEN_REVOKED(6, "token revoked", "The access token was revoked or has expired: log in again."),
    ADMIN_LOGOUT(
            7,
            "admin logout",
            "A newer stream has replaced this one, the oldest: its token or user has as many streams as the server allows. Close streams that you no longer read, or log in once for each program."),
    MESSAGE_LIMIT(9, "max message limit", "Everything that was requested has been sent."),
    STREAM_EXCEPTION(10, "stream exception", "The server failed on this stream: reconnect with your cursor."),
    SHED_LOAD(12, "shed load", "The server cannot serve this stream at the moment: reconnect later."),
    /** Sent instead of opening a stream, to no client that has one. */
    TOO_MANY(
            12,
            "shed load",
            "Too many streams are open, or are being opened, from your address or by this user: close one, and reconnect later.");

    private final int code;
    private final String reason;
    private final String hint;

    Disconnect(int code, String reason, String hint) {
        this.code = code;
        this.reason = reason;
        this.hint = hint;
    }

    public int code() {
        return code;
    }

    /** One or two words. */
    public String reason() {
        return reason;
    }

    /** The advice to the client. */
    String hint() {
        return hint;
    }

    /** Whether clients may come back in great numbers at once: then they get a longer time. */
    public boolean crowded() {
        return code == SHED_LOAD.code;
    }
}
