package io.fanfare.core.poll;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Owns {@code poll-votes} keys: who has voted how in the polls of statuses. They stay in Redis when the status is
 * archived, and go with it. What is asked is a part of the status.
 */
public final class Polls {
    /** Accounts that can vote in one poll. */
    public static final int VOTERS_MAX = 100_000;

    private static final Script VOTE = Script.load("poll_vote");

    private final Redis redis;
    private final InstantSource clock;

    public Polls(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * Counts votes, in one step. Fails with {@code Refusal(INVALID)}, in Mastodon's words, for the author of the poll,
     * for an option that there is not, for one that the voter has chosen before or may not choose besides another, and
     * when the voting is over; with {@code Refusal(NOT_FOUND)} when the status is deleted.
     *
     * @param choices numbers of options, from 0 on
     */
    public Future<Void> vote(Status status, long voter, List<Integer> choices) {
        Poll poll = status.post().content().poll();
        if (status.authorId() == voter) {
            return invalid("You cannot vote in your own polls");
        }
        if (clock.millis() >= poll.endsMillis()) {
            return invalid("The poll has already ended");
        }
        if (choices.isEmpty()
                || choices.stream()
                        .anyMatch(
                                choice -> choice < 0 || choice >= poll.options().size())) {
            return invalid("The chosen vote option does not exist");
        }
        List<Object> args = new ArrayList<>(List.of("", voter, poll.endsMillis(), poll.multiple() ? 1 : 0, VOTERS_MAX));
        choices.stream().distinct().forEach(args::add);
        return redis.send(VOTE.call(List.of(Keys.status(status.id()), Keys.pollVotes(status.id())), args.toArray()))
                .compose(reply -> {
                    String outcome = reply.asString();
                    return switch (outcome) {
                        case "voted" -> Future.succeededFuture();
                        case "gone" -> Future.failedFuture(Refusal.unknown());
                        case "ended" -> invalid("The poll has already ended");
                        case "already" -> invalid("You have already voted on this poll");
                        case "full" -> invalid("As many have voted as can, " + VOTERS_MAX);
                        default -> throw new IllegalStateException("poll_vote answered " + outcome);
                    };
                });
    }

    private static Future<Void> invalid(String sentence) {
        return Future.failedFuture(new Refusal(Reason.INVALID, "Validation failed: " + sentence));
    }

    /**
     * How the polls among these statuses stand, by status; one round trip for each node that has one, and none without
     * a poll.
     *
     * @param viewer 0 = nobody in particular
     */
    public Future<Map<Long, Poll.Standing>> standings(Collection<Status> statuses, long viewer) {
        List<Status> asking = statuses.stream()
                .filter(status -> status.post().content().poll() != null)
                .toList();
        if (asking.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        long now = clock.millis();
        return BatchedPipeline.send(
                        redis,
                        asking.stream().map(status -> read(status, viewer)).toList())
                .map(replies -> {
                    Map<Long, Poll.Standing> standings = new HashMap<>();
                    for (int i = 0; i < replies.size(); i++) {
                        Status status = asking.get(i);
                        standings.put(
                                status.id(),
                                standing(
                                        status.post().content().poll(),
                                        replies.get(i).items(),
                                        now));
                    }
                    return standings;
                });
    }

    private static Command read(Status status, long viewer) {
        List<Object> fields = new ArrayList<>(List.of(viewer, "voters"));
        for (int i = 0; i < status.post().content().poll().options().size(); i++) {
            fields.add("v" + i);
        }
        return Command.of("HMGET", Keys.pollVotes(status.id()), fields.toArray());
    }

    private static Poll.Standing standing(Poll poll, List<Reply> fields, long now) {
        List<Integer> own = new ArrayList<>();
        if (!fields.get(0).isNil()) {
            for (String choice : fields.get(0).asString().split(",", -1)) {
                own.add(Integer.parseInt(choice));
            }
        }
        return new Poll.Standing(
                fields.subList(2, fields.size()).stream().map(Polls::number).toList(),
                number(fields.get(1)),
                own,
                now >= poll.endsMillis());
    }

    /** Some of the accounts that have voted, in the order of their first votes. Empty = there are no more. */
    public Future<List<Long>> voters(long status, long after, int limit) {
        Object[] fields = LongStream.rangeClosed(after + 1, after + limit)
                .mapToObj(n -> "n" + n)
                .toArray();
        return redis.send(Command.of("HMGET", Keys.pollVotes(status), fields)).map(reply -> reply.items().stream()
                .filter(voter -> !voter.isNil())
                .map(Reply::asLong)
                .toList());
    }

    private static long number(Reply field) {
        return field.isNil() ? 0 : field.asLong();
    }
}
