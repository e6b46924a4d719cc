package io.fanfare.verify;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Role;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.FollowedLanguages;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisError;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.StatusCheck.Facts;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;

/** Checks everything of one account: counters, lists, edges, statuses, home. One event loop. */
final class AccountCheck {
    private static final Script FACTS = Script.load("account_facts");
    private static final Script LISTED = Script.load("listed_facts");
    private static final Script CONVERSATIONS = Script.load("conversation_facts");
    private static final Script PUSHES = Script.load("push_facts");
    private static final int LISTED_PAGE = 500;
    private static final List<String> COUNTERS = List.of("followers", "following", "posts");

    private final Redis redis;
    private final StatusCheck statuses;
    private final HomeAudit homes;
    private final ErasureCheck erasures;
    private final int outboxMax;

    /** Whether nobody looks at the other accounts: then what their near sides say is noted here. */
    private final boolean alone;

    AccountCheck(Redis redis, StatusCheck statuses, HomeAudit homes, int outboxMax, boolean alone) {
        this.redis = redis;
        this.statuses = statuses;
        this.homes = homes;
        this.erasures = new ErasureCheck(redis);
        this.outboxMax = outboxMax;
        this.alone = alone;
    }

    /**
     * Looks at one account. A pending one is left alone. Fails when Redis does not answer.
     *
     * @param entry of the account in the index of names; empty = it was not looked for there
     */
    Future<Findings> look(long account, String entry) {
        Findings findings = new Findings();
        return redis.send(FACTS.call(listKeys(account), outboxMax, account))
                .compose(reply -> lists(account, reply.items(), findings)
                        ? sets(account, findings)
                                .compose(done -> posts(account, findings))
                                .compose(done -> homes.look(account))
                                .map(home -> home(account, home, findings))
                        : notSignedUp(account, entry, reply.items().get(0).asString(), findings))
                .recover(cause -> isBroken(cause)
                        ? Future.succeededFuture(broken(account, cause, findings))
                        : Future.failedFuture(cause));
    }

    /** When everything is looked at, its key leads to an erasure. */
    private Future<Findings> notSignedUp(long account, String entry, String state, Findings findings) {
        return state.isEmpty()
                ? named(account, entry, findings)
                : alone ? erasures.look(account, findings).map(findings) : Future.succeededFuture(findings);
    }

    /** The entry is read once more: it may be repaired since. */
    private Future<Findings> named(long account, String entry, Findings findings) {
        return redis.send(Command.of("ZSCORE", Keys.NAMES, entry)).map(listed -> {
            if (!listed.isNil()) {
                String detail = "the index of names has account " + account + ", which is not there";
                findings.add(new Difference(Kind.NAME, account, 0, 0, 0, entry, detail));
            }
            return findings;
        });
    }

    static List<String> listKeys(long account) {
        return List.of(
                Keys.user(account),
                Keys.followers(account),
                Keys.following(account),
                Keys.profile(account),
                Keys.outbox(account),
                Keys.pulledAuthors(Id.shard(account)),
                Keys.archived(Id.shard(account)));
    }

    private static boolean isBroken(Throwable cause) {
        return cause instanceof IllegalStateException
                || cause instanceof NumberFormatException
                || (cause instanceof RedisError error
                        && error.kind() == RedisError.Kind.COMMAND
                        && error.isWrongType());
    }

    private static Findings broken(long account, Throwable cause, Findings findings) {
        findings.add(new Difference(
                Kind.BROKEN, account, 0, 0, 0, "", "a key of account " + account + ": " + cause.getMessage()));
        return findings;
    }

