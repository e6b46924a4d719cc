package io.fanfare.core.queue;

import io.fanfare.core.queue.ClaimedJob.Problem;

/**
 * The wire form of a job, one line of ASCII: {@code <recoveries> <attempt> <enqueued ms> <type>.<version> <field> ...},
 * for example {@code 0 0 1795251986000 fan_out.1 281474976710656 281474976714752 0}. Recoveries come first so that a
 * script can count them up; everything after the third space never changes and is the job's identity. No JSON: Lua must
 * handle it without touching 53-bit ids.
 *
 * <p>A type whose fields change gets a new version: workers that know only the old one put such jobs off until a newer
 * worker comes.
 */
public final class JobCodec {
    /** The version of all types; scripts that make jobs have it from {@code lua/lib/enqueue.lua}. */
    static final int VERSION = 1;

    /** Largest job line, in bytes. */
    static final int LINE_MAX = 8192;

    /** Before the fields: recoveries, attempt, time, and type with version. */
    private static final int ENVELOPE_WORDS = 4;

    private JobCodec() {}

    /** Type, version and fields: what scripts append to the envelope. */
    public static String encode(Job job) {
        return prefix(job.type()) + job.fields();
    }

    /** The text before the fields, for a script that completes them: {@code like.1} and a space. */
    public static String prefix(JobType type) {
        return type.wire() + '.' + VERSION + ' ';
    }

    /** Never fails: {@link ClaimedJob#problem()} says why a line cannot be decoded. */
    public static ClaimedJob decode(String line) {
        String[] words = line.length() > LINE_MAX ? new String[0] : line.split(" ", -1);
        if (words.length < ENVELOPE_WORDS) {
            return new ClaimedJob(line, 0, 0, 0, null, Problem.MALFORMED);
        }
        long recoveries = JobFields.number(words[0]);
        long attempt = JobFields.number(words[1]);
        long enqueued = JobFields.number(words[2]);
        int dot = words[3].indexOf('.');
        if (recoveries < 0
                || recoveries > 1_000_000
                || attempt < 0
                || attempt > 1_000_000
                || enqueued < 0
                || dot < 1
                || JobFields.number(words[3].substring(dot + 1)) < 0) {
            return new ClaimedJob(line, 0, 0, 0, null, Problem.MALFORMED);
        }
        JobType type = JobType.of(words[3].substring(0, dot));
        if (type == null || JobFields.number(words[3].substring(dot + 1)) != VERSION) {
            return new ClaimedJob(line, (int) recoveries, (int) attempt, enqueued, null, Problem.UNKNOWN_TYPE);
        }
        try {
            Job job = type.read(new JobFields(words, ENVELOPE_WORDS));
            return new ClaimedJob(line, (int) recoveries, (int) attempt, enqueued, job, null);
        } catch (JobFields.Malformed malformed) {
            return new ClaimedJob(line, (int) recoveries, (int) attempt, enqueued, null, Problem.MALFORMED);
        }
    }
}
