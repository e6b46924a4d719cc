package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FilterRoutesTest extends OnEveryRedis {
    private static final String V2 = "/api/v2/filters";
    private static final String V1 = "/api/v1/filters";

    private static int people;

    private static User person() {
        return api.signUp("filterer" + ++people);
    }

    private static Response put(User owner, String path, String form) {
        return api.send("PUT", path, owner.token(), "application/x-www-form-urlencoded", form);
    }

    @CanIgnoreReturnValue
    private static Response made(Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    @CanIgnoreReturnValue
    private static Response filter(User owner, String... keywords) {
        List<String> form = new ArrayList<>(List.of("title", "t", "context[]", "home", "context[]", "public"));
        for (String keyword : keywords) {
            form.addAll(List.of("keywords_attributes[][keyword]", keyword));
        }
        return made(api.post(V2, owner.token(), form.toArray(String[]::new)));
    }

    private static JsonNode status(User viewer, String id) {
        return api.get("/api/v1/statuses/" + id, viewer.token()).json();
    }

    @Test
    void aFilterIsMadeShownChangedAndDeleted() {
        User ann = person();
        assertThat(api.get(V2, ann.token()).body()).isEqualTo("[]");
        Response made = made(api.postJson(
                V2,
                ann.token(),
                "{\"title\":\"birds\",\"context\":[\"home\",\"thread\"],\"filter_action\":\"hide\",\"expires_in\":3600,"
                        + "\"keywords_attributes\":[{\"keyword\":\"owl\",\"whole_word\":false},{\"keyword\":\"@jay \"},"
                        + "{\"keyword\":\"\"},{\"keyword\":\"wren\",\"_destroy\":true}]}"));
        String path = V2 + "/" + made.text("/id");
        assertThat(made.text("/title")).isEqualTo("birds");
        assertThat(made.json().path("context").toString()).isEqualTo("[\"home\",\"thread\"]");
        assertThat(made.text("/filter_action")).isEqualTo("hide");
        assertThat(made.text("/expires_at")).endsWith("Z");
        assertThat(made.text("/keywords/0/keyword")).isEqualTo("owl");
        assertThat(made.json().at("/keywords/0/whole_word").asBoolean()).isFalse();
        assertThat(made.text("/keywords/1/keyword")).isEqualTo("@jay ");
        assertThat(made.json().at("/keywords/1/whole_word").asBoolean()).isTrue();
        assertThat(made.json().path("keywords")).hasSize(2);
        assertThat(made.json().path("statuses")).isEmpty();
        assertThat(api.get(path, ann.token()).json()).isEqualTo(made.json());

        // As in Mastodon's documentation: the second id begins a second keyword.
        String owl = made.text("/keywords/0/id");
        String jay = made.text("/keywords/1/id");
        Response changed = made(put(
                ann,
                path,
                "expires_in=&keywords_attributes[][id]=" + owl + "&keywords_attributes[][_destroy]=true"
                        + "&keywords_attributes[][id]=" + jay + "&keywords_attributes[][keyword]=baz"));
        assertThat(changed.json().path("expires_at").isNull()).isTrue();
        assertThat(changed.text("/title")).isEqualTo("birds");
        assertThat(changed.json().path("keywords").toString())
                .isEqualTo("[{\"id\":\"" + jay + "\",\"keyword\":\"baz\",\"whole_word\":true}]");
        assertThat(put(ann, path, "keywords_attributes[][id]=" + owl + "&keywords_attributes[][keyword]=x")
                        .status())
                .isEqualTo(404);

        assertThat(api.delete(path, ann.token()).body()).isEqualTo("{}");
        assertThat(api.get(path, ann.token()).status()).isEqualTo(404);
        assertThat(api.delete(path, ann.token()).status()).isEqualTo(404);
        assertThat(api.get(V2, ann.token()).body()).isEqualTo("[]");
    }

    @Test
    void keywordsAndStatusesAreAddedAndTakenOutOneByOne() {
        User ann = person();
        String post = api.publish(person(), "hello");
        String filter = V2 + "/" + filter(ann).text("/id");
        Response keyword = made(api.post(filter + "/keywords", ann.token(), "keyword", "some", "whole_word", "false"));
        String one = V2 + "/keywords/" + keyword.text("/id");
        assertThat(api.get(filter + "/keywords", ann.token()).json().get(0)).isEqualTo(keyword.json());
        assertThat(made(put(ann, one, "keyword=other")).body())
                .contains("\"other\"")
                .contains("false");
        assertThat(api.get(one, ann.token()).text("/keyword")).isEqualTo("other");
        Response refused = put(ann, one, "keyword=");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).isEqualTo("Validation failed: Keyword can't be blank");
        assertThat(api.post(filter + "/keywords", ann.token()).text("/error"))
                .isEqualTo("Validation failed: Keyword can't be blank");
        assertThat(api.delete(one, ann.token()).body()).isEqualTo("{}");
        assertThat(api.get(one, ann.token()).status()).isEqualTo(404);
        assertThat(api.get(filter + "/keywords", ann.token()).body()).isEqualTo("[]");

        Response lying = made(api.post(filter + "/statuses", ann.token(), "status_id", post));
        assertThat(lying.text("/status_id")).isEqualTo(post);
        assertThat(api.post(filter + "/statuses", ann.token(), "status_id", post)
                        .text("/error"))
                .isEqualTo("Validation failed: Status has already been taken");
        assertThat(api.post(filter + "/statuses", ann.token(), "status_id", "7").text("/error"))
                .isEqualTo("Validation failed: Status must exist");
        assertThat(api.get(filter + "/statuses", ann.token()).json().get(0)).isEqualTo(lying.json());
        assertThat(api.get(filter, ann.token()).json().at("/statuses/0")).isEqualTo(lying.json());
        String there = V2 + "/statuses/" + lying.text("/id");
        assertThat(api.get(there, ann.token()).json()).isEqualTo(lying.json());
        assertThat(status(ann, post).at("/filtered/0/status_matches/0").asText())
                .isEqualTo(post);
        assertThat(api.delete(there, ann.token()).body()).isEqualTo("{}");
        assertThat(status(ann, post).path("filtered")).isEmpty();
    }

    @Test
    void versionOneKnowsAFilterByItsKeyword() {
        User ann = person();
        Response made =
                made(api.post(V1, ann.token(), "phrase", "owl", "context[]", "notifications", "irreversible", "true"));
        String path = V1 + "/" + made.text("/id");
        assertThat(made.json().path("whole_word").asBoolean()).isFalse();
        assertThat(made.json().path("irreversible").asBoolean()).isTrue();
        assertThat(made.json().path("expires_at").isNull()).isTrue();
        JsonNode same = api.get(V2, ann.token()).json().get(0);
        assertThat(same.path("title").asText()).isEqualTo("owl");
        assertThat(same.path("filter_action").asText()).isEqualTo("hide");
        Response changed = made(put(ann, path, "phrase=jay&whole_word=true&context[]=home&irreversible=false"));
        assertThat(changed.text("/phrase")).isEqualTo("jay");
        assertThat(api.get(V2, ann.token()).text("/0/title")).isEqualTo("jay");
        assertThat(api.get(V1, ann.token()).json().get(0)).isEqualTo(changed.json());
        assertThat(api.get(path, ann.token()).json()).isEqualTo(changed.json());

        String filter = V2 + "/" + same.path("id").asText();
        made(api.post(filter + "/keywords", ann.token(), "keyword", "second"));
        Response refused = put(ann, path, "phrase=jay&context[]=thread");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("more than one filter keyword");
        assertThat(made(put(ann, path, "phrase=finch&context[]=home")).text("/phrase"))
                .isEqualTo("finch");
        assertThat(api.get(filter, ann.token()).text("/title")).isEqualTo("jay");
        assertThat(api.get(V1, ann.token()).each("phrase")).containsExactly("finch", "second");
        assertThat(api.delete(path, ann.token()).body()).isEqualTo("{}");
        assertThat(api.get(V1, ann.token()).each("phrase")).containsExactly("second");
    }

    @Test
    void anInvalidFilterIsRefusedInTheWordsOfMastodon() {
        User ann = person();
        assertThat(api.post(V2, ann.token()).text("/error"))
                .isEqualTo("Validation failed: Title can't be blank, Context can't be blank,"
                        + " Context None or invalid context supplied");
        assertThat(api.post(V1, ann.token()).text("/error"))
                .isEqualTo("Validation failed: Phrase can't be blank, Context can't be blank,"
                        + " Context None or invalid context supplied");
        for (String[] form : new String[][] {
            {"title", "x", "context[]", "sea"},
            {"title", "x".repeat(257), "context[]", "home"},
            {"title", "x", "context[]", "home", "filter_action", "burn"},
            {"title", "x", "context[]", "home", "keywords_attributes[][keyword]", "x".repeat(513)},
            {"title", "x", "context[]", "home", "keywords_attributes[][whole_word]", "true"},
        }) {
            Response refused = api.post(V2, ann.token(), form);
            assertThat(refused.status()).as(String.join(" ", form)).isEqualTo(422);
            assertThat(refused.text("/error")).startsWith("Validation failed: ");
        }
        assertThat(api.post(
                                V2,
                                ann.token(),
                                "title",
                                "x",
                                "context[]",
                                "home",
                                "keywords_attributes[][id]",
                                "7",
                                "keywords_attributes[][keyword]",
                                "x")
                        .status())
                .isEqualTo(404);
        assertThat(api.get(V2, ann.token()).body()).isEqualTo("[]");
    }

    @Test
    void aStatusSaysWhatMatchesItWhereverItIsShown() {
        User ann = person();
        User bob = person();
        User eve = person();
        api.follow(ann, bob);
        String post = api.publish(bob, "I saw an OWL today");
        api.follow(ann, eve);
        String repost = made(api.post("/api/v1/statuses/" + post + "/reblog", eve.token()))
                .text("/id");
        assertThat(status(ann, post).path("filtered")).isEmpty();
        Response filter = filter(ann, "elephant", "owl");

        JsonNode result = status(ann, post).path("filtered").get(0);
        assertThat(result.path("keyword_matches").toString()).isEqualTo("[\"OWL\"]");
        assertThat(result.path("status_matches").isNull()).isTrue();
        assertThat(result.at("/filter/id").asText()).isEqualTo(filter.text("/id"));
        assertThat(result.at("/filter/keywords").isMissingNode()).isTrue();
        assertThat(status(ann, repost).at("/filtered/0")).isEqualTo(result);
        assertThat(status(ann, repost).at("/reblog/filtered/0")).isEqualTo(result);
        for (String page : List.of(
                "/api/v1/timelines/home",
                "/api/v1/accounts/" + bob.id() + "/statuses",
                "/api/v1/accounts/" + eve.id() + "/statuses")) {
            assertThat(api.get(page, ann.token()).json().get(0).at("/filtered/0"))
                    .as(page)
                    .isEqualTo(result);
        }
        // Others, and whoever has written it, see nothing of that.
        assertThat(status(eve, post).path("filtered")).isEmpty();
        filter(bob, "owl");
        assertThat(status(bob, post).path("filtered")).isEmpty();
        assertThat(status(bob, repost).path("filtered")).isEmpty();
        assertThat(api.get("/api/v1/statuses/" + post, null).json().has("filtered"))
                .isFalse();

        String answer = made(api.post(
                        "/api/v1/statuses",
                        bob.token(),
                        "status",
                        "@" + ann.name() + " hello",
                        "spoiler_text",
                        "an owl",
                        "in_reply_to_id",
                        api.publish(ann, "owls?")))
                .text("/id");
        JsonNode notified = api.get("/api/v1/notifications", ann.token()).json();
        assertThat(notified.findValues("status"))
                .filteredOn(status -> status.path("id").asText().equals(answer))
                .isNotEmpty()
                .allSatisfy(status -> assertThat(
                                status.at("/filtered/0/keyword_matches/0").asText())
                        .isEqualTo("owl"));
        made(put(ann, V2 + "/" + filter.text("/id"), "expires_in=0"));
        assertThat(status(ann, post).path("filtered")).isEmpty();
    }

    /** Hiding is for the client, as with Mastodon 4: so pages stay whole. */
    @Test
    void aWalkOverPagesMeetsEveryStatusOnceAlsoThoseToBeHidden() {
        User ann = person();
        User bob = person();
        api.follow(ann, bob);
        List<String> posts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            posts.add(0, api.publish(bob, (i % 3 == 0 ? "an owl " : "a jay ") + i));
        }
        Response filter = filter(ann, "owl");
        made(put(ann, V2 + "/" + filter.text("/id"), "filter_action=hide"));
        List<String> seen = new ArrayList<>();
        List<String> marked = new ArrayList<>();
        Optional<URI> next = Optional.of(URI.create(api.url() + "/api/v1/timelines/home?limit=5"));
        while (next.isPresent()) {
            Response page = api.get(next.get().toString(), ann.token());
            page.json().forEach(status -> {
                seen.add(status.path("id").asText());
                if (!status.path("filtered").isEmpty()) {
                    marked.add(status.path("id").asText());
                    assertThat(status.at("/filtered/0/filter/filter_action").asText())
                            .isEqualTo("hide");
                }
            });
            next = page.link("next");
        }
        assertThat(seen).isEqualTo(posts);
        assertThat(marked).hasSize(4);
    }

    @Test
    void articlesThatAreSharedAreMarkedForWhoFiltersThem() {
        User ann = person();
        User bob = person();
        String article = made(api.post("/api/v1/articles", bob.token(), "title", "Of owls and men", "text", "words"))
                .text("/id");
        String page = "/api/v1/articles?limit=40";
        filter(ann, "OWLS");
        assertThat(api.get(page, ann.token()).json())
                .filteredOn(one -> one.path("id").asText().equals(article))
                .allSatisfy(one -> assertThat(
                                one.at("/filtered/0/keyword_matches/0").asText())
                        .isEqualTo("owls"))
                .hasSize(1);
        assertThat(api.get(page, bob.token()).json())
                .allSatisfy(one -> assertThat(one.path("filtered")).isEmpty());
    }

    @Test
    void aFilterChangeAppliesToTheNextRequestEvenIfWrittenElsewhere() {
        User ann = person();
        String post = api.publish(person(), "an owl");
        assertThat(status(ann, post).path("filtered")).isEmpty();
        String id = filter(ann, "owl").text("/id");
        assertThat(status(ann, post).path("filtered")).hasSize(1);
        String key = Keys.filters(Long.parseLong(ann.id()));
        redis.askAt(key, "HSET", key, id, "f warn home 0 other", "version", "7");
        assertThat(status(ann, post).at("/filtered/0/filter/title").asText()).isEqualTo("other");
        assertThat(api.delete(V2 + "/" + id, ann.token()).status()).isEqualTo(200);
        assertThat(status(ann, post).path("filtered")).isEmpty();
    }
}
