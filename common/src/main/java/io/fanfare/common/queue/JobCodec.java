package io.fanfare.common.queue;

/**
 * The wire form of a job, one line of ASCII: {@code <recoveries> <attempt> <enqueued ms> <type>.<version> <field> ...}, for example
 * {@code 0 0 1795251986000 fan_out.1 281474976710656 281474976714752 0}. Recoveries come first so that a script can count them up; everything after the third space never
 * changes and is the job's identity. No JSON: Lua must handle it without touching 53-bit ids.
 */
public final class JobCodec {
    private JobCodec() {}

    /** Type, version and fields: what scripts append to the envelope. */
    public static String encode(Job job) {
        throw new UnsupportedOperationException();
    }

    /** Never fails: what cannot be decoded is told by {@link ClaimedJob#problem()}. */
    public static ClaimedJob decode(String line) {
        throw new UnsupportedOperationException();
    }
}
