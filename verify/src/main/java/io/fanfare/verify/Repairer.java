package io.fanfare.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Key;
import io.fanfare.common.keyspace.KeyShape;
import io.fanfare.common.keyspace.KeyShape.Owner;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Role;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.core.conversation.Conversations;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.verify.Difference.Kind;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Repairs confirmed differences by the rules of docs/feeds.md: the near side of an edge decides, sets decide over
 * counters, statuses decide over lists, and a home is a cache. Each step is one script or command in one slot that
 * reads what it decides by, or is bound to an edge id, so that it undoes nothing that has come since. Repairing again
 * changes nothing. One event loop.
 */
final class Repairer {
    private static final Script ACCOUNT = Script.load("mend_account");
    private static final Script LISTING = Script.load("mend_listing");
    private static final Script STATUS = Script.load("mend_status");
    private static final Script POLL = Script.load("mend_poll");
    private static final Script EDGE = Script.load("mend_edge");
    private static final Script ARTICLE = Script.load("mend_article");
    private static final Script TERMS = Script.load("mend_terms");
    private static final Script LANGUAGES = Script.load("mend_languages");
    private static final Script LISTED = Script.load("mend_listed");
    private static final Script SCHEDULED = Script.load("mend_scheduled");
    private static final Script CONVERSATIONS = Script.load("mend_conversations");
    private static final Script PUSHES = Script.load("push_sweep");
    private static final Script ADDRESS_RELEASE = Script.load("address_release");
    private static final Script CLAIM_DROP = Script.load("claim_drop");
    private static final Script ROLE_COPY = Script.load("role_copy");
    private static final Script UNBLOCK = Script.load("unblock");

    /** The deadline of a lease that has ended long ago, Unix time in ms. */
    private static final int LONG_AGO = 1;

    private final Redis redis;
    private final Settings settings;
    private final Graph graph;
    private final Statuses statuses;
    private final Homes homes;
    private final SubjectEdges edges;
    private final Articles articles;
    private final ErasureCheck erasures;

    Repairer(Redis redis, Settings settings, Graph graph, Statuses statuses, Homes homes) {
        this.redis = redis;
        this.settings = settings;
        this.graph = graph;
        this.statuses = statuses;
        this.homes = homes;
        this.edges = new SubjectEdges(redis, settings);
        this.articles = new Articles(redis, settings, InstantSource.system());
        this.erasures = new ErasureCheck(redis);
    }

    /** Tries to repair; what cannot be repaired is left as it is. The next look shows whether it helped. */
    Future<Void> repair(Difference difference) {
        return switch (difference.kind()) {
            case ACCOUNT_LISTS -> account(difference.account());
            case LISTING -> listing(difference);
            case STATUS_COUNTER -> status(difference.account());
            case POLL ->
                redis.send(POLL.call(List.of(Keys.pollVotes(difference.account())), Poll.OPTIONS_MAX))
                        .mapEmpty();
            case SHARD_COUNTER ->
                redis.send(Command.of(
                                "HINCRBY",
                                Keys.counts((int) difference.account()),
                                "statuses",
                                difference.near() - difference.far()))
                        .mapEmpty();
            case FOLLOW, BLOCK, REQUEST, LIKE, REPOST, QUOTE, COMMENT -> edge(difference);
            case REQUEST_TO_OPEN -> admit(difference);
            case FOLLOW_ACROSS_BLOCK -> endFollow(difference);
            case TERMS -> terms(difference);
            case LISTED -> listed(difference);
            case SCHEDULED -> scheduled(difference);
            case HELD -> held(difference);
            case CONVERSATION -> conversations(difference.account());
            case PUSH -> pushes(difference.account());
            case ROLE -> role(difference.account());
            case ARTICLE -> article(difference.account());
            case HOME ->
                redis.send(Command.of("UNLINK", Keys.home(difference.account())))
                        .mapEmpty();
            case NAME -> name(difference);
            case ERASURE -> erasures.startAgain(difference.account());
            case ORPHAN -> orphan(difference);
            case LOST_BATCH -> lostBatch(difference.name());
            case ARCHIVE, UNKNOWN_KEY, BROKEN -> Future.succeededFuture();
        };
    }

    /**
     * Gives it the lease of a worker that has died, so that workers take its jobs back. Of a batch that has ended
     * meanwhile they take none.
     */
    private Future<Void> lostBatch(String key) {
        KeyShape shape = KeyShape.of(key).orElseThrow();
        String name = shape.rest().substring(KeyScan.BATCH.length());
        return redis.send(Command.of("ZADD", Keys.leases((int) shape.id()), "NX", LONG_AGO, name))
                .mapEmpty();
    }

