package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Article.Standing;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.SortedSetPager.VisibilityCheck;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Owns the keys of {@code {articles}}: votes, voters, rankings and groups of articles, all in one slot, so that a vote
 * is one script. An article is known here by the id of its status, which contains the time of its publication. As in
 * homes, an id in a ranking proves nothing: its status says whether it lives and who may see it.
 */
public class Articles {
    /** Entries of the list of the best. */
    public static final int BEST_MAX = 50;

    /** How often streams are told of votes at most. */
    public static final long PUBLISH_MILLIS = 1000;

    /** How long the voters are kept when the voting is over. */
    private static final Duration VOTERS_KEPT = Duration.ofDays(1);

    private static final Script ADD = Script.load("article_add");
    private static final Script VOTED = Script.load("article_voted");
    private static final Script DELETE = Script.load("article_delete");
    private static final Script GROUP = Script.load("article_group");
    private static final Script PAGE = Script.load("article_page");

    private final Redis redis;
    private final Settings.Articles settings;
    private final Duration tombstone;
    private final InstantSource clock;
    private final VoteCounter votes;
    private final VoteEvents voteEvents;
    private final KnownVotes knownVotes = new KnownVotes();

    /** @param clock tells whether one can vote */
    public Articles(Redis redis, Settings settings, InstantSource clock) {
        this(redis, settings.articles(), Duration.ofDays(settings.feeds().tombstoneDays()), clock);
    }

    Articles(Redis redis, Settings.Articles settings, Duration tombstone, InstantSource clock) {
        this.redis = redis;
        this.settings = settings;
        this.tombstone = tombstone;
        this.clock = clock;
        this.votes = new VoteCounter(redis);
        this.voteEvents = new VoteEvents(redis);
    }

    /** A place in a ranking by score. */
    public record Ranked(long id, long score) {}

    /** A group and the number of articles in it. */
    public record Group(String name, long articles) {}

    /**
     * Ranks a published article with the vote of its author, and puts it into the groups of its publication. Doing it
     * again changes nothing, nor does it bring back a deleted one.
     */
    public Future<Void> add(Status article) {
        return add(article, "").mapEmpty();
    }

    /** @param voter empty = the author alone */
    private Future<String> add(Status article, Object voter) {
        long id = article.id();
        return redis.send(ADD.call(
                        keys(id),
                        id,
                        article.authorId(),
                        isOpen(id) ? votersUntil(id) : "",
                        String.join(" ", article.post().content().article().groups()),
                        voter,
                        settings.bestVotes(),
                        BEST_MAX,
                        settings.rankingMax(),
                        settings.groupsMax(),
                        prefix(id)))
                .map(Reply::asString);
    }

    /**
     * Counts a vote; a second one of the same voter changes nothing. Ranks the article if its publication has not done
     * that yet, or if it has left the ranking. Fails with {@link Refusal} when the voting is over, and when the article
     * is deleted.
     */
    public Future<Void> vote(Status article, long voter) {
        if (!isOpen(article.id())) {
            return Future.failedFuture(new Refusal(
                    Reason.INVALID, "Voting closed: an article can be voted on for seven days after its publication."));
        }
        return count(article.id(), voter)
                .compose(outcome -> outcome.equals("unranked") ? add(article, voter) : Future.succeededFuture(outcome))
                .compose(outcome ->
                        outcome.equals("ranked") ? count(article.id(), voter) : Future.succeededFuture(outcome))
                .map(outcome -> {
                    switch (outcome) {
                        case "gone" -> throw Refusal.unknown();
                        case "failed" ->
                            throw new IllegalStateException("votes of article " + article.id() + " have another type");
                        // It has come into the ranking and left it again between two steps.
                        case "unranked" -> throw new Refusal(Reason.OVERLOADED, "Too many votes at once: try again.");
                        case "counted" -> voteEvents.counted(article.id());
                        default -> {}
                    }
                    knownVotes.voted(voter, article.id());
                    return null;
                });
    }

    /**
     * Publishes how the articles stand that {@link #vote} has counted votes for since the last call, for streams that
     * ask for it. To be called every {@link #PUBLISH_MILLIS}, and when nobody can vote here any more. Never fails.
     */
    public Future<Void> publishVotes() {
        return voteEvents.publish();
    }

