package io.fanfare.common.queue;

import io.fanfare.common.id.Id;
import io.fanfare.common.queue.ClaimedJob.Problem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
    /** Of all types; scripts that make jobs have it from {@code lua/lib/enqueue.lua}. */
    static final int VERSION = 1;

    /** Largest job line, in bytes. */
    static final int LINE_MAX = 8192;

    private JobCodec() {}

    /** Type, version and fields: what scripts append to the envelope. */
    public static String encode(Job job) {
        return prefix(job.type())
                + switch (job.type()) {
                    case FAN_OUT -> {
                        Job.FanOut fanOut = (Job.FanOut) job;
                        yield fields(fanOut.author(), fanOut.status(), fanOut.cursor());
                    }
                    case ANNOUNCE -> {
                        Job.Announce announce = (Job.Announce) job;
                        yield fields(announce.author(), announce.status(), 0);
                    }
                    case CATCH_UP -> {
                        Job.CatchUp catchUp = (Job.CatchUp) job;
                        yield fields(catchUp.author(), catchUp.from(), catchUp.to()) + ' ' + catchUp.cursor();
                    }
                    case DELIVER -> {
                        Job.Deliver deliver = (Job.Deliver) job;
                        yield fields(deliver.author(), deliver.status(), deliver.cursor())
                                + ' '
                                + deliver.last()
                                + ' '
                                + shards(deliver.shards());
                    }
                    case RETRACT -> {
                        Job.Retract retract = (Job.Retract) job;
                        yield fields(retract.author(), retract.status(), retract.cursor());
                    }
                    case LIKE,
                            UNLIKE,
                            LINK,
                            UNLINK,
                            BLOCK,
                            UNBLOCK,
                            MUTE,
                            UNMUTE,
                            TERMS,
                            REQUEST,
                            UNREQUEST,
                            REQUESTS,
                            QUOTE_TERMS,
                            DELETE_ACCOUNT -> {
                        Job.Repair repair = (Job.Repair) job;
                        yield fields(repair.actor(), repair.object(), repair.edge());
                    }
                    case EDIT -> {
                        Job.Edit edit = (Job.Edit) job;
                        yield fields(edit.author(), edit.status(), edit.edit()) + ' ' + edit.cursor();
                    }
                    case PUBLISH -> {
                        Job.Publish publish = (Job.Publish) job;
                        yield fields(publish.author(), publish.scheduled(), publish.due());
                    }
                    case END_POLL -> {
                        Job.EndPoll ended = (Job.EndPoll) job;
                        yield fields(ended.author(), ended.status(), ended.cursor());
                    }
                    case PUSH -> {
                        Job.Push push = (Job.Push) job;
                        yield fields(push.account(), push.notification(), push.subscription());
                    }
                    case PICTURE -> {
                        Job.Picture picture = (Job.Picture) job;
                        yield fields(picture.uploader(), picture.upload(), 0);
                    }
                    case CHANGES -> {
                        Job.Changes some = (Job.Changes) job;
                        yield some.actor() + " " + changes(some.changes());
                    }
                };
    }

    /** What comes before the fields, for a script that completes them: {@code like.1} and a space. */
    public static String prefix(JobType type) {
        return type.wire() + '.' + VERSION + ' ';
    }

    /** Never fails: what cannot be decoded is told by {@link ClaimedJob#problem()}. */
    public static ClaimedJob decode(String line) {
        String[] words = line.length() > LINE_MAX ? new String[0] : line.split(" ", -1);
        if (words.length < 4) {
            return new ClaimedJob(line, 0, 0, 0, null, Problem.MALFORMED);
        }
        long recoveries = number(words[0]);
        long attempt = number(words[1]);
        long enqueued = number(words[2]);
        int dot = words[3].indexOf('.');
        if (recoveries < 0
                || recoveries > 1_000_000
                || attempt < 0
                || attempt > 1_000_000
                || enqueued < 0
                || dot < 1
                || number(words[3].substring(dot + 1)) < 0) {
            return new ClaimedJob(line, 0, 0, 0, null, Problem.MALFORMED);
        }
        JobType type = JobType.of(words[3].substring(0, dot));
        if (type == null || number(words[3].substring(dot + 1)) != VERSION) {
            return new ClaimedJob(line, (int) recoveries, (int) attempt, enqueued, null, Problem.UNKNOWN_TYPE);
        }
        Job job = type == JobType.CHANGES ? changes(words) : job(type, words);
        return new ClaimedJob(
                line, (int) recoveries, (int) attempt, enqueued, job, job == null ? Problem.MALFORMED : null);
    }

    /** Each as {@code link:<object>:<edge>}, with spaces between them. */
    private static String changes(List<Job.Repair> changes) {
        return changes.stream()
                .map(change -> change.type().wire() + ':' + change.object() + ':' + change.edge())
                .collect(Collectors.joining(" "));
    }

    /** Null when these are none. */
    private static Job changes(String[] words) {
        long actor = words.length < 6 || words.length > 5 + Job.Changes.MAX ? -1 : Id.parse(words[4]);
        if (actor < 0) {
            return null;
        }
        List<Job.Repair> changes = new ArrayList<>();
        for (int i = 5; i < words.length; i++) {
            String[] parts = words[i].split(":", -1);
            JobType type = parts.length == 3 ? JobType.of(parts[0]) : null;
            if (type == null || !Job.Changes.isOne(type)) {
                return null;
            }
            long object = Id.parse(parts[1]);
            long edge = number(parts[2]);
            if (object < 0 || edge < 0) {
                return null;
            }
            changes.add(new Job.Repair(type, actor, object, edge));
        }
        return new Job.Changes(actor, changes);
    }

    /** All others begin with three ids, and most have no more; null when these are not. */
    private static Job job(JobType type, String[] words) {
        int more =
                switch (type) {
                    case DELIVER -> 2;
                    case CATCH_UP, EDIT -> 1;
                    default -> 0;
                };
        if (words.length != 7 + more) {
            return null;
        }
        long first = Id.parse(words[4]);
        long second = Id.parse(words[5]);
        long third = number(words[6]);
        if (first < 0 || second < 0 || third < 0) {
            return null;
        }
        return switch (type) {
            case FAN_OUT -> new Job.FanOut(first, second, third);
            case ANNOUNCE -> third == 0 ? new Job.Announce(first, second) : null;
            case CATCH_UP -> catchUp(first, second, third, number(words[7]));
            case DELIVER -> deliver(first, second, third, number(words[7]), shards(words[8]));
            case RETRACT -> new Job.Retract(first, second, third);
            case LIKE,
                    UNLIKE,
                    LINK,
                    UNLINK,
                    BLOCK,
                    UNBLOCK,
                    MUTE,
                    UNMUTE,
                    TERMS,
                    REQUEST,
                    UNREQUEST,
                    REQUESTS,
                    QUOTE_TERMS,
                    DELETE_ACCOUNT -> new Job.Repair(type, first, second, third);
            case EDIT -> edit(first, second, third, number(words[7]));
            case PUBLISH -> new Job.Publish(first, second, third);
            case END_POLL -> new Job.EndPoll(first, second, third);
            case PUSH -> new Job.Push(first, second, third);
            case PICTURE -> third == 0 ? new Job.Picture(first, second) : null;
            case CHANGES -> null;
        };
    }

    private static Job catchUp(long author, long from, long to, long cursor) {
        return from > to || cursor < 0 ? null : new Job.CatchUp(author, from, to, cursor);
    }

    private static Job edit(long author, long status, long edit, long cursor) {
        return cursor < 0 ? null : new Job.Edit(author, status, edit, cursor);
    }

    private static Job deliver(long author, long status, long cursor, long last, Set<Integer> shardsOrNull) {
        return last < cursor || shardsOrNull == null
                ? null
                : new Job.Deliver(author, status, cursor, last, shardsOrNull);
    }

    /** Ascending, with commas between them; '-' when there are none. */
    private static String shards(Set<Integer> shards) {
        return shards.isEmpty()
                ? "-"
                : shards.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Null when this is no set of shards. */
    private static Set<Integer> shards(String word) {
        Set<Integer> shards = new LinkedHashSet<>();
        for (String part : word.equals("-") ? new String[0] : word.split(",", -1)) {
            long shard = number(part);
            if (shard < 0 || shard >= Id.SHARDS_MAX) {
                return null;
            }
            shards.add((int) shard);
        }
        return shards;
    }

    private static String fields(long first, long second, long third) {
        return first + " " + second + " " + third;
    }

    /** A decimal number from 0 to 2^53 - 1; -1 when it is none. */
    private static long number(String digits) {
        return digits.equals("0") ? 0 : Id.parse(digits);
    }
}
