package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduledRoutesTest extends OnEveryRedis {
    private static final String PATH = "/api/v1/scheduled_statuses";
    private static final String FORM = "application/x-www-form-urlencoded";

    private static int people;

    private final User ann = api.signUp("planner" + ++people);

    /** So many days ahead. */
    private static String in(int days) {
        return Instant.now()
                .plus(days, ChronoUnit.DAYS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace("Z", ".000Z");
    }

    private Response schedule(String when, String... more) {
        List<String> form = new ArrayList<>(List.of("status", "later", "scheduled_at", when));
        form.addAll(List.of(more));
        return api.post("/api/v1/statuses", ann.token(), form.toArray(String[]::new));
    }

    private Response move(String id, String when) {
        return api.send("PUT", PATH + "/" + id, ann.token(), FORM, "scheduled_at=" + when);
    }

    @Test
    void aScheduledStatusIsShownMovedAndCancelledAndIsNoStatusMeanwhile() {
        String when = in(2);
        Response made = schedule(when, "visibility", "private", "spoiler_text", "psst", "language", "de");

        assertThat(made.status()).as(made.body()).isEqualTo(200);
        assertThat(made.text("/scheduled_at")).isEqualTo(when);
        assertThat(made.text("/params/text")).isEqualTo("later");
        assertThat(made.text("/params/visibility")).isEqualTo("private");
        assertThat(made.text("/params/spoiler_text")).isEqualTo("psst");
        assertThat(made.json().at("/params/media_ids").isNull()).isTrue();
        assertThat(made.json().path("media_attachments")).isEmpty();
        String id = made.text("/id");
        assertThat(api.get(PATH + "/" + id, ann.token()).body()).isEqualTo(made.body());
        assertThat(api.get(PATH, ann.token()).each("id")).containsExactly(id);
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/statuses", ann.token())
                        .json())
                .isEmpty();

        String later = in(3);
        assertThat(move(id, later).text("/scheduled_at")).isEqualTo(later);
        assertThat(move(id, in(0)).status()).isEqualTo(422);
        assertThat(move(id, "").text("/scheduled_at")).isEqualTo(later);
        Response cancelled = api.delete(PATH + "/" + id, ann.token());
        assertThat(cancelled.body()).isEqualTo("{}");
        assertThat(api.delete(PATH + "/" + id, ann.token()).status()).isEqualTo(404);
        assertThat(move(id, later).status()).isEqualTo(404);
        assertThat(api.get(PATH, ann.token()).json()).isEmpty();
    }

    @Test
    void aPollIsScheduledWithItsStatus() {
        Response made = schedule(
                in(2),
                "poll[options][]",
                "a",
                "poll[options][]",
                "b",
                "poll[expires_in]",
                "600",
                "poll[multiple]",
                "1");

        assertThat(made.json().at("/params/poll").toString())
                .isEqualTo("{\"options\":[\"a\",\"b\"],\"expires_in\":600,\"multiple\":true,\"hide_totals\":false}");
        assertThat(api.get(PATH + "/" + made.text("/id"), ann.token()).body()).isEqualTo(made.body());
    }

    @Test
    void itIsNobodyElsesBusiness() {
        User bob = api.signUp("curious" + ++people);
        String id = schedule(in(1)).text("/id");

        assertThat(api.get(PATH + "/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.delete(PATH + "/" + id, bob.token()).status()).isEqualTo(404);
        assertThat(api.get(PATH, bob.token()).json()).isEmpty();
        assertThat(api.get(PATH + "/" + id, ann.token()).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "soon",
                "Mon, 31 Jan 2100 00:00:00 GMT",
                "21000131",
                "2030",
                "2030-13-01",
                "2100-02-30",
                "9999-12-31T23:00:00-05:00",
                "2020-01-01T00:00:00Z",
                "2030-01-01T00:00:00.000000000000000000000Z"
            })
    void anInvalidScheduleTimeIsRefused(String when) {
        Response refused = schedule(when);

        assertThat(refused.status()).as(refused.body()).isEqualTo(422);
        assertThat(refused.text("/error")).startsWith("Validation failed: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2100-01-31T01:00:00+01:00",
                "2100-01-31T01:00:00+0100",
                "2100-01-31T00:00:00Z",
                "2100-01-31T00:00:00.000Z",
                "2100-01-31T00:00:00.000000",
                "2100-01-31T00:00:00.0000000Z",
                "2100-01-31t00:00:00.0z",
                "2100-01-31 00:00",
                "2100-01-31",
                " 2100-01-31T00:00:00Z ",
                "2100-01-31 00:00:00 UTC",
                "2100-01-31T00:00:00 GMT",
                "2100-01-31 01:00:00 +0100",
                "21000131T000000Z",
                "21000131T010000+01:00",
                "Sun, 31 Jan 2100 00:00:00 GMT",
                "Sun, 31 Jan 2100 01:00:00 +0100"
            })
    void aTimeMayBeWrittenInManyWays(String when) {
        assertThat(schedule(when).text("/scheduled_at")).isEqualTo("2100-01-31T00:00:00.000Z");
    }

    @Test
    void theSameRequestIsScheduledOnceAndItsKeyIsNotGoodForAPostAtOnce() {
        String json = "{\"status\":\"later\",\"scheduled_at\":\"" + in(4) + "\"}";
        String[] key = {"Idempotency-Key", "k" + people};
        Response first = api.send("POST", "/api/v1/statuses", ann.token(), "application/json", json, key);
        Response second = api.send("POST", "/api/v1/statuses", ann.token(), "application/json", json, key);

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(api.get(PATH, ann.token()).each("id")).containsExactly(first.text("/id"));
        assertThat(api.send("POST", "/api/v1/statuses", ann.token(), FORM, "status=later", key)
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aStatusWithUnknownReferencesIsNotScheduled() {
        assertThat(schedule(in(1), "in_reply_to_id", "4711").status()).isEqualTo(404);
        assertThat(schedule(in(1), "media_ids[]", "4711").status()).isEqualTo(422);
        assertThat(api.get(PATH, ann.token()).json()).isEmpty();
    }

    @Test
    void pagesLeadOn() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(0, schedule(in(10 - i)).text("/id"));
        }
        Response page = api.get(PATH + "?limit=2", ann.token());
        assertThat(page.each("id")).isEqualTo(ids.subList(0, 2));
        assertThat(page.header("Link").orElseThrow()).contains("max_id=" + ids.get(1), "rel=\"next\"");
        assertThat(api.get(PATH + "?limit=2&max_id=" + ids.get(1), ann.token()).each("id"))
                .isEqualTo(ids.subList(2, 4));
        assertThat(redis.askAt(
                                Keys.scheduled(Long.parseLong(ann.id())),
                                "ZCARD",
                                Keys.scheduled(Long.parseLong(ann.id())))
                        .asLong())
                .isEqualTo(5);
    }
}