    private Future<String> count(long id, long voter) {
        return votes.count(id, voter, Article.score(id, settings.bestVotes()));
    }

    /** Takes a deleted article out of every ranking. Doing it again changes nothing, and no late vote undoes it. */
    public Future<Void> remove(long id) {
        long until = Math.max(clock.millis(), Article.votingEnds(id)) + tombstone.toMillis();
        return redis.send(DELETE.call(keys(id), id, until)).mapEmpty();
    }

    /** The key of an article without its id, so that a script can name another. */
    private static Command.Named prefix(long id) {
        String key = Keys.article(id);
        return new Command.Named(key.substring(0, key.lastIndexOf(':') + 1));
    }

    /** Whether it can be voted on. */
    private boolean isOpen(long id) {
        return clock.millis() < Article.votingEnds(id);
    }

    /** Longer than anybody can vote, by whatever clock: nobody's second vote finds the first one forgotten. */
    private static long votersUntil(long id) {
        return Article.votingEnds(id) + VOTERS_KEPT.toMillis();
    }

    private static List<String> keys(long id) {
        return List.of(
                Keys.article(id),
                Keys.articleVoters(id),
                Keys.ARTICLES_BY_SCORE,
                Keys.ARTICLES_BY_TIME,
                Keys.BEST_ARTICLES,
                Keys.ARTICLE_GROUPS,
                Keys.ARTICLE_GROUP_OWNERS,
                Keys.articleBallots(id));
    }

    /**
     * Puts an article into a group, which the caller creates if there is none of that name. Doing it again changes
     * nothing. Fails with {@link Refusal} when the caller is neither the article's author nor the group's creator, when
     * there are too many groups, and when the article is deleted.
     *
     * @param group folded
     */
    public Future<Void> putInto(String group, Status article, long caller) {
        return add(article).compose(ranked -> change(group, article, caller, "in"));
    }

    /** Takes it out; otherwise the same. A group ends with its last article. */
    public Future<Void> takeOut(String group, Status article, long caller) {
        return add(article).compose(ranked -> change(group, article, caller, "out"));
    }

    private Future<Void> change(String group, Status article, long caller, String action) {
        List<String> keys = List.of(
                Keys.article(article.id()),
                Keys.ARTICLES_BY_SCORE,
                Keys.ARTICLES_BY_TIME,
                Keys.ARTICLE_GROUPS,
                Keys.ARTICLE_GROUP_OWNERS);
        return redis.send(GROUP.call(
                        keys,
                        article.id(),
                        article.authorId(),
                        caller,
                        group,
                        action,
                        Article.GROUPS_MAX,
                        settings.rankingMax(),
                        settings.groupsMax()))
                .map(outcome -> {
                    switch (outcome.asString()) {
                        case "gone" -> throw Refusal.unknown();
                        case "forbidden" ->
                            throw new Refusal(
                                    Reason.FORBIDDEN,
                                    "Only the author of an article and the creator of a group put it in and take it out.");
                        case "joined" ->
                            throw new Refusal(
                                    Reason.INVALID,
                                    "This article is in " + Article.GROUPS_MAX
                                            + " groups, which is the most: take it out of one first.");
                        case "full" ->
                            throw new Refusal(
                                    Reason.INVALID,
                                    "There are " + settings.groupsMax()
                                            + " groups, which is the most: use one of those.");
                        default -> {}
                    }
                    return null;
                });
    }

    /** The largest groups behind the first {@code offset}, by their number of articles. */
    public Future<List<Group>> groups(int offset, int limit) {
        return redis.send(Command.of("ZRANGE", Keys.ARTICLE_GROUPS, offset, offset + limit - 1, "REV", "WITHSCORES"))
                .map(reply -> {
                    List<Group> groups = new ArrayList<>();
                    List<Reply> words = reply.flat();
                    for (int i = 0; i < words.size(); i += 2) {
                        groups.add(new Group(
                                words.get(i).asString(), words.get(i + 1).asLong()));
                    }
                    return groups;
                });
    }

