package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import org.junit.jupiter.api.Test;

class MarkerRoutesTest extends OnEveryRedis {
    private static final String MARKERS = "/api/v1/markers";
    private static final String BOTH = MARKERS + "?timeline[]=home&timeline[]=notifications";

    @Test
    void whereOneClientStoppedTheNextGoesOn() {
        User ann = api.signUp("ann");
        assertThat(api.get(BOTH, ann.token()).body()).isEqualTo("{}");

        Response set = api.post(MARKERS, ann.token(), "home[last_read_id]", "7");
        assertThat(set.text("/home/last_read_id")).isEqualTo("7");
        assertThat(set.text("/home/version")).isEqualTo("1");
        assertThat(set.json().has("notifications")).isFalse();
        set(ann, "home[last_read_id]", "5", "notifications[last_read_id]", "9");

        Response both = api.get(BOTH, ann.token());
        assertThat(both.text("/home/last_read_id")).isEqualTo("5");
        assertThat(both.text("/home/version")).isEqualTo("2");
        assertThat(both.text("/home/updated_at")).startsWith("20");
        assertThat(both.text("/notifications/last_read_id")).isEqualTo("9");
        Response one = api.get(MARKERS + "?timeline[]=notifications", ann.token());
        assertThat(one.json().has("home")).isFalse();
        assertThat(one.text("/notifications/version")).isEqualTo("1");
    }

    @Test
    void anInvalidMarkerIdIsRefusedAndSetsNothing() {
        User bob = api.signUp("bob");
        Response refused =
                api.post(MARKERS, bob.token(), "home[last_read_id]", "7", "notifications[last_read_id]", "newest");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("notifications[last_read_id]");
        assertThat(api.get(BOTH, bob.token()).body()).isEqualTo("{}");
        assertThat(api.post(MARKERS, bob.token()).body()).isEqualTo("{}");
    }

    @Test
    void notificationsAreUnreadFromTheMarkerOn() {
        User cat = api.signUp("cat");
        User dan = api.signUp("dan");
        api.follow(dan, cat);
        api.follow(api.signUp("eve"), cat);
        Response all = api.get("/api/v1/notifications", cat.token());
        assertThat(unread(cat)).isEqualTo("2");

        set(cat, "notifications[last_read_id]", all.text("/1/id"));
        assertThat(unread(cat)).isEqualTo("1");
        set(cat, "notifications[last_read_id]", all.text("/0/id"));
        assertThat(unread(cat)).isEqualTo("0");
        assertThat(unread(dan)).isEqualTo("0");
    }

    private static void set(User user, String... form) {
        assertThat(api.post(MARKERS, user.token(), form).status()).isEqualTo(200);
    }

    private static String unread(User user) {
        return api.get("/api/v1/notifications/unread_count", user.token()).text("/count");
    }
}