    /** Whether there is more to look at. */
    private static boolean lists(long account, List<Reply> facts, Findings findings) {
        String state = facts.get(0).asString();
        if (!Accounts.isSignedUp(state)) {
            return false;
        }
        for (int i = 0; i < COUNTERS.size(); i++) {
            long counted = facts.get(2 + 2 * i).asLong();
            long number = facts.get(3 + 2 * i).asLong();
            if (counted != number) {
                wrongLists(account, COUNTERS.get(i), "counts " + counted + " and lists " + number, findings);
            }
        }
        if (facts.get(8).asLong() != facts.get(9).asLong()) {
            String says = "says " + facts.get(8).asLong() + ", the profile "
                    + facts.get(9).asLong();
            wrongLists(account, "last", says, findings);
        }
        if (facts.get(10).asLong() == 0) {
            wrongLists(account, "outbox", "is not the newest part of the profile", findings);
        }
        if (facts.get(11).asLong() == 0) {
            wrongLists(account, "dial", "differs from the list that readers use", findings);
        }
        if (facts.get(12).asLong() == 0) {
            wrongLists(account, "profile", "lists what is up to the border of the archive", findings);
        }
        return true;
    }

    private static void wrongLists(long account, String name, String says, Findings findings) {
        String detail = name + " of account " + account + " " + says;
        findings.add(new Difference(Kind.ACCOUNT_LISTS, account, 0, 0, 0, name, detail));
    }

    private Future<Void> sets(long account, Findings findings) {
        String followers = Keys.followers(account);
        String requests = Keys.requests(account);
        String endedRequests = SubjectEdges.Kind.REQUEST.ended(account);
        return following(account, findings)
                .compose(done -> farSide(Kind.FOLLOW, account, followers, Keys::following, findings))
                .compose(done -> ended(Kind.FOLLOW, account, Keys.unlinked(account), followers, findings))
                .compose(done -> requesting(account, findings))
                .compose(done -> farSide(Kind.REQUEST, account, requests, Keys::requesting, findings))
                .compose(done -> ended(Kind.REQUEST, account, endedRequests, requests, findings))
                .compose(done -> blocks(account, findings))
                .compose(done -> farSide(Kind.BLOCK, account, Keys.blockedBy(account), Keys::blocks, findings))
                .compose(
                        done -> terms(account, "noreposts", Keys.noReposts(account), Keys.following(account), findings))
                .compose(done -> languages(account, findings))
                .compose(done -> bells(account, findings))
                .compose(done -> terms(account, "endorsed", Keys.endorsed(account), Keys.following(account), findings))
                .compose(done -> terms(account, "heard", Keys.notifyingMutes(account), Keys.mutes(account), findings))
                .compose(done -> listed(account, findings))
                .compose(done -> conversations(account, findings))
                .compose(done -> muteEnds(account, findings))
                .compose(done -> scheduled(account, findings))
                .compose(done -> held(account, findings))
                .compose(done -> pushes(account, findings))
                .compose(done -> role(account, findings))
                .compose(done -> favourites(account, findings));
    }

    private Future<Void> role(long account, Findings findings) {
        return redis.pipeline(List.of(
                        Command.of("HGET", Keys.MODERATION_ROLES, account),
                        Command.of("HGET", Keys.user(account), "role")))
                .map(replies -> {
                    String role = roleOf(replies.get(0));
                    String shown = roleOf(replies.get(1));
                    if (!role.equals(shown)) {
                        String detail = "account " + account + " has the role " + role + ", and answers show " + shown;
                        findings.add(new Difference(Kind.ROLE, account, 0, 0, 0, "", detail));
                    }
                    return null;
                });
    }

    private static String roleOf(Reply stored) {
        return stored.isNil() ? Role.USER.label() : stored.asString();
    }

    private Future<Void> listed(long account, Findings findings) {
        List<String> keys = List.of(Keys.lists(account), Keys.listed(account), Keys.following(account));
        String[] after = {""};
        return Pages.whileTrue(redis, () -> redis.send(LISTED.call(keys, account, after[0], LISTED_PAGE))
                .map(reply -> {
                    List<Reply> facts = reply.items();
                    facts.subList(1, facts.size())
                            .forEach(member -> findings.add(wronglyListed(account, member.asString())));
                    after[0] = facts.get(0).asString();
                    return !after[0].isEmpty();
                }));
    }