    /**
     * The articles behind a place, highest score first; empty = from the top. A walk repeats no article, since scores
     * never fall. It skips only those that votes have lifted above the place of the walk meanwhile.
     *
     * @param group folded; empty = all articles
     */
    public Future<List<Ranked>> byScore(String group, Optional<Ranked> after, int limit) {
        String key = group.isEmpty() ? Keys.ARTICLES_BY_SCORE : Keys.articlesByScore(group);
        Command page = after.isEmpty()
                ? Command.of("ZRANGE", key, 0, limit - 1, "REV", "WITHSCORES")
                : PAGE.call(List.of(key), after.get().score(), after.get().id(), limit);
        return redis.send(page).map(reply -> {
            List<Ranked> ranked = new ArrayList<>();
            List<Reply> words = reply.flat();
            for (int i = 0; i < words.size(); i += 2) {
                ranked.add(new Ranked(words.get(i).asLong(), words.get(i + 1).asLong()));
            }
            return ranked;
        });
    }

    /**
     * A page of articles by the time of their publication.
     *
     * @param group folded; empty = all articles
     * @param visibilityCheck says what is shown of some of them
     */
    public <T> Future<Page<T>> byTime(String group, PageRequest page, VisibilityCheck<T> visibilityCheck) {
        String key = group.isEmpty() ? Keys.ARTICLES_BY_TIME : Keys.articlesByTime(group);
        return SortedSetPager.page(redis, key, page, visibilityCheck);
    }

    /** The newest {@value #BEST_MAX} of those with {@code articles.best-votes}, newest first. */
    public Future<List<Long>> best() {
        return redis.send(Command.of("ZRANGE", Keys.BEST_ARTICLES, 0, BEST_MAX - 1, "REV"))
                .map(Statuses::longs);
    }

    /**
     * The voters, the latest first; nobody once the voting is over. Pages are cut by the numbers of the votes, which
     * stand in the place of edges.
     */
    public Future<Page<Edge>> voters(long id, PageRequest page) {
        if (!isOpen(id)) {
            return Future.succeededFuture(new Page<>(List.of(), 0, 0));
        }
        String ballots = Keys.articleBallots(id);
        return redis.send(Command.of("LLEN", ballots))
                .compose(length -> length.asLong() > 0
                        ? ListPager.page(redis, ballots, length.asLong(), page)
                        : votersInSortedSet(id, page));
    }

    /** The voters of an article that a version before has ranked: by the scores that the votes have brought. */
    private Future<Page<Edge>> votersInSortedSet(long id, PageRequest page) {
        return SortedSetPager.page(redis, Keys.articleVoters(id), page, members -> {
            Map<String, Edge> voters = new HashMap<>();
            members.forEach(voter -> voters.put(voter.name(), new Edge(voter.id(), voter.score())));
            return Future.succeededFuture(voters);
        });
    }

