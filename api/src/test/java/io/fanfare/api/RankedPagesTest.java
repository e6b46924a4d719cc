package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Ranked pages, most of which is read once for many viewers, of two processes. */
class RankedPagesTest extends OnEveryRedis {
    private static final String RANKING = "/api/v1/articles";

    /** Actions, each with a look at every page of every viewer. */
    private static final int STEPS = 25;

    private static final int MANY_STEPS = 300;
    private static ApiServer other;

    @BeforeParameterizedClassInvocation
    static void another() {
        other = new ApiServer(redis);
    }

    @AfterParameterizedClassInvocation
    static void closeOther() {
        other.close();
    }

    private static String article(User author, String title) {
        return api.post(RANKING, author.token(), "title", title, "groups[]", "java")
                .text("/id");
    }

    private static List<JsonNode> page(ApiServer process, String path, User viewer) {
        List<JsonNode> page = new ArrayList<>();
        process.get(path, viewer == null ? null : viewer.token()).json().forEach(page::add);
        return page;
    }

    /**
     * An action of one viewer shows at once in another process, and each viewer's page shows each article as it is
     * alone.
     */
    @Test
    void aPageShowsEveryViewerWhatItsArticlesShowAlone() {
        actAndCompare(STEPS);
    }

    @Test
    @Tag("faults")
    void aPageShowsEveryViewerWhatItsArticlesShowAloneAfterManySteps() {
        actAndCompare(MANY_STEPS);
    }

    private void actAndCompare(int steps) {
        redis.flush();
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<User> people = List.of(api.signUp("ann"), api.signUp("bob"), api.signUp("cat"), api.signUp("dan"));
        List<String> ids = new ArrayList<>();
        people.forEach(author -> ids.add(article(author, "By " + author.id())));
        ids.add(article(people.get(0), "One more"));
        List<ApiServer> processes = List.of(api, other);
        for (int step = 0; step < steps; step++) {
            User actor = people.get(random.nextInt(people.size()));
            User whom = people.get(random.nextInt(people.size()));
            String id = ids.get(random.nextInt(ids.size()));
            String status = "/api/v1/statuses/" + id;
            String account = "/api/v1/accounts/" + whom.id();
            ApiServer process = processes.get(random.nextInt(2));
            int what = random.nextInt(12);
            Response done =
                    switch (what) {
                        case 0, 1 -> process.post(RANKING + "/" + id + "/vote", actor.token());
                        case 2 -> process.post(status + "/favourite", actor.token());
                        case 3 -> process.post(status + "/unfavourite", actor.token());
                        case 4 -> process.post(status + "/bookmark", actor.token());
                        case 5 -> process.post(status + "/reblog", actor.token());
                        case 6 -> rename(process, actor, "Step " + step);
                        case 7 -> process.delete(RANKING + "/" + id + "/groups/java", actor.token());
                        case 8 -> process.send("PUT", RANKING + "/" + id + "/groups/java", actor.token(), null, null);
                        case 9 -> process.post(account + (random.nextBoolean() ? "/mute" : "/unmute"), actor.token());
                        case 10 ->
                            process.post(account + (random.nextBoolean() ? "/block" : "/unblock"), actor.token());
                        default ->
                            random.nextInt(3) == 0
                                    ? process.delete(status, actor.token())
                                    : process.post(RANKING, actor.token(), "title", "Step " + step, "groups[]", "java");
                    };
            assertThat(done.status()).as(done.body()).isIn(200, 401, 403, 404, 422);
            if (what == 11 && done.status() == 200 && done.json().path("text").isMissingNode()) {
                ids.add(done.text("/id"));
            }
            String as = "seed " + seed + " step " + step + " action " + what;
            List<User> viewers = new ArrayList<>(people);
            viewers.add(null);
            for (User viewer : viewers) {
                ApiServer server = processes.get(random.nextInt(2));
                Map<String, JsonNode> alone = new HashMap<>();
                for (String path : List.of(RANKING, "/api/v1/groups/java/articles")) {
                    for (JsonNode entry : page(server, path, viewer)) {
                        assertThat(entry)
                                .as(as)
                                .isEqualTo(
                                        alone.computeIfAbsent(entry.path("id").asText(), article -> server.get(
                                                        RANKING + "/" + article, viewer == null ? null : viewer.token())
                                                .json()));
                    }
                }
                List<JsonNode> ranked = page(server, RANKING + "?limit=40", viewer);
                assertThat(page(server, "/api/v1/trends/statuses?limit=40", viewer))
                        .as(as)
                        .isEqualTo(ranked);
                for (JsonNode byTime : page(server, RANKING + "?order=time&limit=40", viewer)) {
                    assertThat(ranked).as(as).contains(byTime);
                }
                assertThat(page(server, "/api/v1/trends/statuses?offset=2", viewer))
                        .as(as)
                        .isEqualTo(after(2, ranked));
            }
        }
    }

