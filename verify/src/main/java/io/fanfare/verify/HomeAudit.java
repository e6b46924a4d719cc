package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.feed.Homes;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares one home, as it is stored, with the profiles of its reader and of all accounts that the reader follows
 * (docs/feeds.md, section 2). The home, the follows and the profiles are read one after the other, so beside a running
 * service a result is a suspicion: look again. Holds one home and {@value #AUTHORS_AT_ONCE} profile ranges in memory.
 * One event loop.
 */
public final class HomeAudit {
    private static final int AUTHORS_AT_ONCE = 100;

    /** Missing ids that are distinguished at one look, about; beyond it no further profile is read. */
    private static final int MISSING_MAX = 2000;

    private static final Pattern HEAD =
            Pattern.compile("(?:f(\\d{1,16})(?:/(\\d{1,9}))?|b\\d{1,16}:[^@~]+)(?:@(\\d{1,9}))?(?:~(\\d{1,16}))?");

    private final Redis redis;
    private final Graph graph;
    private final Settings.Feeds settings;

    public HomeAudit(Redis redis, Graph graph, Settings.Feeds settings) {
        this.redis = redis;
        this.graph = graph;
        this.settings = settings;
    }

    /** The state of a home. */
    public enum State {
        /**
         * There is no home, or one that is being built or of another generation: the next read answers from the
         * profiles.
         */
        ABSENT,
        COMPLETE,
        /** The key is no list, or its elements are no home: reads fail. */
        BROKEN
    }

    /**
     * The result of one look.
     *
     * @param entries ids above the floor
     * @param missing living statuses above the floor that a profile has and the home does not, and that readers do not
     *     pull; not all, when they are many
     * @param oldestMissing 0 = none
     * @param newestMissing 0 = none
     * @param leftovers ids above the floor that no profile has: reads do not show them
     * @param overcounted whether the head counts more entries as sorted than are
     * @param overlong whether no trim has reached the home for longer than its slack explains
     * @param endless whether the home would stay without a reader
     */
    public record Result(
            State state,
            int entries,
            long missing,
            long oldestMissing,
            long newestMissing,
            int leftovers,
            boolean overcounted,
            boolean overlong,
            boolean endless) {
        static Result of(State state) {
            return new Result(state, 0, 0, 0, 0, 0, false, false, false);
        }
    }

    /** Looks at the home of one reader. Fails with a {@link RedisError} when Redis does not answer. */
    public Future<Result> look(long reader) {
        Command life = Command.of("TTL", Keys.home(reader));
        Command generation = Command.of("GET", Keys.homeGeneration(Id.shard(reader)));
        return redis.pipeline(List.of(Homes.read(reader), life, generation)).compose(replies -> {
            if (replies.get(0) instanceof Reply.Failure failure) {
                return failure.error().isWrongType()
                        ? Future.succeededFuture(Result.of(State.BROKEN))
                        : Future.failedFuture(failure.error());
            }
            List<String> elements =
                    replies.get(0).items().stream().map(Reply::asString).toList();
            return elements.isEmpty()
                    ? Future.succeededFuture(Result.of(State.ABSENT))
                    : look(
                            reader,
                            elements,
                            replies.get(1).asLong() == -1,
                            replies.get(2).asString());
        });
    }

    /** @param generation of the homes of the shard; null = none */
    private Future<Result> look(long reader, List<String> elements, boolean endless, String generation) {
        Matcher head = HEAD.matcher(elements.get(0));
        List<Long> ids = elements.stream().skip(1).map(Id::parse).toList();
        if (!head.matches() || ids.contains(-1L)) {
            return Future.succeededFuture(Result.of(State.BROKEN));
        }
        if (head.group(1) == null || !Objects.equals(head.group(3), generation)) {
            return Future.succeededFuture(new Result(State.ABSENT, 0, 0, 0, 0, 0, false, false, endless));
        }
        int count = head.group(2) == null ? 0 : Integer.parseInt(head.group(2));
        long pulled = head.group(4) == null ? 0 : Long.parseLong(head.group(4));
        Comparison comparison = new Comparison(Long.parseLong(head.group(1)), pulled, ids);
        return graph.followingOf(reader).compose(followed -> {
            List<Long> authors = new ArrayList<>(followed.accounts());
            authors.add(reader);
            return comparison.with(authors).map(done -> comparison.result(count, endless));
        });
    }

    /** One home beside many profiles, some at a time. */
    private final class Comparison {
        private final long floor;
        private final long pulled;
        private final List<Long> stored;
        private final Set<Long> unexplained = new HashSet<>();
        private final Set<Long> above = new HashSet<>();
        private final Promise<Void> done = Promise.promise();
        private List<Long> authors;
        private int next;
        private final List<Long> missing = new ArrayList<>();

        Comparison(long floor, long pulled, List<Long> stored) {
            this.floor = floor;
            this.pulled = pulled;
            this.stored = stored;
            for (long id : stored) {
                if (id > floor) {
                    above.add(id);
                }
            }
            unexplained.addAll(above);
        }

        Future<Void> with(List<Long> all) {
            authors = all;
            turn();
            return done.future();
        }

        private void turn() {
            if (next >= authors.size() || missing.size() > MISSING_MAX) {
                keepLiving().onComplete(done);
                return;
            }
            // A profile that has more than this above the floor has some that the home lacks.
            int most = settings.homeMax() + settings.homeSlack() + 1;
            List<Command> ranges = new ArrayList<>();
            for (long author : authors.subList(next, Math.min(authors.size(), next + AUTHORS_AT_ONCE))) {
                ranges.add(Statuses.newer(author, floor, Id.MAX, most));
            }
            next += ranges.size();
            BatchedPipeline.send(redis, ranges)
                    .onComplete(
                            replies -> {
                                replies.forEach(reply -> Statuses.longs(reply).forEach(this::compare));
                                redis.afterTurn(this::turn);
                            },
                            done::fail);
        }

        /**
         * A profile that lists what is gone is a mistake of the profile, and none of the home; and what readers pull
         * need not be in the home.
         */
        private Future<Void> keepLiving() {
            List<Command> reads = new ArrayList<>();
            for (long id : missing) {
                reads.add(Command.of("HMGET", Keys.status(id), "uid", "gone"));
            }
            return BatchedPipeline.send(redis, reads).compose(replies -> {
                Map<Long, Long> authorOf = new TreeMap<>();
                for (int i = 0; i < replies.size(); i++) {
                    List<Reply> fields = replies.get(i).items();
                    if (!fields.get(0).isNil() && fields.get(1).isNil()) {
                        authorOf.put(missing.get(i), fields.get(0).asLong());
                    }
                }
                return dialed(Set.copyOf(authorOf.values())).map(authors -> {
                    missing.clear();
                    authorOf.forEach((id, author) -> {
                        if (id <= pulled || !authors.contains(author)) {
                            missing.add(id);
                        }
                    });
                    return null;
                });
            });
        }

        /** The accounts, of these, whom readers pull. */
        private Future<Set<Long>> dialed(Set<Long> accounts) {
            List<Long> all = List.copyOf(accounts);
            List<Command> reads = all.stream()
                    .map(account -> Command.of("HGET", Keys.user(account), "dial"))
                    .toList();
            return BatchedPipeline.send(redis, reads).map(dials -> {
                Set<Long> dialled = new HashSet<>();
                for (int i = 0; i < dials.size(); i++) {
                    if (!dials.get(i).isNil()) {
                        dialled.add(all.get(i));
                    }
                }
                return dialled;
            });
        }

        private void compare(long id) {
            if (above.contains(id)) {
                unexplained.remove(id);
            } else {
                missing.add(id);
            }
        }

        Result result(int count, boolean endless) {
            return new Result(
                    State.COMPLETE,
                    above.size(),
                    missing.size(),
                    missing.isEmpty() ? 0 : missing.get(0),
                    missing.isEmpty() ? 0 : missing.get(missing.size() - 1),
                    unexplained.size(),
                    !isSorted(count),
                    stored.size() > 2 * settings.homeMax() + settings.homeSlack() + Homes.TRIM_AGAIN,
                    endless);
        }

        private boolean isSorted(int count) {
            if (count > stored.size()) {
                return false;
            }
            for (int i = 1; i < count; i++) {
                if (stored.get(i) < stored.get(i - 1)) {
                    return false;
                }
            }
            return true;
        }
    }
}
