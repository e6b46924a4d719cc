package io.fanfare.verify;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Poll;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.verify.Difference.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Counts the votes of polls by their voters, a page of them at a time. One event loop. */
final class PollCheck {
    private static final int PAGE = 500;

    private static final Pattern OPTION = Pattern.compile("[0-" + (Poll.OPTIONS_MAX - 1) + "]");

    private final Redis redis;

    PollCheck(Redis redis) {
        this.redis = redis;
    }

    /**
     * The counters of a poll.
     *
     * @param fields of its key: two for each voter, one for their number, and one for each option that has votes
     */
    private record Counted(long fields, long voters, List<Long> votes) {
        long fieldsOf(long voters) {
            return 2 * voters + 1 + votes.stream().filter(each -> each > 0).count();
        }
    }

    /** Notes it when the votes of a poll, of which somebody has voted, are not those of its voters. */
    Future<Void> check(long status, Findings findings) {
        String key = Keys.pollVotes(status);
        return counted(key).compose(before -> new Walk(key, before.voters())
                .run()
                .compose(walk -> counted(key).map(after -> {
                    // Who votes meanwhile is counted by the next look.
                    if (before.equals(after) && !walk.isRight(before)) {
                        String detail = "the poll of status " + status + " counts " + before.votes() + " votes of "
                                + before.voters() + " voters, who have given " + Arrays.toString(walk.votes);
                        findings.add(new Difference(Kind.POLL, status, 0, 0, 0, "votes", detail));
                    }
                    return null;
                })));
    }

    private Future<Counted> counted(String key) {
        List<Object> fields = new ArrayList<>(List.of("voters"));
        for (int option = 0; option < Poll.OPTIONS_MAX; option++) {
            fields.add("v" + option);
        }
        return redis.pipeline(List.of(Command.of("HLEN", key), Command.of("HMGET", key, fields.toArray())))
                .map(replies -> {
                    List<Long> numbers = replies.get(1).items().stream()
                            .map(StatusCheck::number)
                            .toList();
                    return new Counted(replies.get(0).asLong(), numbers.get(0), numbers.subList(1, numbers.size()));
                });
    }

    /** All voters, in the order in which they have voted. */
    private final class Walk {
        private final String key;
        private final long voters;
        private final long[] votes = new long[Poll.OPTIONS_MAX];

        /** At most as many as may vote in one poll, or as were counted by mistake and have a place. */
        private final Set<String> seen = new HashSet<>();

        private long next = 1;
        private boolean broken;

        Walk(String key, long voters) {
            this.key = key;
            this.voters = voters;
        }

        Future<Walk> run() {
            return Pages.whileTrue(redis, this::page).map(this);
        }

        boolean isRight(Counted counted) {
            return !broken
                    && counted.votes().equals(Arrays.stream(votes).boxed().toList())
                    && counted.fields() == counted.fieldsOf(voters);
        }

        private Future<Boolean> page() {
            List<Object> places = new ArrayList<>();
            for (; next <= voters && places.size() < PAGE; next++) {
                places.add("n" + next);
            }
            if (places.isEmpty() || broken) {
                return Future.succeededFuture(false);
            }
            return redis.send(Command.of("HMGET", key, places.toArray())).compose(reply -> {
                List<Object> accounts = new ArrayList<>();
                for (Reply account : reply.items()) {
                    if (account.isNil() || !seen.add(account.asString())) {
                        broken = true;
                        return Future.succeededFuture(false);
                    }
                    accounts.add(account.asString());
                }
                return redis.send(Command.of("HMGET", key, accounts.toArray())).map(chosen -> {
                    chosen.items().forEach(this::count);
                    return true;
                });
            });
        }

        private void count(Reply chosen) {
            if (chosen.isNil()) {
                broken = true;
                return;
            }
            Set<String> given = new HashSet<>();
            for (String option : chosen.asString().split(",", -1)) {
                if (OPTION.matcher(option).matches() && given.add(option)) {
                    votes[Integer.parseInt(option)]++;
                } else {
                    broken = true;
                }
            }
        }
    }
}