    /** The articles, of these, that a list of all articles has. */
    public static Future<Set<Long>> listed(Redis redis, List<Long> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture(Set.of());
        }
        List<Command> commands = new ArrayList<>();
        for (String list : List.of(Keys.ARTICLES_BY_SCORE, Keys.ARTICLES_BY_TIME, Keys.BEST_ARTICLES)) {
            commands.add(Command.of("ZMSCORE", list, ids.toArray()));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Set<Long> listed = new HashSet<>();
            for (Reply scores : replies) {
                for (int i = 0; i < ids.size(); i++) {
                    if (!scores.items().get(i).isNil()) {
                        listed.add(ids.get(i));
                    }
                }
            }
            return listed;
        });
    }

    /**
     * How these stand, in one pipelined round trip, and none when there are none; a second one when others have voted
     * since the viewer last saw some of them. Those that are not ranked yet are left out; deleted ones have the votes
     * that they had.
     *
     * @param viewer 0 = anonymous
     * @param since what was true of their groups at any instant since this moment will do: see
     *     {@link Redis#pipeline(List, long)}
     */
    public Future<Map<Long, Standing>> standings(Collection<Status> articles, long viewer, long since) {
        if (articles.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Long> ids = articles.stream().map(Status::id).toList();
        List<Long> open = viewer == 0 ? List.of() : open(ids);
        KnownVotes.Reading known = knownVotes.of(viewer, open);
        List<Long> unknown = open.stream().filter(id -> !known.has(id)).toList();
        List<Command> commands = new ArrayList<>(ids.size() + 2);
        commands.add(Command.of("ZMSCORE", Keys.ARTICLES_BY_SCORE, ids.toArray()));
        for (long id : ids) {
            commands.add(Command.tracked("HMGET", Keys.article(id), "votes", "groups"));
        }
        if (!unknown.isEmpty()) {
            commands.add(voted(unknown, viewer));
        }
        return BatchedPipeline.send(redis, commands, since).compose(replies -> {
            Map<Long, Long> scores = scores(ids, replies.get(0));
            if (!unknown.isEmpty()) {
                List<Boolean> unused = note(known, unknown, scores, replies.get(ids.size() + 1));
            }
            List<Long> others =
                    open.stream().filter(id -> !unknown.contains(id)).toList();
            return again(known, others, scores, viewer).map(done -> standings(ids, open, scores, replies, known));
        });
    }

    /**
     * On which of these a viewer has voted: only those are in the answer that can be voted on. No round trip when
     * nobody else has voted on them since the viewer last saw them.
     *
     * @param scores by article, read when this may be called at the latest
     */
    public Future<Map<Long, Boolean>> voted(Map<Long, Long> scores, long viewer) {
        long instant = clock.millis();
        KnownVotes.Reading known = knownVotes.of(viewer);
        Map<Long, Boolean> voted = new HashMap<>();
        List<Long> unknown = new ArrayList<>();
        scores.forEach((id, score) -> {
            if (instant < Article.votingEnds(id)) {
                Boolean vote = known.voted(id, score);
                if (vote == null) {
                    unknown.add(id);
                } else {
                    voted.put(id, vote);
                }
            }
        });
        return ask(known, unknown, scores, viewer).map(answered -> {
            for (int i = 0; i < unknown.size(); i++) {
                voted.put(unknown.get(i), answered.get(i));
            }
            return voted;
        });
    }

    /** The articles that can be voted on. */
    private List<Long> open(Collection<Long> ids) {
        long instant = clock.millis();
        return ids.stream().filter(id -> instant < Article.votingEnds(id)).toList();
    }

    private static Command voted(List<Long> ids, long viewer) {
        return VOTED.call(ids.stream().map(Keys::articleVoters).toList(), viewer);
    }

    private static Map<Long, Long> scores(List<Long> ids, Reply reply) {
        Map<Long, Long> scores = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            Reply score = reply.items().get(i);
            scores.put(ids.get(i), score.isNil() ? 0 : score.asLong());
        }
        return scores;
    }

    /** Whether the viewer has voted on these, in their order. */
    private static List<Boolean> note(KnownVotes.Reading known, List<Long> ids, Map<Long, Long> scores, Reply voted) {
        List<Boolean> answers = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            boolean answer = voted.items().get(i).asLong() == 1;
            known.note(ids.get(i), scores.get(ids.get(i)), answer);
            answers.add(answer);
        }
        return answers;
    }

    /** Asks about those that others have voted on since they were asked about. */
    private Future<Void> again(KnownVotes.Reading known, List<Long> others, Map<Long, Long> scores, long viewer) {
        List<Long> doubtful = others.stream()
                .filter(id -> known.isDoubtful(id, scores.get(id)))
                .toList();
        return ask(known, doubtful, scores, viewer).mapEmpty();
    }

    private Future<List<Boolean>> ask(KnownVotes.Reading known, List<Long> ids, Map<Long, Long> scores, long viewer) {
        return ids.isEmpty()
                ? Future.succeededFuture(List.of())
                : redis.send(voted(ids, viewer)).map(voted -> note(known, ids, scores, voted));
    }

    private static Map<Long, Standing> standings(
            List<Long> ids, List<Long> open, Map<Long, Long> scores, List<Reply> replies, KnownVotes.Reading known) {
        Set<Long> openIds = Set.copyOf(open);
        Map<Long, Standing> standings = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            long id = ids.get(i);
            long score = scores.get(id);
            List<Reply> facts = replies.get(1 + i).items();
            if (score != 0 || !facts.get(0).isNil()) {
                long votes = score == 0 ? facts.get(0).asLong() : Article.votes(id, score);
                Optional<Boolean> voted = openIds.contains(id) ? Optional.of(known.voted(id)) : Optional.empty();
                standings.put(id, new Standing(votes, voted, groups(facts.get(1))));
            }
        }
        return standings;
    }

    /** The groups in the field {@code groups} of {@link Keys#article}. */
    public static List<String> groups(Reply field) {
        return field.isNil() ? List.of() : List.of(field.asString().split(" ", -1));
    }
}