    /** A job that has been started is in a lane or in a batch, until what is scheduled is published. */
    private Future<Void> scheduled(long account, Findings findings) {
        return redis.send(Command.of("ZRANGE", Keys.scheduled(account), 0, ScheduledStatuses.MAX - 1, "WITHSCORES"))
                .compose(reply -> {
                    List<Reply> pairs = reply.flat();
                    List<Command> questions = new ArrayList<>();
                    for (int i = 0; i < pairs.size(); i += 2) {
                        Job job = new Job.Publish(
                                account, pairs.get(i).asLong(), pairs.get(i + 1).asLong());
                        questions.add(Command.of("ZSCORE", Keys.timers(Id.shard(account)), JobCodec.encode(job)));
                    }
                    return BatchedPipeline.send(redis, questions).map(answers -> {
                        for (int i = 0; i < answers.size(); i++) {
                            if (answers.get(i).isNil()) {
                                findings.add(
                                        withoutJob(account, pairs.get(2 * i).asLong()));
                            }
                        }
                        return null;
                    });
                });
    }

    private static Difference withoutJob(long account, long id) {
        String detail = "account " + account + " has scheduled " + id + ", which no job publishes";
        return new Difference(Kind.SCHEDULED, account, id, 0, 0, "", detail);
    }

    /** Posts that wait for a moderator, and messages about those that do not any more. */
    private Future<Void> held(long account, Findings findings) {
        return BatchedPipeline.send(
                        redis,
                        List.of(
                                Command.of("ZRANGE", Keys.held(account), 0, -1),
                                Command.of("HGETALL", Keys.heldWords(account))))
                .compose(replies -> {
                    Set<Long> ids = new TreeSet<>(Statuses.longs(replies.get(0)));
                    List<Reply> fields = replies.get(1).flat();
                    for (int i = 0; i < fields.size(); i += 2) {
                        String field = fields.get(i).asString();
                        if (!field.startsWith("=")) {
                            ids.add(Id.parse(field.replaceFirst("^-", "")));
                        }
                    }
                    List<Long> all = List.copyOf(ids);
                    List<Command> questions = all.stream()
                            .map(id -> Command.of(
                                    "ZSCORE",
                                    Keys.timers(Id.shard(account)),
                                    JobCodec.encode(new Job.Repair(JobType.HELD, account, account, id))))
                            .toList();
                    return BatchedPipeline.send(redis, questions).map(answers -> {
                        for (int i = 0; i < answers.size(); i++) {
                            if (answers.get(i).isNil()) {
                                findings.add(heldWithoutJob(account, all.get(i)));
                            }
                        }
                        return null;
                    });
                });
    }

    private static Difference heldWithoutJob(long account, long id) {
        String detail = "account " + account + " has a post " + id + " that waits, which no job looks after";
        return new Difference(Kind.HELD, account, id, 0, 0, "", detail);
    }

    private Future<Void> conversations(long account, Findings findings) {
        List<String> keys = List.of(Keys.conversations(account), Keys.conversationLines(account));
        return redis.send(CONVERSATIONS.call(keys, Conversations.MAX)).map(wrong -> {
            for (Reply each : wrong.items()) {
                String detail = "conversations of account " + account + " have " + each.asString()
                        + ", which is not listed as it is";
                findings.add(new Difference(Kind.CONVERSATION, account, 0, 0, 0, each.asString(), detail));
            }
            return null;
        });
    }

    private Future<Void> pushes(long account, Findings findings) {
        return redis.send(PUSHES.call(List.of(Keys.push(account), Keys.tokens(account))))
                .map(wrong -> {
                    for (Reply each : wrong.items()) {
                        String id = each.asString();
                        String detail = "account " + account + " has push subscription " + id
                                + ", whose token is not good, or which cannot be read";
                        findings.add(new Difference(Kind.PUSH, account, 0, 0, 0, id, detail));
                    }
                    return null;
                });
    }

    private static Difference wronglyListed(long account, String member) {
        String detail = "lists of account " + account + " have " + member
                + ", which is no list of theirs, or nobody they follow";
        return new Difference(Kind.LISTED, account, 0, 0, 0, member, detail);
    }