    private Future<Void> conversations(long account) {
        List<String> keys = List.of(Keys.conversations(account), Keys.conversationLines(account));
        return redis.send(CONVERSATIONS.call(keys, Conversations.MAX)).mapEmpty();
    }

    private Future<Void> pushes(long account) {
        return redis.send(PUSHES.call(List.of(Keys.push(account), Keys.tokens(account))))
                .mapEmpty();
    }

    private Future<Void> account(long account) {
        int shard = Id.shard(account);
        List<String> keys = new ArrayList<>(AccountCheck.listKeys(account));
        keys.add(Keys.ids(shard));
        return redis.send(ACCOUNT.call(keys, settings.feeds().outboxMax(), account, shard))
                .mapEmpty();
    }

    /** The status is looked for in the author's slot: one of another slot is not the author's. */
    private Future<Void> listing(Difference difference) {
        long account = difference.account();
        long id = difference.other();
        List<String> keys = List.of(
                Keys.user(account),
                Keys.statusPrefix(account) + id,
                Keys.profile(account),
                Keys.outbox(account),
                Keys.reblogged(account),
                Keys.archived(Id.shard(account)));
        return redis.send(LISTING.call(
                        keys, account, id, difference.near(), settings.feeds().outboxMax()))
                .mapEmpty();
    }

    private Future<Void> status(long id) {
        return redis.send(STATUS.call(
                        List.of(
                                Keys.status(id),
                                Keys.likes(id),
                                Keys.reposts(id),
                                Keys.quotes(id),
                                Keys.comments(id),
                                Keys.edits(id),
                                Keys.archived(Id.shard(id)),
                                Keys.pollVotes(id)),
                        id))
                .mapEmpty();
    }

    /** Both sides of an edge, by the steps of docs/feeds.md, section 6: near side, far side, the re-check. */
    private Future<Void> edge(Difference difference) {
        return near(difference)
                .compose(near -> near != difference.near()
                        ? Future.succeededFuture()
                        : owner(difference)
                                .compose(owner -> near == 0
                                        ? end(difference, owner)
                                        : owner == 0 ? endFollow(difference) : complete(difference, owner)));
    }

    /** The edge that the near side has now; 0 = none. */
    private Future<Long> near(Difference difference) {
        long account = difference.account();
        long other = difference.other();
        return switch (difference.kind()) {
            case FOLLOW -> score(Keys.following(account), other);
            case BLOCK -> score(Keys.blocks(account), other);
            case REQUEST -> score(Keys.requesting(account), other);
            case LIKE -> score(Keys.favourites(account), other);
            case REPOST, QUOTE, COMMENT -> {
                long status = Math.max(difference.near(), difference.far());
                yield redis.send(StatusCheck.references(status))
                        .map(fields -> StatusCheck.refers(fields, other) ? status : 0L);
            }
            default -> throw new IllegalArgumentException(difference.kind() + " has no sides");
        };
    }

    private Future<Long> score(String set, long member) {
        return redis.send(Command.of("ZSCORE", set, member)).map(StatusCheck::number);
    }

    /** The account whose slot the far side is in; 0 = the account or status does not exist. */
    private Future<Long> owner(Difference difference) {
        long other = difference.other();
        if (difference.kind() == Kind.FOLLOW || difference.kind() == Kind.BLOCK || difference.kind() == Kind.REQUEST) {
            return graph.exists(other).map(exists -> exists || difference.near() == 0 ? other : 0L);
        }
        return redis.send(StatusCheck.life(other))
                .map(fields -> StatusCheck.lives(fields) ? fields.items().get(0).asLong() : 0L);
    }

    private static SubjectEdges.Kind set(Kind kind) {
        return SubjectEdges.Kind.valueOf(kind.name());
    }

    private Future<Void> complete(Difference difference, long owner) {
        SubjectEdges.Kind kind = set(difference.kind());
        long member = difference.account();
        long subject = difference.other();
        long edge = difference.near();
        return redis.send(EDGE.call(List.of(kind.set(subject), kind.ended(subject)), member, edge, difference.far()))
                .compose(cleared -> edges.link(kind, subject, owner, member, edge, null))
                .compose(done -> near(difference))
                .compose(near -> near != edge
                        ? edges.unlink(kind, subject, owner, member, edge, null)
                        : consequences(difference));
    }

    private Future<Void> consequences(Difference difference) {
        long account = difference.account();
        long other = difference.other();
        return switch (difference.kind()) {
            case FOLLOW ->
                statuses.recent(other)
                        .compose(
                                posts -> homes.backfill(account, other, difference.near(), posts.ids(), posts.bound()));
            case BLOCK ->
                graph.unfollow(other, account, Lane.HIGH, Long.toString(difference.near()))
                        .mapEmpty();
            default -> Future.succeededFuture();
        };
    }

