package io.fanfare.core.queue;

/**
 * A job that was given up.
 *
 * @param diedAtMillis Unix time
 * @param reason one line, without anything that users wrote
 * @param job its line as it last was, see {@link JobCodec}; anything at all where it did not decode
 */
public record DeadLetter(int shard, long diedAtMillis, String reason, String job) {}