    /** Asks for the score of each member of a set in another set, and compares. */
    private Future<Void> compare(String set, LongFunction<Command> question, BiConsumer<Edge, Long> judge) {
        return Pages.ask(
                redis,
                set,
                edge -> List.of(question.apply(edge.accountId())),
                (edge, replies) -> judge.accept(edge, StatusCheck.number(replies.get(0))));
    }

    private Future<Void> following(long account, Findings findings) {
        return compare(
                Keys.following(account),
                followee -> Command.of("ZSCORE", Keys.followers(followee), account),
                (near, far) -> {
                    findings.edges++;
                    if (near.edgeId() != far) {
                        findings.add(StatusCheck.edge(Kind.FOLLOW, account, near.accountId(), near.edgeId(), far));
                    }
                });
    }

    private Future<Void> requesting(long account, Findings findings) {
        return Pages.ask(
                redis,
                Keys.requesting(account),
                request -> List.of(
                        Command.of("ZSCORE", Keys.requests(request.accountId()), account),
                        Command.of("HGET", Keys.user(request.accountId()), "locked"),
                        Command.of("HGET", Keys.user(account), "limited")),
                (near, replies) -> {
                    findings.edges++;
                    long other = near.accountId();
                    long far = StatusCheck.number(replies.get(0));
                    if (near.edgeId() != far) {
                        findings.add(StatusCheck.edge(Kind.REQUEST, account, other, near.edgeId(), far));
                    } else if (replies.get(1).isNil() && replies.get(2).isNil()) {
                        String detail = "account " + account + " asks by edge " + far + " to follow " + other
                                + ", which is not locked";
                        findings.add(
                                new Difference(Kind.REQUEST_TO_OPEN, account, other, near.edgeId(), far, "", detail));
                    }
                });
    }

    /**
     * Compares the edges on the far side with those on the near one, which must hold each of them too.
     *
     * @param far the accounts that have an edge to the account
     * @param near their key on their own side
     */
    private Future<Void> farSide(Kind kind, long account, String far, LongFunction<String> near, Findings findings) {
        return compare(far, other -> Command.of("ZSCORE", near.apply(other), account), (listed, there) -> {
            if (there == 0 || (alone && there != listed.edgeId())) {
                findings.add(StatusCheck.edge(kind, listed.accountId(), account, there, listed.edgeId()));
            }
        });
    }

    /** A living edge whose end is remembered could never be linked again. */
    private Future<Void> ended(Kind kind, long account, String ended, String far, Findings findings) {
        return compare(ended, other -> Command.of("ZSCORE", far, other), (end, living) -> {
            if (living != 0 && living <= end.edgeId()) {
                findings.add(StatusCheck.edge(kind, end.accountId(), account, living, living));
            }
        });
    }

    private Future<Void> blocks(long account, Findings findings) {
        return Pages.ask(
                redis,
                Keys.blocks(account),
                block -> List.of(
                        Command.of("ZSCORE", Keys.blockedBy(block.accountId()), account),
                        Command.of("ZSCORE", Keys.following(account), block.accountId()),
                        Command.of("ZSCORE", Keys.following(block.accountId()), account)),
                (block, scores) -> block(account, block, scores, findings));
    }

    private static void block(long account, Edge block, List<Reply> scores, Findings findings) {
        findings.edges++;
        long blocked = block.accountId();
        long far = StatusCheck.number(scores.get(0));
        if (far != block.edgeId()) {
            findings.add(StatusCheck.edge(Kind.BLOCK, account, blocked, block.edgeId(), far));
        }
        across(account, blocked, StatusCheck.number(scores.get(1)), block.edgeId(), findings);
        across(blocked, account, StatusCheck.number(scores.get(2)), block.edgeId(), findings);
    }

    private static void across(long follower, long followee, long follow, long block, Findings findings) {
        if (follow != 0) {
            String detail = "account " + follower + " follows " + followee + " by edge " + follow
                    + " across a block by edge " + block;
            findings.add(new Difference(Kind.FOLLOW_ACROSS_BLOCK, follower, followee, follow, block, "", detail));
        }
    }