    private Future<Void> end(Difference difference, long owner) {
        if (owner == 0) {
            // What was listed at a status goes with it.
            return status(difference.other());
        }
        return edges.unlink(
                        set(difference.kind()), difference.other(), owner, difference.account(), difference.far(), null)
                .compose(done -> difference.kind() == Kind.FOLLOW
                        ? clean(difference.account(), difference.other())
                        : Future.succeededFuture());
    }

    /** The steps of a follow for one who asks and need not. Its jobs do the rest again. */
    private Future<Void> admit(Difference difference) {
        long follower = difference.account();
        long followee = difference.other();
        return graph.admission(followee)
                .compose(admission -> admission == Graph.Admission.OPEN
                        ? graph.admit(follower, followee, difference.near(), /* room= */ false)
                        : Future.succeededFuture(new Graph.Change(0, false)))
                .compose(change -> change.edge() == 0
                        ? Future.succeededFuture()
                        : graph.link(follower, followee, change.edge())
                                .compose(done -> graph.unlinkRequest(follower, followee, change.request()))
                                .compose(done -> statuses.recent(followee))
                                .compose(posts ->
                                        homes.backfill(follower, followee, change.edge(), posts.ids(), posts.bound())));
    }

    private Future<Void> clean(long follower, long followee) {
        return statuses.recent(followee).compose(posts -> homes.clean(follower, followee, posts.ids()));
    }

    /**
     * Ends a follow, a request or a block of nobody, or a follow across a block that still stands. Its job does the
     * rest again.
     */
    private Future<Void> endFollow(Difference difference) {
        long follower = difference.account();
        long followee = difference.other();
        if (difference.kind() == Kind.REQUEST) {
            return graph.withdraw(follower, followee).mapEmpty();
        }
        if (difference.kind() == Kind.BLOCK) {
            return unblock(follower, followee);
        }
        if (difference.kind() != Kind.FOLLOW && difference.kind() != Kind.FOLLOW_ACROSS_BLOCK) {
            return Future.succeededFuture();
        }
        return stands(difference)
                .compose(stands -> stands ? graph.unfollow(follower, followee) : Future.succeededFuture(null))
                .compose(change -> change == null || !change.changed()
                        ? Future.succeededFuture()
                        : graph.unlink(follower, followee, change.edge()).compose(done -> clean(follower, followee)));
    }

    private Future<Void> unblock(long blocker, long blocked) {
        int shard = Id.shard(blocker);
        List<String> keys = List.of(Keys.blocks(blocker), Keys.queueStats(shard), Keys.lane(shard, Lane.HIGH.key()));
        return redis.send(UNBLOCK.call(keys, "", blocker, blocked)).mapEmpty();
    }

    private Future<Boolean> stands(Difference difference) {
        if (difference.kind() == Kind.FOLLOW) {
            return Future.succeededFuture(true);
        }
        long block = difference.far();
        return score(Keys.blocks(difference.account()), difference.other())
                .compose(own -> own == block
                        ? Future.succeededFuture(true)
                        : score(Keys.blocks(difference.other()), difference.account())
                                .map(others -> others == block));
    }

    private Future<Void> article(long id) {
        return statuses.find(id)
                .compose(found -> found.isPresent() && found.get().isArticle()
                        ? articles.add(found.get())
                                .compose(ranked -> redis.send(ARTICLE.call(
                                        List.of(Keys.article(id), Keys.articleVoters(id), Keys.ARTICLES_BY_SCORE), id)))
                                .mapEmpty()
                        : articles.remove(id));
    }

    private Future<Void> terms(Difference difference) {
        long account = difference.account();
        if (difference.name().equals("listeners")) {
            return graph.settleBell(account, difference.other(), difference.near());
        }
        if (difference.name().equals("languages")) {
            List<String> keys = List.of(Keys.user(account), Keys.languages(account), Keys.following(account));
            return redis.send(LANGUAGES.call(keys, "", difference.other())).mapEmpty();
        }
        List<String> sets =
                switch (difference.name()) {
                    case "noreposts" -> List.of(Keys.noReposts(account), Keys.following(account));
                    case "bells" -> List.of(Keys.bells(account), Keys.following(account));
                    case "endorsed" -> List.of(Keys.endorsed(account), Keys.following(account));
                    case "heard" -> List.of(Keys.notifyingMutes(account), Keys.mutes(account));
                    case "mute-ends" -> List.of(Keys.muteEnds(account), Keys.mutes(account));
                    default -> throw new IllegalStateException("no such terms: " + difference.name());
                };
        List<String> keys = List.of(Keys.user(account), sets.get(0), sets.get(1));
        // One of another edge was left by a process that knew neither bells nor endorsements: it counts no more.
        boolean byEdge = !difference.name().equals("mute-ends");
        boolean passesOn = byEdge
                && !difference.name().equals("bells")
                && !difference.name().equals("endorsed");
        return redis.send(TERMS.call(keys, "", difference.other(), byEdge ? 1 : 0, passesOn ? 1 : 0))
                .mapEmpty();
    }

