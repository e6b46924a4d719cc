package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.feed.PublicTimelines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which hashtags many use, how a tag was used, and who wants to be found; no worker runs here. */
class TrendRoutesTest extends OnEveryRedis {
    @Test
    void aTagHasAHistoryOfSevenDaysForEverybody() {
        User ann = api.signUp("ann");
        Response read = api.get("/api/v1/tags/Go", null);
        assertThat(read.text("/name")).isEqualTo("go");
        assertThat(read.json().at("/history")).hasSize(7);
        assertThat(read.text("/history/0/uses")).isEqualTo("0");
        long today = Long.parseLong(read.text("/history/0/day"));
        assertThat(today % 86_400).isZero();
        assertThat(read.text("/history/6/day")).isEqualTo(Long.toString(today - 6 * 86_400));
        assertThat(read.json().has("following")).isFalse();
        assertThat(api.get("/api/v1/tags/go", ann.token()).json().has("following"))
                .isTrue();
    }

    @Test
    void theTagsThatMostAccountsUseComeFirst() {
        User eve = api.signUp("eve");
        User fay = api.signUp("fay");
        User gus = api.signUp("gus");
        use("rare", eve);
        use("cats", eve, fay);
        use("rail", eve, fay, gus);
        Response trends = api.get("/api/v1/trends/tags", null);
        assertThat(trends.each("name")).containsExactly("rail", "cats");
        assertThat(trends.text("/0/history/0/uses")).isEqualTo("3");
        assertThat(trends.text("/0/history/0/accounts")).isEqualTo("3");
        assertThat(trends.text("/1/history/0/accounts")).isEqualTo("2");
        assertThat(trends.text("/1/history/1/accounts")).isEqualTo("0");
        assertThat(trends.text("/0/url")).endsWith("/tags/rail");
        assertThat(trends.json().at("/0").has("following")).isFalse();
        assertThat(api.get("/api/v1/trends?offset=1&limit=21", eve.token()).each("name"))
                .containsExactly("cats");
        assertThat(api.get("/api/v1/trends?limit=1", eve.token()).each("following"))
                .containsExactly("false");
        assertThat(api.get("/api/v1/trends?offset=x", null).status()).isEqualTo(200);
    }

    /** As the worker counts it, which does not run here. */
    private static void use(String tag, User... users) {
        long today = Long.parseLong(api.get("/api/v1/tags/" + tag, null).text("/history/0/day")) / 86_400;
        String day = Keys.tagDay(PublicTimelines.key(tag).substring("tag:".length()), today);
        for (User user : users) {
            String post = api.publish(user, "about #" + tag);
            redis.askAt(day, "HSET", day, "s" + post, user.id(), "a" + user.id(), "1");
        }
        String count = Integer.toString(users.length);
        redis.askAt(day, "HSET", day, "uses", count, "accounts", count);
        if (users.length > 1) {
            String ranking = Keys.trendingTags(today);
            redis.askAt(ranking, "ZADD", ranking, count, tag);
        }
    }

    @Test
    void theDirectoryListsWhoWantsToBeFound() {
        User bob = api.signUp("bob");
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                cat.token(),
                                "application/x-www-form-urlencoded",
                                "discoverable=false")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/directory?order=new&limit=80", null).each("id"))
                .contains(bob.id(), dan.id())
                .doesNotContain(cat.id());
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/block", dan.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/directory?order=new&local=true", dan.token())
                        .each("id"))
                .doesNotContain(bob.id());
        for (User one : List.of(bob, cat)) {
            redis.askAt(Keys.ACTIVE_ACCOUNTS, "ZADD", Keys.ACTIVE_ACCOUNTS, one.id(), one.id());
        }
        assertThat(api.get("/api/v1/directory", null).each("id")).containsExactly(bob.id());
        assertThat(api.get("/api/v1/directory?offset=1", null).each("id")).isEmpty();
    }
}