    private Future<Void> terms(long account, String name, String terms, String set, Findings findings) {
        return compare(terms, other -> Command.of("ZSCORE", set, other), (term, edge) -> {
            if (edge != term.edgeId()) {
                findings.add(ofNoEdge(account, name, term, edge));
            }
        });
    }

    private static Difference ofNoEdge(long account, String name, Edge term, long edge) {
        String detail = name + " of account " + account + " lists " + term.accountId() + " by edge " + term.edgeId()
                + ", which is not the edge there is";
        return new Difference(Kind.TERMS, account, term.accountId(), edge, term.edgeId(), name, detail);
    }

    /** As {@link #terms}; there are no more than follows. */
    private Future<Void> languages(long account, Findings findings) {
        return redis.send(Command.of("HGETALL", Keys.languages(account))).compose(reply -> {
            List<Reply> pairs = reply.items();
            List<Command> edges = new ArrayList<>(pairs.size() / 2);
            for (int i = 0; i < pairs.size(); i += 2) {
                edges.add(Command.of(
                        "ZSCORE", Keys.following(account), pairs.get(i).asLong()));
            }
            return BatchedPipeline.send(redis, edges).map(found -> {
                for (int i = 0; i < found.size(); i++) {
                    long edge = StatusCheck.number(found.get(i));
                    long by = FollowedLanguages.edge(pairs.get(2 * i + 1).asString());
                    if (edge != by) {
                        Edge term = new Edge(pairs.get(2 * i).asLong(), by);
                        findings.add(ofNoEdge(account, "languages", term, edge));
                    }
                }
                return null;
            });
        });
    }

    /** A bell that the followee's side does not know is silent. One that only that side knows goes with a post. */
    private Future<Void> bells(long account, Findings findings) {
        return Pages.ask(
                redis,
                Keys.bells(account),
                bell -> List.of(
                        Command.of("ZSCORE", Keys.following(account), bell.accountId()),
                        Command.of("ZSCORE", Keys.listeners(bell.accountId()), account)),
                (bell, scores) -> {
                    long edge = StatusCheck.number(scores.get(0));
                    if (edge != bell.edgeId()) {
                        findings.add(ofNoEdge(account, "bells", bell, edge));
                    } else if (scores.get(1).isNil()) {
                        String detail = "listeners of account " + bell.accountId() + " does not list " + account
                                + ", whose bells lists it";
                        findings.add(
                                new Difference(Kind.TERMS, account, bell.accountId(), edge, 0, "listeners", detail));
                    }
                });
    }

    /** An end without a mute would end the next one. */
    private Future<Void> muteEnds(long account, Findings findings) {
        return compare(
                Keys.muteEnds(account), muted -> Command.of("ZSCORE", Keys.mutes(account), muted), (end, edge) -> {
                    if (edge == 0) {
                        String detail = "mute-ends of account " + account + " lists " + end.accountId()
                                + ", which is not muted";
                        findings.add(new Difference(
                                Kind.TERMS, account, end.accountId(), 0, end.edgeId(), "mute-ends", detail));
                    }
                });
    }

    /** Likes of statuses that are gone may stay: reads drop them. */
    private Future<Void> favourites(long account, Findings findings) {
        return Pages.ask(
                redis,
                Keys.favourites(account),
                like -> List.of(
                        StatusCheck.life(like.accountId()),
                        Command.of("ZSCORE", Keys.likes(like.accountId()), account)),
                (like, replies) -> {
                    findings.edges++;
                    long far = StatusCheck.number(replies.get(1));
                    if (!StatusCheck.lives(replies.get(0))) {
                        findings.leftovers++;
                    } else if (far != like.edgeId()) {
                        findings.add(StatusCheck.edge(Kind.LIKE, account, like.accountId(), like.edgeId(), far));
                    }
                });
    }