    private static Response rename(ApiServer process, User actor, String name) {
        String body = "{\"display_name\":\"" + name + "\"}";
        return process.send("PATCH", "/api/v1/accounts/update_credentials", actor.token(), "application/json", body);
    }

    private static List<JsonNode> after(int skipped, List<JsonNode> page) {
        return page.subList(Math.min(skipped, page.size()), Math.min(page.size(), skipped + 20));
    }

    /** Many at once, so that readings are shared; those before a vote must not be. */
    @Test
    void everybodySeesTheirOwnVotesAtOnceThoughPagesAreShared() throws Exception {
        redis.flush();
        User author = api.signUp("author");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(article(author, "Article " + i));
        }
        List<User> voters = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            voters.add(api.signUp("voter" + i));
        }
        ExecutorService threads = Executors.newFixedThreadPool(voters.size());
        List<Callable<Void>> tasks = new ArrayList<>();
        for (User voter : voters) {
            tasks.add(() -> {
                voteAndLook(voter, ids);
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(tasks)) {
            done.get();
        }
        threads.shutdown();

        assertThat(page(api, RANKING, author))
                .hasSize(20)
                .allMatch(article -> article.at("/article/votes").asInt() == 9);
    }

    private static void voteAndLook(User voter, List<String> ids) {
        Random random = new Random(voter.id().hashCode());
        Set<String> voted = new HashSet<>();
        for (String id : ids) {
            ApiServer server = random.nextBoolean() ? api : other;
            ApiServer process = random.nextBoolean() ? api : other;
            assertThat(process.post(RANKING + "/" + id + "/vote", voter.token()).status())
                    .isEqualTo(200);
            voted.add(id);
            List<JsonNode> page = page(server, RANKING, voter);
            assertThat(page).hasSize(20);
            for (JsonNode article : page) {
                boolean mine = voted.contains(article.path("id").asText());
                assertThat(article.at("/article/voted").asBoolean()).isEqualTo(mine);
                assertThat(article.at("/article/votes").asInt()).isGreaterThanOrEqualTo(mine ? 2 : 1);
            }
        }
    }

    /** Half of the articles get votes all the time, the others none. */
    @Test
    void aWalkFromPageToPageRepeatsNothingAndLeavesOutOnlyWhatIsVotedOnMeanwhile() throws Exception {
        redis.flush();
        User author = api.signUp("author");
        List<String> quiet = new ArrayList<>();
        List<String> lifted = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            quiet.add(article(author, "Quiet " + i));
            lifted.add(article(author, "Lifted " + i));
        }
        List<User> voters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            voters.add(api.signUp("voter" + i));
        }
        ExecutorService threads = Executors.newFixedThreadPool(voters.size());
        List<Future<Void>> voting = new ArrayList<>();
        for (User voter : voters) {
            voting.add(threads.submit(() -> {
                voteInAnyOrder(voter, lifted);
                return null;
            }));
        }
        do {
            User viewer = voting.get(0).isDone() ? null : voters.get(0);
            assertThat(walk(RANKING + "?limit=7", viewer))
                    .doesNotHaveDuplicates()
                    .containsAll(quiet);
        } while (!voting.stream().allMatch(Future::isDone));
        for (Future<Void> done : voting) {
            done.get();
        }
        threads.shutdown();

        List<String> all = new ArrayList<>(quiet);
        all.addAll(lifted);
        assertThat(walk(RANKING + "?limit=7", null)).containsExactlyInAnyOrderElementsOf(all);
    }

    private static void voteInAnyOrder(User voter, List<String> ids) {
        List<String> order = new ArrayList<>(ids);
        Random random = new Random();
        Collections.shuffle(order, random);
        for (String id : order) {
            ApiServer process = random.nextBoolean() ? api : other;
            assertThat(process.post(RANKING + "/" + id + "/vote", voter.token()).status())
                    .isEqualTo(200);
        }
    }

    private static List<String> walk(String path, User viewer) {
        List<String> ids = new ArrayList<>();
        Optional<String> next = Optional.of(path);
        while (next.isPresent()) {
            Response page = api.get(next.get(), viewer == null ? null : viewer.token());
            ids.addAll(page.each("id"));
            next = page.link("next").map(URI::toString);
        }
        return ids;
    }
}
