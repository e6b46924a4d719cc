package io.fanfare.redis;

/** A command on its way, and who waits for its reply; it may travel more than once before it is answered. */
final class PendingCommand {
    /** Receives the reply to number {@code index} of several commands. Called once per command. */
    interface Waiter {
        void answered(int index, Reply reply);
    }

    private final Waiter waiter;
    private final int index;

    /** No further try is begun after this, by the loop's clock. */
    final long giveUpNanos;

    /** How long one try may wait for its answer. */
    final long timeoutNanos;

    /** Whether it may hold up everything behind it, and so travels on a connection of its own. */
    final boolean blocking;

    Command command;

    /** How often it was sent again. */
    int tries;

    /** Whether an ASKING goes before it. */
    boolean asking;

    /** When it was last sent. */
    long sentNanos;

    /** Its place among all that the link has sent. */
    long number;

    /** Whether its reply is to be kept, where the server tracks keys. */
    boolean keeps;

    PendingCommand(Command command, Waiter waiter, int index, long nowNanos, long timeoutNanos, boolean blocking) {
        this.command = command;
        this.waiter = waiter;
        this.index = index;
        this.giveUpNanos = nowNanos + timeoutNanos;
        this.timeoutNanos = timeoutNanos;
        this.blocking = blocking;
    }

    void answer(Reply reply) {
        waiter.answered(index, reply);
    }

    void fail(RedisError.Kind kind, String message) {
        waiter.answered(index, new Reply.Failure(new RedisError(kind, message)));
    }
}
