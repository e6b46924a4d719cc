package io.fanfare.bench.replay;

import io.fanfare.bench.replay.FeedClient.Answer;
import io.fanfare.bench.replay.FeedClient.Call;
import io.fanfare.common.model.Article;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Casts the votes of a file on the articles of a ledger, and compares every count, score and list with what was
 * acknowledged: votes are distinct voters, the author among them, and lists are in the order of their scores and times.
 * One event loop.
 */
final class VoteRun {
    private static final int GROUPS = 3;
    private static final int PAGE = 80;

    private final FeedClient client;
    private final Plan plan;
    private final Votes votes;
    private final List<Person> people;
    private final Ledger ledger;
    private final Map<Long, Set<Long>> voters = new LinkedHashMap<>();
    private final Differences differences = new Differences();

    VoteRun(FeedClient client, Plan plan, Votes votes, List<Person> people, Ledger ledger) {
        this.client = client;
        this.plan = plan;
        this.votes = votes;
        this.people = people;
        this.ledger = ledger;
    }

    /** The group of a run that an article is put into when it is published. */
    static String group(Plan plan, int article) {
        return "r" + plan.run() + "-" + article % GROUPS;
    }

    /** Casts all votes; {@code onEach} is told of each that is answered. */
    Future<Void> run(Runnable onEach) {
        for (int article = 0; article < votes.articles(); article++) {
            int post = post(article);
            voters.put(
                    ledger.id(post),
                    new HashSet<>(Set.of(people.get(ledger.author(post)).id())));
        }
        return BoundedParallel.each(votes.cast(), plan.atOnce(), this::cast, onEach)
                .mapEmpty();
    }

    private Future<Void> cast(Votes.Vote vote) {
        long id = ledger.id(post(vote.article()));
        Person voter = people.get(vote.user());
        return client.send(new Call(HttpMethod.POST, "/api/v1/articles/" + id + "/vote", voter.token(), null, null))
                .map(answer -> {
                    if (answer.isOk()) {
                        voters.get(id).add(voter.id());
                    } else {
                        differences.add("the vote of " + voter.username() + " on " + id + " was refused with "
                                + answer.status() + ": " + answer.body());
                    }
                    return null;
                });
    }

    /** Articles are the last posts of the ledger. */
    private int post(int article) {
        return ledger.posts() - votes.articles() + article;
    }

    /** Compares counts and lists; answers what differs, refused votes too. */
    Future<Differences> compare() {
        if (votes.articles() == 0) {
            return Future.succeededFuture(differences);
        }
        List<Compared> lists = new ArrayList<>(List.of(new Compared("/api/v1/articles", article -> true)));
        for (int group = 0; group < Math.min(GROUPS, votes.articles()); group++) {
            int mine = group;
            lists.add(new Compared(
                    "/api/v1/groups/" + group(plan, group) + "/articles", article -> article % GROUPS == mine));
        }
        return BoundedParallel.each(lists, 1, this::compare).map(done -> differences);
    }

    /** A list, and which articles must be in it. */
    private record Compared(String path, Predicate<Integer> has) {}

    private Future<Void> compare(Compared list) {
        return walk(list.path() + "?limit=" + PAGE + "&order=score", new ArrayList<>())
                .compose(byScore -> walk(list.path() + "?limit=" + PAGE + "&order=time", new ArrayList<>())
                        .map(byTime -> {
                            compare(list, byScore, byTime);
                            return null;
                        }));
    }

    private void compare(Compared list, List<JsonObject> byScore, List<JsonObject> byTime) {
        List<Long> ids = new ArrayList<>(IntStream.range(0, votes.articles())
                .filter(article -> list.has().test(article))
                .mapToObj(article -> ledger.id(post(article)))
                .toList());
        ids.sort((a, b) -> Long.compare(b, a));
        compare(list.path() + " by time", ids, byTime);
        ids.sort((a, b) -> {
            int order = Long.compare(score(b), score(a));
            return order == 0 ? Long.compare(b, a) : order;
        });
        compare(list.path() + " by score", ids, byScore);
        for (JsonObject shown : byScore) {
            JsonObject article = shown.getJsonObject("article");
            long id = id(shown);
            if (article.getLong("votes") != voters.get(id).size() || article.getLong("score") != score(id)) {
                differences.add("article " + id + " has " + article.getLong("votes") + " votes and the score "
                        + article.getLong("score") + ", not " + voters.get(id).size() + " and " + score(id));
            }
        }
    }

    private void compare(String list, List<Long> expected, List<JsonObject> shown) {
        List<Long> ids = shown.stream().map(VoteRun::id).toList();
        if (!ids.equals(expected)) {
            int at = 0;
            while (at < Math.min(ids.size(), expected.size()) && ids.get(at).equals(expected.get(at))) {
                at++;
            }
            differences.add(list + " shows " + ids.size() + " articles of this run, not " + expected.size()
                    + ", or in another order from number " + at + " on");
        }
    }

    private long score(long id) {
        return Article.score(id, voters.get(id).size());
    }

    private static long id(JsonObject status) {
        return Long.parseLong(status.getString("id"));
    }

    /** All pages; of other articles than those of this run nothing is known. */
    private Future<List<JsonObject>> walk(String path, List<JsonObject> found) {
        return client.require(Call.get(path, people.get(0).token())).compose(page -> {
            add(page, found);
            return page.next() == null ? Future.succeededFuture(found) : walk(page.next(), found);
        });
    }

    private void add(Answer page, List<JsonObject> found) {
        page.body().toJsonArray().forEach(entry -> {
            JsonObject status = (JsonObject) entry;
            if (voters.containsKey(id(status))) {
                found.add(status);
            }
        });
    }
}