    private Future<Void> posts(long account, Findings findings) {
        return Pages.ofSet(redis, Keys.profile(account), page -> profile(account, ids(page), findings))
                .compose(done ->
                        Pages.ofSet(redis, Keys.reblogged(account), page -> reblogged(account, page, findings)));
    }

    private static List<Long> ids(List<Edge> page) {
        return page.stream().map(Edge::accountId).toList();
    }

    private Future<Void> profile(long account, List<Long> ids, Findings findings) {
        return statuses.read(ids).compose(facts -> {
            List<Facts> living = new ArrayList<>();
            List<Command> indexed = new ArrayList<>();
            for (Facts status : facts) {
                if (isOf(account, status) && !status.isComment() && !status.isDirect()) {
                    living.add(status);
                    indexed.add(Command.of("ZSCORE", Keys.reblogged(account), status.original()));
                } else {
                    findings.add(listing(account, status.id(), 0, "the profile lists", "which is not theirs to list"));
                }
            }
            return BatchedPipeline.send(redis, indexed)
                    .map(replies -> unindexed(account, living, replies, findings))
                    .compose(done -> statuses.check(living, findings));
        });
    }

    private static boolean isOf(long account, Facts status) {
        return status.lives() && status.author() == account && Id.shard(status.id()) == Id.shard(account);
    }

    private static Void unindexed(long account, List<Facts> living, List<Reply> replies, Findings findings) {
        for (int i = 0; i < living.size(); i++) {
            Facts status = living.get(i);
            if (status.isRepost() && StatusCheck.number(replies.get(i)) != status.id()) {
                findings.add(listing(
                        account, status.id(), status.original(), "the index of reposts does not list", "which lives"));
            }
        }
        return null;
    }

    private Future<Void> reblogged(long account, List<Edge> page, Findings findings) {
        return statuses.read(page.stream().map(Edge::edgeId).toList()).compose(facts -> statuses.archived(facts.stream()
                        .filter(repost -> repost.author() == 0)
                        .map(Facts::id)
                        .toList())
                .map(archived -> reblogged(account, page, facts, archived, findings)));
    }

    private static Void reblogged(
            long account, List<Edge> page, List<Facts> facts, Set<Long> archived, Findings findings) {
        for (int i = 0; i < facts.size(); i++) {
            Facts repost = facts.get(i);
            long original = page.get(i).accountId();
            if (!archived.contains(repost.id())
                    && (!isOf(account, repost) || !repost.isRepost() || repost.original() != original)) {
                findings.add(listing(
                        account,
                        repost.id(),
                        original,
                        "the index of reposts lists",
                        "which is no repost of " + original));
            }
        }
        return null;
    }

    static Difference listing(long account, long status, long original, String list, String why) {
        String detail = list + " status " + status + " at account " + account + ", " + why;
        return new Difference(Kind.LISTING, account, status, original, 0, "", detail);
    }

    private static Findings home(long account, HomeAudit.Result home, Findings findings) {
        String whose = "the home of account " + account + " ";
        if (home.state() == HomeAudit.State.COMPLETE) {
            findings.homes++;
            findings.entries += home.entries();
            findings.leftovers += home.leftovers();
        }
        if (home.missing() > 0) {
            String lacks = "lacks " + home.missing() + " statuses above its floor, from " + home.oldestMissing()
                    + " to " + home.newestMissing();
            findings.add(new Difference(Kind.HOME, account, home.oldestMissing(), 0, 0, "missing", whose + lacks));
        }
        note(home.state() == HomeAudit.State.BROKEN, account, "broken", whose + "cannot be understood", findings);
        note(home.overcounted(), account, "order", whose + "counts more entries as sorted than are", findings);
        note(home.overlong(), account, "overlong", whose + "is over twice as long as a trim leaves it", findings);
        note(home.endless(), account, "endless", whose + "has no time to live", findings);
        return findings;
    }

    private static void note(boolean wrong, long account, String name, String detail, Findings findings) {
        if (wrong) {
            findings.add(new Difference(Kind.HOME, account, 0, 0, 0, name, detail));
        }
    }
}
