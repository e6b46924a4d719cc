package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.store.ArchivedStatuses;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.verify.Difference.Kind;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Checks statuses: counters, what they refer to, and who is listed at them. One event loop. */
final class StatusCheck {
    private static final Script FACTS = Script.load("status_facts");
    private static final List<String> COUNTERS = List.of("likes", "reposts", "quotes", "comments");
    private static final int LIKES = 0;
    private static final int REPOSTS = 1;
    private static final int QUOTES = 2;
    private static final int COMMENTS = 3;

    private final Redis redis;
    private final ArchivedStatuses archived;
    private final PollCheck votes;

    StatusCheck(Redis redis, ArchivedStatuses archived) {
        this.redis = redis;
        this.archived = archived;
        this.votes = new PollCheck(redis);
    }

    /**
     * The answer of {@code status_facts} about one status.
     *
     * @param author 0 = there is no such status
     */
    record Facts(long id, long author, boolean gone, String kind, long original, long reply, long root, List<Long> of) {
        boolean lives() {
            return author != 0 && !gone;
        }

        boolean isRepost() {
            return kind.equals("repost");
        }

        boolean isComment() {
            return kind.equals("comment");
        }

        boolean isDirect() {
            return kind.equals("direct");
        }

        long counted(int list) {
            return of.get(2 * list);
        }

        long number(int list) {
            return of.get(2 * list + 1);
        }

        /** Fields that are kept of the votes of its poll; 0 without a poll, or a vote. */
        long votes() {
            return of.get(2 * COUNTERS.size());
        }
    }

    /** The facts of these statuses, in their order. */
    Future<List<Facts>> read(List<Long> ids) {
        List<Command> calls = new ArrayList<>(ids.size());
        for (long id : ids) {
            calls.add(FACTS.call(List.of(
                    Keys.status(id),
                    Keys.likes(id),
                    Keys.reposts(id),
                    Keys.quotes(id),
                    Keys.comments(id),
                    Keys.pollVotes(id))));
        }
        return BatchedPipeline.send(redis, calls).map(replies -> {
            List<Facts> facts = new ArrayList<>(ids.size());
            for (int i = 0; i < replies.size(); i++) {
                facts.add(facts(ids.get(i), replies.get(i).items()));
            }
            return facts;
        });
    }

    private static Facts facts(long id, List<Reply> parts) {
        List<Long> numbers = new ArrayList<>();
        for (Reply number : parts.subList(6, parts.size())) {
            numbers.add(number.asLong());
        }
        return new Facts(
                id,
                Math.max(0, Id.parse(parts.get(0).asString())),
                parts.get(1).asLong() == 1,
                parts.get(2).asString(),
                parts.get(3).asLong(),
                parts.get(4).asLong(),
                parts.get(5).asLong(),
                numbers);
    }

    /** Notes what is wrong with living statuses. */
    Future<Void> check(List<Facts> statuses, Findings findings) {
        findings.statuses += statuses.size();
        for (Facts status : statuses) {
            for (int list = 0; list < COUNTERS.size(); list++) {
                if (status.counted(list) != status.number(list)) {
                    String detail = "status " + status.id() + " counts " + status.counted(list) + " "
                            + COUNTERS.get(list) + " and lists " + status.number(list);
                    findings.add(new Difference(Kind.STATUS_COUNTER, status.id(), 0, 0, 0, COUNTERS.get(list), detail));
                }
            }
        }
        return references(statuses, findings)
                .compose(done -> Pages.each(
                        redis,
                        statuses.stream().filter(StatusCheck::isListedSomewhere).toList(),
                        status -> lists(status, findings)))
                .compose(done -> Pages.each(
                        redis,
                        statuses.stream().filter(status -> status.votes() > 0).toList(),
                        status -> votes.check(status.id(), findings)));
    }

    /** Notes what is wrong with the votes of archived statuses, which stay in Redis. */
    Future<Void> votesOfArchived(List<Long> ids, Findings findings) {
        return Pages.each(redis, ids, id -> votes.check(id, findings));
    }

    private static boolean isListedSomewhere(Facts status) {
        return status.number(LIKES) + status.number(REPOSTS) + status.number(QUOTES) + status.number(COMMENTS) > 0;
    }

    /** One far side that a status must have. */
    private record Reference(Kind kind, Facts from, long member, long to, String set) {}