    private Future<Void> listed(Difference difference) {
        long account = difference.account();
        List<String> keys =
                List.of(Keys.lists(account), Keys.listed(account), Keys.following(account), Keys.user(account));
        return redis.send(LISTED.call(keys, "", account, difference.name())).mapEmpty();
    }

    private Future<Void> scheduled(Difference difference) {
        long account = difference.account();
        List<String> keys =
                List.of(Keys.scheduled(account), Keys.scheduledWords(account), Keys.timers(Id.shard(account)));
        return redis.send(SCHEDULED.call(keys, account, difference.other())).mapEmpty();
    }

    /** A job for what does not wait any more removes the rest of it. */
    private Future<Void> held(Difference difference) {
        long account = difference.account();
        Job job = new Job.Repair(JobType.HELD, account, account, difference.other());
        return redis.send(Command.of("ZADD", Keys.timers(Id.shard(account)), 0, JobCodec.encode(job)))
                .mapEmpty();
    }

    /**
     * Takes a name out of the index: of an applicant who was rejected, or whose application has ended.
     *
     * @param entry as it stands in the index: no name has a space
     */
    private Future<Void> unlist(long account, String entry) {
        return redis.send(Command.of("HEXISTS", Keys.user(account), "state"))
                .compose(there -> there.asLong() == 1
                        ? Future.succeededFuture()
                        : redis.send(Command.of("ZREM", Keys.NAMES, entry)).mapEmpty());
    }

    private Future<Void> role(long account) {
        return redis.send(Command.of("HGET", Keys.MODERATION_ROLES, account))
                .compose(role -> redis.send(ROLE_COPY.call(
                        List.of(Keys.user(account)), role.isNil() ? Role.USER.label() : role.asString())))
                .mapEmpty();
    }

    private Future<Void> name(Difference difference) {
        long account = difference.account();
        if (difference.name().indexOf(' ') >= 0) {
            return unlist(account, difference.name());
        }
        return redis.send(Command.of("SET", Keys.login(difference.name()), account, "NX"))
                .compose(done -> redis.send(Command.of("GET", Keys.login(difference.name()))))
                .compose(owner -> Long.toString(account).equals(owner.asString())
                        ? graph.exists(account)
                        : Future.succeededFuture(false))
                // Nobody is to find a deleted one.
                .compose(listed -> listed
                        ? redis.send(Command.of("ZADD", Keys.NAMES, 0, difference.name() + " " + account))
                        : Future.<Reply>succeededFuture())
                .mapEmpty();
    }

    /**
     * Only what is a cache, goes with a status, or is left of an account that is deleted: other keys may be all that is
     * left of an account.
     */
    private Future<Void> orphan(Difference difference) {
        KeyShape shape = KeyShape.of(difference.name()).orElseThrow();
        if (shape.owner() == Owner.STATUS
                && shape.kind() != Key.STATUS
                && shape.kind().life() != Key.Life.ENDS) {
            return status(shape.id());
        }
        if (shape.kind() == Key.HOME) {
            return redis.send(Command.of("UNLINK", difference.name())).mapEmpty();
        }
        if (shape.owner() == Owner.ACCOUNT) {
            return redis.send(Command.of("HMGET", Keys.user(shape.id()), "state", "erasing"))
                    .compose(fields -> Accounts.isErased(
                                    fields.items().get(0), fields.items().get(1))
                            ? redis.send(Command.of("UNLINK", difference.name()))
                                    .mapEmpty()
                            : Future.succeededFuture());
        }
        return shape.owner() == Owner.NONE ? claim(difference, shape) : Future.succeededFuture();
    }

    /** Gives a claim back unless its account has got, or is about to get, the address since. */
    private Future<Void> claim(Difference difference, KeyShape shape) {
        long account = difference.account();
        return redis.send(Command.of("HEXISTS", Keys.user(account), "state"))
                .compose(there -> there.asLong() == 0
                        ? Future.succeededFuture(true)
                        : shape.kind() != Key.EMAIL
                                ? Future.succeededFuture(false)
                                : redis.send(ADDRESS_RELEASE.call(
                                                List.of(Keys.user(account), Keys.addressChange(account)),
                                                "",
                                                new String(HexFormat.of().parseHex(shape.rest()), UTF_8),
                                                ""))
                                        .map(released -> released.asLong() == 1))
                .compose(left -> left
                        ? redis.send(CLAIM_DROP.call(List.of(difference.name()), account, ""))
                                .mapEmpty()
                        : Future.succeededFuture());
    }
}
