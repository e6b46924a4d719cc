package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FollowRoutesTest extends OnEveryRedis {
    private static int names;

    private User ann;
    private User bob;

    @BeforeEach
    void signUp() {
        ann = user();
        bob = user();
    }

    private static User user() {
        return api.signUp("user" + names++);
    }

    private static List<User> users(int count) {
        List<User> users = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            users.add(user());
        }
        return users;
    }

    @Test
    void onlyPostsInTheLanguagesThatAreWantedStandInTheHome() {
        User reader = api.signUp("reader_of_few");
        User author = api.signUp("polyglot");
        String follow = "/api/v1/accounts/" + author.id() + "/follow";
        Response followed =
                api.post(follow, reader.token(), "languages[]", "en", "languages[]", "pt", "languages[]", "en");
        assertThat(followed.json().path("languages").toString()).isEqualTo("[\"en\",\"pt\"]");
        String english = say(author, "hello", "en");
        String german = say(author, "hallo", "de");
        String brazilian = say(author, "oi", "pt-BR");

        assertThat(home(reader)).contains(english, brazilian).doesNotContain(german);
        assertThat(api.post(follow, reader.token(), "reblogs", "false").json().path("languages"))
                .as("as before")
                .hasSize(2);
        Response all = api.post(follow, reader.token(), "languages[]", "");
        assertThat(all.json().path("languages").isNull()).isTrue();
        assertThat(home(reader)).contains(english, brazilian, german);
        assertThat(api.postJson(follow, reader.token(), "{\"languages\":[\"de\"]}")
                        .text("/languages/0"))
                .isEqualTo("de");
        assertThat(home(reader)).contains(german).doesNotContain(english);
        assertThat(api.post("/api/v1/accounts/" + author.id() + "/unfollow", reader.token())
                        .json()
                        .path("languages")
                        .isNull())
                .isTrue();
        assertThat(api.post(follow, reader.token()).json().path("languages").isNull())
                .as("a new follow")
                .isTrue();
    }

    private static String say(User author, String text, String language) {
        return api.post("/api/v1/statuses", author.token(), "status", text, "language", language)
                .text("/id");
    }

    private static List<String> home(User reader) {
        return api.get("/api/v1/timelines/home", reader.token()).each("id");
    }

    @Test
    void languagesOfAFollowHaveLimits() {
        User reader = api.signUp("reader_of_many");
        User author = api.signUp("author_of_many");
        String follow = "/api/v1/accounts/" + author.id() + "/follow";
        String eleven = IntStream.range(0, 11)
                .mapToObj(i -> "\"a" + (char) ('a' + i) + "\"")
                .collect(Collectors.joining(","));

        assertThat(api.postJson(follow, reader.token(), "{\"languages\":[" + eleven + "]}")
                        .text("/error"))
                .contains("languages are too many (at most 10)");
        assertThat(api.post(follow, reader.token(), "languages[]", "e n").status())
                .isEqualTo(422);
        assertThat(api.get("/api/v1/accounts/relationships?id[]=" + author.id(), reader.token())
                        .json()
                        .at("/0/following")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void repostsOfWhomOneFollowsAreAMatterOfTheFollow() {
        User star = user();
        String follow = "/api/v1/accounts/" + star.id() + "/follow";
        assertThat(showsReposts(api.post(follow, ann.token(), "reblogs", "false")))
                .isFalse();
        assertThat(showsReposts(api.post(follow, ann.token()))).isFalse();
        Response read = api.get("/api/v1/accounts/relationships?id[]=" + star.id(), ann.token());
        assertThat(read.json().at("/0/showing_reblogs").asBoolean()).isFalse();
        assertThat(read.json().at("/0/following").asBoolean()).isTrue();
        assertThat(showsReposts(api.postJson(follow, ann.token(), "{\"reblogs\":true}")))
                .isTrue();
        assertThat(count(star, "followers_count")).isEqualTo(1);

        assertThat(showsReposts(api.post(follow, ann.token(), "reblogs", "0"))).isFalse();
        assertThat(showsReposts(api.post("/api/v1/accounts/" + star.id() + "/unfollow", ann.token())))
                .isFalse();
        assertThat(showsReposts(api.post(follow, ann.token()))).isTrue();
    }

    private static boolean showsReposts(Response relationship) {
        assertThat(relationship.status()).isEqualTo(200);
        assertThat(relationship.json().path("notifying").asBoolean()).isFalse();
        return relationship.json().path("showing_reblogs").asBoolean();
    }

    @Test
    void manyAreFollowedAndUnfollowedAtOnceInTheOrderOfTheRequest() {
        List<User> fifteen = users(15);
        for (int count : new int[] {3, 15}) {
            List<String> ids = new ArrayList<>(
                    fifteen.subList(0, count).stream().map(User::id).toList());
            Collections.reverse(ids);
            Response followed = many("follow", ids);
            assertThat(followed.each("id")).isEqualTo(ids);
            assertThat(followed.each("following")).containsOnly("true");
            assertThat(count(ann, "following_count")).isEqualTo(count);
            Response unfollowed = many("unfollow", ids);
            assertThat(unfollowed.each("id")).isEqualTo(ids);
            assertThat(unfollowed.each("following")).containsOnly("false");
            assertThat(count(ann, "following_count")).isZero();
        }
    }

    @Test
    void aFewAreFollowedCompletelyAndMoreByOneJob() {
        List<User> eleven = users(11);
        many("follow", List.of(eleven.get(0).id()));
        assertThat(count(eleven.get(0), "followers_count")).isEqualTo(1);
        String lane = Keys.lane(shard(ann), "normal");
        many("follow", eleven.stream().map(User::id).toList());
        assertThat(count(eleven.get(1), "followers_count")).isZero();
        assertThat(redis.askAt(lane, "LLEN", lane).asLong()).isEqualTo(1);
        many("unfollow", eleven.stream().map(User::id).toList());
        assertThat(redis.askAt(lane, "LLEN", lane).asLong()).isEqualTo(2);
    }

    private static int shard(User user) {
        return Id.shard(Long.parseLong(user.id()));
    }

    @Test
    void oneBadIdDoesNotUndoTheOthersAndStandsInItsPlace() {
        User cat = user();
        assertThat(api.post("/api/v1/accounts/" + ann.id() + "/block", cat.token())
                        .status())
                .isEqualTo(200);
        Response answer = many("follow", List.of("nobody", bob.id(), "4711", ann.id(), cat.id(), bob.id()));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.each("id")).containsExactly("nobody", bob.id(), "4711", ann.id(), cat.id(), bob.id());
        assertThat(answer.each("following")).containsExactly("", "true", "", "", "", "true");
        for (int i : new int[] {0, 2, 3, 4}) {
            assertThat(answer.text("/" + i + "/error")).endsWith(".");
        }
        assertThat(count(ann, "following_count")).isEqualTo(1);
    }

    @Test
    void aListMustBeThereAndHaveAnEnd() {
        assertThat(many("follow", List.of()).status()).isEqualTo(400);
        assertThat(many("follow", Collections.nCopies(101, bob.id())).status()).isEqualTo(422);
        assertThat(many("unfollow", Collections.nCopies(100, bob.id())).status())
                .isEqualTo(200);
    }

    @Test
    void theFourStatesStandInOwnAndForeignListsWithTheTimeOfTheFollow() {
        User star = user();
        User mutual = user();
        User follower = user();
        User stranger = user();
        for (User fan : List.of(bob, mutual, follower, stranger, ann)) {
            api.follow(fan, star);
        }
        api.follow(ann, bob);
        api.follow(ann, mutual);
        api.follow(mutual, ann);
        api.follow(follower, ann);
        Response foreign = api.get("/api/v1/accounts/" + star.id() + "/followers", ann.token());
        assertThat(states(foreign))
                .isEqualTo(Map.of(
                        bob.id(),
                        "following",
                        mutual.id(),
                        "mutual",
                        follower.id(),
                        "follower",
                        stranger.id(),
                        "none",
                        ann.id(),
                        "self"));
        assertThat(foreign.each("followed_at")).allMatch(time -> time.matches("\\d{4}-.*Z"));
        assertThat(foreign.each("followed_at")).isSortedAccordingTo(Collections.reverseOrder());

        Response own = api.get("/api/v1/accounts/" + ann.id() + "/following", ann.token());
        assertThat(states(own)).isEqualTo(Map.of(star.id(), "following", bob.id(), "following", mutual.id(), "mutual"));
        Response theirs = api.get("/api/v1/accounts/" + mutual.id() + "/followers", null);
        String edge = theirs.text("/0/followed_at");
        assertThat(own.json().get(0).path("followed_at").asText())
                .as("the same edge from both ends")
                .isEqualTo(edge);
        assertThat(theirs.json().at("/0/relationship_state").isNull()).isTrue();
    }

    @Test
    void hiddenFollowsShowTheirNumberAndStayVisibleToTheOwner() {
        User shy = user();
        User friend = user();
        api.follow(ann, shy);
        api.follow(friend, shy);
        api.follow(shy, friend);
        api.follow(ann, friend);
        String path = "/api/v1/accounts/" + shy.id();
        String familiar = "/api/v1/accounts/familiar_followers?id[]=" + friend.id() + "&id[]=" + shy.id();
        assertThat(api.get(familiar, ann.token()).json().at("/0/accounts")).hasSize(1);
        assertThat(api.get(familiar, ann.token()).json().at("/1/accounts")).hasSize(1);

        Response changed =
                api.patchJson("/api/v1/accounts/update_credentials", shy.token(), "{\"hide_collections\":true}");

        assertThat(changed.json().path("hide_collections").asBoolean()).isTrue();
        assertThat(changed.json().at("/source/hide_collections").asBoolean()).isTrue();
        for (String list : List.of("/followers", "/following")) {
            for (String token : new String[] {null, ann.token(), friend.token()}) {
                Response hidden = api.get(path + list, token);
                assertThat(hidden.status()).isEqualTo(200);
                assertThat(hidden.json()).isEmpty();
                assertThat(hidden.header("Link")).isEmpty();
            }
            assertThat(api.get(path + list, shy.token()).json()).isNotEmpty();
        }
        assertThat(api.get(path + "/common_following", ann.token()).json()).isEmpty();
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/common_following?with=" + shy.id(), bob.token())
                        .json())
                .isEmpty();
        assertThat(api.get(familiar, ann.token()).json().at("/0/accounts")).isEmpty();
        assertThat(api.get(familiar, ann.token()).json().at("/1/accounts")).isEmpty();
        Response seen = api.get(path, ann.token());
        assertThat(seen.json().path("hide_collections").asBoolean()).isTrue();
        assertThat(seen.json().path("followers_count").asInt()).isEqualTo(2);
        assertThat(seen.json().path("following_count").asInt()).isEqualTo(1);

        assertThat(api.patchJson("/api/v1/accounts/update_credentials", shy.token(), "{\"hide_collections\":false}")
                        .status())
                .isEqualTo(200);

        assertThat(api.get(path + "/followers", null).json()).hasSize(2);
    }

    @Test
    void aWalkMissesNothingAndRepeatsNothingWhileEdgesComeAndGo() {
        User star = user();
        List<User> fans = users(12);
        fans.forEach(fan -> api.follow(fan, star));
        List<String> walked = new ArrayList<>();
        Optional<URI> next =
                Optional.of(URI.create(api.url() + "/api/v1/accounts/" + star.id() + "/followers?limit=3"));
        int page = 0;
        while (next.isPresent()) {
            Response answer = api.get(next.get().toString(), null);
            walked.addAll(answer.each("id"));
            next = answer.link("next");
            // One that was shown goes and comes back, one comes anew; neither may be seen below.
            User shown = fans.get(fans.size() - 1 - 3 * page);
            assertThat(api.post("/api/v1/accounts/" + shown.id() + "/remove_from_followers", star.token())
                            .status())
                    .isEqualTo(200);
            api.follow(shown, star);
            api.follow(user(), star);
            page++;
            assertThat(page).isLessThan(10);
        }
        List<String> all = new ArrayList<>(fans.stream().map(User::id).toList());
        Collections.reverse(all);
        assertThat(walked).isEqualTo(all);
    }

    @Test
    void commonFollowsAreWalkedByTheirLinksEvenIfTheFollowsChangeMeanwhile() {
        List<User> stars = users(9);
        stars.forEach(star -> api.follow(ann, star));
        List<String> common = new ArrayList<>();
        for (User star : stars.subList(0, 7)) {
            api.follow(bob, star);
            common.add(0, star.id());
        }
        List<String> walked = new ArrayList<>();
        Optional<URI> next =
                Optional.of(URI.create(api.url() + "/api/v1/accounts/" + bob.id() + "/common_following?limit=2"));
        while (next.isPresent()) {
            Response answer = api.get(next.get().toString(), ann.token());
            walked.addAll(answer.each("id"));
            next = answer.link("next");
            List<User> more = users(2); // Bob soon follows more than Ann.
            more.forEach(star -> api.follow(bob, star));
        }
        assertThat(walked).isEqualTo(common);
        String path = "/api/v1/accounts/" + bob.id() + "/common_following";
        assertThat(api.get(path + "?with=" + ann.id(), stars.get(0).token()).each("id"))
                .containsExactlyInAnyOrderElementsOf(common);
        assertThat(api.get(path, null).status()).isEqualTo(401);
        assertThat(api.get(path + "?with=4711", ann.token()).status()).isEqualTo(404);
        assertThat(api.get(path, bob.token()).each("id")).hasSizeGreaterThan(7);
    }

    @Test
    void familiarFollowersAreThoseThatTheViewerFollows() {
        User cat = user();
        User star = user();
        api.follow(ann, bob);
        api.follow(bob, star);
        api.follow(cat, star);
        Response answer = api.get(
                "/api/v1/accounts/familiar_followers?id[]=" + star.id() + "&id[]=4711&id[]=" + cat.id(), ann.token());
        assertThat(answer.each("id")).containsExactly(star.id(), cat.id());
        assertThat(answer.json().at("/0/accounts")).hasSize(1);
        assertThat(answer.text("/0/accounts/0/id")).isEqualTo(bob.id());
        assertThat(answer.json().at("/1/accounts")).isEmpty();
    }

    @Test
    void aFollowerCanBeRemoved() {
        api.follow(bob, ann);
        Response answer = api.post("/api/v1/accounts/" + bob.id() + "/remove_from_followers", ann.token());
        assertThat(answer.json().path("followed_by").asBoolean()).isFalse();
        assertThat(count(ann, "followers_count")).isZero();
        assertThat(count(bob, "following_count")).isZero();
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/remove_from_followers", ann.token())
                        .status())
                .isEqualTo(200);
    }

    @CanIgnoreReturnValue
    private Response many(String what, List<String> ids) {
        String list = String.join("\",\"", ids);
        return api.postJson(
                "/api/v1/accounts/" + what, ann.token(), "{\"id\":[" + (ids.isEmpty() ? "" : '"' + list + '"') + "]}");
    }

    private static Map<String, String> states(Response list) {
        Map<String, String> states = new TreeMap<>();
        for (JsonNode account : list.json()) {
            states.put(
                    account.path("id").asText(),
                    account.path("relationship_state").asText());
        }
        assertThat(new HashSet<>(list.each("id"))).hasSize(list.json().size());
        return states;
    }

    private static int count(User user, String field) {
        return api.get("/api/v1/accounts/" + user.id(), null).json().path(field).asInt();
    }

    @Test
    void theRelationshipShowsNotifyingAndAFollowWithoutNotifyKeepsIt() {
        User one = api.signUp("listener");
        User other = api.signUp("listened");
        String follow = "/api/v1/accounts/" + other.id() + "/follow";
        assertThat(api.post(follow, one.token()).json().path("notifying").asBoolean())
                .isFalse();
        assertThat(api.post(follow, one.token(), "notify", "true")
                        .json()
                        .path("notifying")
                        .asBoolean())
                .isTrue();
        assertThat(api.post(follow, one.token(), "reblogs", "false")
                        .json()
                        .path("notifying")
                        .asBoolean())
                .isTrue();
        assertThat(api.post("/api/v1/accounts/" + other.id() + "/unfollow", one.token())
                        .json()
                        .path("notifying")
                        .asBoolean())
                .isFalse();
        assertThat(api.post(follow, one.token(), "notify", "true")
                        .json()
                        .path("notifying")
                        .asBoolean())
                .isTrue();
        assertThat(api.post(follow, one.token(), "notify", "false")
                        .json()
                        .path("notifying")
                        .asBoolean())
                .isFalse();
    }
}