    private Future<Void> references(List<Facts> statuses, Findings findings) {
        List<Reference> references = new ArrayList<>();
        for (Facts status : statuses) {
            long original = status.original();
            if (original != 0 && status.isRepost()) {
                references.add(new Reference(Kind.REPOST, status, status.author(), original, Keys.reposts(original)));
            } else if (original != 0) {
                references.add(new Reference(Kind.QUOTE, status, status.id(), original, Keys.quotes(original)));
            }
            for (long answered : new long[] {status.reply(), status.root()}) {
                // A direct message is listed with direct ones only.
                if (answered != 0 && !(status.isDirect() && answered != status.root())) {
                    references.add(new Reference(Kind.COMMENT, status, status.id(), answered, Keys.comments(answered)));
                }
            }
        }
        List<Command> commands = new ArrayList<>();
        for (Reference reference : references) {
            commands.add(life(reference.to()));
            commands.add(Command.of("ZSCORE", reference.set(), reference.member()));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            for (int i = 0; i < references.size(); i++) {
                compare(references.get(i), lives(replies.get(2 * i)), number(replies.get(2 * i + 1)), findings);
            }
            return null;
        });
    }

    private static void compare(Reference reference, boolean lives, long far, Findings findings) {
        findings.edges++;
        Facts from = reference.from();
        if (lives && far != from.id()) {
            long account = reference.kind() == Kind.REPOST ? from.author() : from.id();
            findings.add(edge(reference.kind(), account, reference.to(), from.id(), far));
        } else if (!lives && from.isComment()) {
            findings.commentsOnDeleted++;
        }
    }

    private Future<Void> lists(Facts status, Findings findings) {
        long id = status.id();
        return likes(status.number(LIKES), id, findings)
                .compose(done -> statuses(status.number(REPOSTS), Kind.REPOST, Keys.reposts(id), id, findings))
                .compose(done -> statuses(status.number(QUOTES), Kind.QUOTE, Keys.quotes(id), id, findings))
                .compose(done -> statuses(status.number(COMMENTS), Kind.COMMENT, Keys.comments(id), id, findings));
    }

    private Future<Void> likes(long number, long id, Findings findings) {
        if (number == 0) {
            return Future.succeededFuture();
        }
        return Pages.ask(
                redis,
                Keys.likes(id),
                like -> List.of(Command.of("ZSCORE", Keys.favourites(like.accountId()), id)),
                (far, scores) -> {
                    long near = number(scores.get(0));
                    if (near != far.edgeId()) {
                        findings.add(edge(Kind.LIKE, far.accountId(), id, near, far.edgeId()));
                    }
                });
    }

    /** Lists of statuses that refer to one, each by its own id: these statuses decide. */
    private Future<Void> statuses(long number, Kind kind, String set, long id, Findings findings) {
        if (number == 0) {
            return Future.succeededFuture();
        }
        List<Edge> doubtful = new ArrayList<>();
        return Pages.ask(redis, set, edge -> List.of(references(edge.edgeId())), (far, fields) -> {
                    if (!refers(fields.get(0), id)) {
                        doubtful.add(far);
                    }
                })
                .compose(done -> archived(doubtful.stream().map(Edge::edgeId).toList()))
                .map(archived -> {
                    doubtful.stream()
                            .filter(far -> !archived.contains(far.edgeId()))
                            .forEach(far -> findings.add(edge(kind, far.accountId(), id, 0, far.edgeId())));
                    return null;
                });
    }

    /** The ids, of these that are not in Redis, that may be in the archive. Does not query the archive. */
    Future<Set<Long>> archived(Collection<Long> ids) {
        return ids.isEmpty() ? Future.succeededFuture(Set.of()) : archived.maybe(ids);
    }

    /** Asks what a status refers to; {@link #refers} understands the answer. */
    static Command references(long status) {
        return Command.of("HMGET", Keys.status(status), "uid", "gone", "unquoted", "orig", "reply", "root");
    }

    /** Whether a status lives and refers to this one. */
    static boolean refers(Reply fields, long id) {
        boolean quotes = fields.items().get(2).isNil();
        return lives(fields)
                && fields.items().subList(quotes ? 3 : 4, 6).stream().anyMatch(field -> number(field) == id);
    }

    /** Asks whether a status lives; {@link #lives} understands the answer. */
    static Command life(long status) {
        return Command.of("HMGET", Keys.status(status), "uid", "gone");
    }

    /** Whether the fields {@code uid} and {@code gone} are those of a living status. */
    static boolean lives(Reply fields) {
        return !fields.items().get(0).isNil() && fields.items().get(1).isNil();
    }

    static long number(Reply score) {
        return score.isNil() ? 0 : score.asLong();
    }

    /** Two sides that disagree. */
    static Difference edge(Kind kind, long account, long other, long near, long far) {
        String says = kind.wire() + " of " + other + " by " + account + ": the deciding side has "
                + (near == 0 ? "no edge" : "edge " + near) + ", the other side "
                + (far == 0 ? "none" : near == far ? "remembers that it has ended" : "edge " + far);
        return new Difference(kind, account, other, near, far, near == far ? "ended" : "", says);
    }
}
