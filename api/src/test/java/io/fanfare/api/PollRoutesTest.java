package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollRoutesTest extends OnEveryRedis {
    private static final String FORM = "application/x-www-form-urlencoded";

    private static int people;

    private final User ann = api.signUp("asker" + ++people);
    private final User bob = api.signUp("voter" + people);

    private Response ask(String more, String... options) {
        StringBuilder form = new StringBuilder("status=which&poll[expires_in]=600");
        for (String option : options) {
            form.append("&poll[options][]=").append(option);
        }
        return api.send("POST", "/api/v1/statuses", ann.token(), FORM, form + more);
    }

    private Response vote(User voter, String poll, int... choices) {
        StringBuilder form = new StringBuilder();
        for (int choice : choices) {
            form.append("&choices[]=").append(choice);
        }
        return api.send("POST", "/api/v1/polls/" + poll + "/votes", voter.token(), FORM, form.toString());
    }

    @Test
    void ownVotesAreInTheOrderInWhichTheyWereGiven() {
        String id = ask("&poll[multiple]=true", "this", "that", "both").text("/poll/id");

        assertThat(vote(bob, id, 2, 0).json().path("own_votes").toString()).isEqualTo("[2,0]");
        assertThat(vote(bob, id, 1).json().path("own_votes").toString()).isEqualTo("[2,0,1]");
        assertThat(api.get("/api/v1/statuses/" + id, bob.token())
                        .json()
                        .at("/poll/own_votes")
                        .toString())
                .isEqualTo("[2,0,1]");
    }

    @Test
    void aPollIsPostedShownAndVotedOnOnce() {
        Response posted = ask("", "this", "that", "both");
        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        String id = posted.text("/poll/id");
        assertThat(id).isEqualTo(posted.text("/id"));
        assertThat(posted.json().at("/poll/voted").asBoolean())
                .as("its author cannot")
                .isTrue();

        Response voted = vote(bob, id, 1);
        assertThat(voted.status()).as(voted.body()).isEqualTo(200);
        assertThat(voted.json().at("/options/1/votes_count").asInt()).isEqualTo(1);
        assertThat(voted.text("/own_votes/0")).isEqualTo("1");
        assertThat(vote(bob, id, 0).text("/error")).contains("You have already voted on this poll");
        assertThat(vote(ann, id, 0).text("/error")).contains("You cannot vote in your own polls");
        assertThat(vote(bob, id, 7).text("/error")).contains("The chosen vote option does not exist");
        assertThat(vote(bob, id).status()).isEqualTo(422);

        JsonNode shown = api.get("/api/v1/statuses/" + id, bob.token()).json().path("poll");
        assertThat(shown).isEqualTo(api.get("/api/v1/polls/" + id, bob.token()).json());
        assertThat(shown.path("voted").asBoolean()).isTrue();
        assertThat(shown.path("voters_count").asInt()).isEqualTo(1);
        JsonNode anonymous = api.get("/api/v1/polls/" + id, null).json();
        assertThat(anonymous.has("voted")).isFalse();
        assertThat(anonymous.path("votes_count").asInt()).isEqualTo(1);
        assertThat(api.get("/api/v1/polls/" + api.publish(ann, "no poll"), ann.token())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aPollIsVisibleOnlyToViewersOfItsStatus() {
        String id = ask("&visibility=private", "a", "b").text("/id");

        assertThat(api.get("/api/v1/polls/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(vote(bob, id, 0).status()).isEqualTo(404);
        api.follow(bob, ann);
        assertThat(vote(bob, id, 0).status()).isEqualTo(200);
    }

    @Test
    void aBlockedUserDoesNotSeeThePollAndABlockerMayNotVote() {
        String id = ask("", "a", "b").text("/id");
        User eve = api.signUp("blocker" + ++people);
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/block", ann.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/api/v1/accounts/" + ann.id() + "/block", eve.token())
                        .status())
                .isEqualTo(200);

        assertThat(vote(bob, id, 0).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/polls/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(vote(eve, id, 0).status()).isEqualTo(403);
        assertThat(api.get("/api/v1/polls/" + id, eve.token()).status()).isEqualTo(200);
        assertThat(api.get("/api/v1/polls/" + id, null)
                        .json()
                        .path("votes_count")
                        .asInt())
                .isZero();
        assertThat(api.post("/api/v1/accounts/" + ann.id() + "/unblock", eve.token())
                        .status())
                .isEqualTo(200);
        assertThat(vote(eve, id, 0).status()).isEqualTo(200);
    }

    @Test
    void aDirectMessageAsksWhomItIsFor() {
        String id =
                ask("&visibility=direct&status=which,+@" + bob.name(), "a", "b").text("/id");

        assertThat(vote(api.signUp("outsider" + ++people), id, 0).status()).isEqualTo(404);
        assertThat(vote(bob, id, 0).status()).isEqualTo(200);
    }

    @Test
    void nobodyVotesWhenItIsOver() {
        String id = ask("&poll[hide_totals]=true", "a", "b").text("/id");
        assertThat(vote(bob, id, 0).json().at("/options/0/votes_count").isNull())
                .isTrue();
        String key = Keys.status(Long.parseLong(id));
        redis.askAt(key, "HSET", key, "poll", "1 0 1\na\nb");
        // As another process sees it, which has not remembered the status.
        try (ApiServer other = new ApiServer(redis)) {
            Response late = other.send("POST", "/api/v1/polls/" + id + "/votes", ann.token(), FORM, "choices[]=0");
            assertThat(late.status()).isEqualTo(422);
            Response over = other.get("/api/v1/polls/" + id, bob.token());
            assertThat(over.json().path("expired").asBoolean()).isTrue();
            assertThat(over.json().at("/options/0/votes_count").asInt()).isEqualTo(1);
        }
    }

    @Test
    void itGoesWithItsStatus() {
        String id = ask("", "a", "b").text("/id");
        assertThat(vote(bob, id, 0).status()).isEqualTo(200);
        assertThat(api.delete("/api/v1/statuses/" + id, ann.token())
                        .json()
                        .at("/poll/votes_count")
                        .asInt())
                .isZero();

        assertThat(api.get("/api/v1/polls/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(vote(bob, id, 1).status()).isEqualTo(404);
        String key = Keys.pollVotes(Long.parseLong(id));
        assertThat(redis.askAt(key, "EXISTS", key).asLong()).isZero();
    }

    @Test
    void anEditKeepsThePollAndCannotChangeIt() {
        String id = ask("", "a", "b").text("/id");
        assertThat(vote(bob, id, 1).status()).isEqualTo(200);
        String path = "/api/v1/statuses/" + id;
        String same = "&poll[options][]=a&poll[options][]=b";

        Response edited = api.send("PUT", path, ann.token(), FORM, "status=which+one" + same);
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(edited.json().at("/poll/votes_count").asInt()).isEqualTo(1);
        assertThat(api.get(path + "/history", bob.token()).json()).hasSize(2).allMatch(version -> version.path("poll")
                .toString()
                .equals("{\"options\":[{\"title\":\"a\"},{\"title\":\"b\"}]}"));
        // No client can know whether the totals are hidden.
        assertThat(api.send("PUT", path, ann.token(), FORM, "status=which+two" + same + "&poll[hide_totals]=true")
                        .status())
                .isEqualTo(200);
        assertThat(api.send("PUT", path, ann.token(), FORM, "status=x" + same + "&poll[multiple]=true")
                        .status())
                .isEqualTo(422);
        assertThat(api.send("PUT", path, ann.token(), FORM, "status=x" + same + "&poll[options][]=c")
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "poll[options][]=a, more than one",
        "poll[options][]=a&poll[options][]=a, duplicate",
        "poll[options][]=1&poll[options][]=2&poll[options][]=3&poll[options][]=4&poll[options][]=5, more than 4",
        "poll[options][]=a&poll[options][]=123456789012345678901234567890123456789012345678901, 50 characters",
        "poll[options][]=a&poll[options][]=b&poll[expires_in]=299, too soon",
        "poll[options][]=a&poll[options][]=b&poll[expires_in]=99999999, too far"
    })
    void anInvalidPollIsRefused(String poll, String sentence) {
        Response refused =
                api.send("POST", "/api/v1/statuses", ann.token(), FORM, "status=which&poll[expires_in]=600&" + poll);

        assertThat(refused.status()).as(refused.body()).isEqualTo(422);
        assertThat(refused.text("/error")).startsWith("Validation failed: ").contains(sentence);
    }

    @Test
    void nullIsNoPoll() {
        Response posted =
                api.postJson("/api/v1/statuses", ann.token(), "{\"status\":\"words\",\"poll\":null,\"media_ids\":[]}");

        assertThat(posted.status()).as(posted.body()).isEqualTo(200);
        assertThat(posted.json().path("poll").isNull()).isTrue();
    }

    @Test
    void aPollComesAsJsonToo() {
        Response posted = api.postJson(
                "/api/v1/statuses",
                ann.token(),
                "{\"status\":\"which\",\"poll\":{\"options\":[\"a\",\"b\"],\"expires_in\":86400,\"multiple\":true}}");

        assertThat(posted.json().at("/poll/multiple").asBoolean())
                .as(posted.body())
                .isTrue();
        assertThat(api.postJson("/api/v1/polls/" + posted.text("/id") + "/votes", bob.token(), "{\"choices\":[0,1]}")
                        .json()
                        .path("own_votes"))
                .hasSize(2);
    }

    /** The naive model: who has chosen what. */
    @Test
    void countsAreAlwaysThoseOfTheVotes() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<User> voters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            voters.add(api.signUp("crowd" + people + "x" + i));
        }
        for (boolean multiple : List.of(false, true)) {
            String id = ask("&poll[multiple]=" + multiple, "a", "b", "c").text("/id");
            Map<String, Set<Integer>> model = new TreeMap<>();
            for (int step = 0; step < 40; step++) {
                User voter = voters.get(random.nextInt(voters.size()));
                Set<Integer> chosen = new LinkedHashSet<>();
                for (int n = 1 + random.nextInt(2); n > 0; n--) {
                    chosen.add(random.nextInt(3));
                }
                Set<Integer> before = model.getOrDefault(voter.id(), Set.of());
                boolean allowed =
                        multiple ? before.stream().noneMatch(chosen::contains) : before.isEmpty() && chosen.size() == 1;
                Response answer =
                        vote(voter, id, chosen.stream().mapToInt(i -> i).toArray());
                assertThat(answer.status()).as(answer.body()).isEqualTo(allowed ? 200 : 422);
                if (allowed) {
                    model.computeIfAbsent(voter.id(), none -> new LinkedHashSet<>())
                            .addAll(chosen);
                }
            }
            JsonNode poll = api.get("/api/v1/polls/" + id, null).json();
            assertThat(poll.path("voters_count").asInt()).isEqualTo(model.size());
            for (int i = 0; i < 3; i++) {
                int option = i;
                assertThat(poll.at("/options/" + i + "/votes_count").asLong())
                        .isEqualTo(model.values().stream()
                                .filter(chosen -> chosen.contains(option))
                                .count());
            }
            for (User voter : voters) {
                List<Integer> own = new ArrayList<>();
                api.get("/api/v1/statuses/" + id, voter.token())
                        .json()
                        .at("/poll/own_votes")
                        .forEach(choice -> own.add(choice.asInt()));
                assertThat(own).isEqualTo(List.copyOf(model.getOrDefault(voter.id(), Set.of())));
            }
        }
    }
}
