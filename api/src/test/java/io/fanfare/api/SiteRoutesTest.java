package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.core.site.Announcement.Period;
import io.fanfare.core.site.Document;
import io.fanfare.core.site.Rule;
import io.fanfare.core.site.Site;
import io.fanfare.core.site.Site.Text;
import io.fanfare.core.site.Sites;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Rules, texts and announcements as clients read them, after an operator has published them. */
class SiteRoutesTest extends OnEveryRedis {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static <T> T ask(Function<RedisLink, Future<T>> question) {
        RedisLink link = redis.link(api.vertx);
        Promise<T> answer = Promise.promise();
        api.vertx.getOrCreateContext().runOnContext(run -> question.apply(link)
                .eventually(link::close)
                .onComplete(answer));
        return TestRedis.await(answer.future());
    }

    @CanIgnoreReturnValue
    private static Site publish(UnaryOperator<Site> change) {
        return ask(link -> new Sites(link).change(change));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(WAIT_MAX).until(condition);
    }

    private static JsonNode get(String path) {
        return api.get(path, null).json();
    }

    private static Response page(String path, String language) {
        return api.send("GET", path, null, null, null, "Accept", "text/html", "Accept-Language", language);
    }

    private static final String HOSTILE = "# Title\n\n<script>alert(1)</script> [x](javascript:alert(1)) words";

    @Test
    void aServerOnWhichNothingIsPublishedSaysSo() {
        publish(site ->
                new Site(site.version(), site.lastId(), 0, List.of(), List.of(), Map.of(), Map.of(), List.of()));
        await(() -> get("/api/v1/instance/rules").isEmpty());
        await(() ->
                get("/api/v1/instance/privacy_policy").at("/content").asText().isEmpty());
        assertThat(get("/api/v1/instance/privacy_policy").at("/updated_at").isNull())
                .isTrue();
        assertThat(get("/api/v1/instance/extended_description").at("/content").asText())
                .isEmpty();
        assertThat(api.get("/api/v1/instance/terms_of_service", null).status()).isEqualTo(404);
        assertThat(api.get("/api/v1/instance/terms_of_service/2026-12-01", null).status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/instance/terms_of_service/x", null).status())
                .isEqualTo(404);
        assertThat(get("/api/v2/instance").at("/announcements").asInt()).isZero();
        assertThat(get("/api/v2/instance")
                        .at("/configuration/urls/terms_of_service")
                        .isNull())
                .isTrue();
        assertThat(page("/privacy", "en").status()).isEqualTo(404);
        assertThat(page("/terms", "en").status()).isEqualTo(404);
        assertThat(page("/about", "en").status()).isEqualTo(200);
    }

    @Test
    void publishedTextsAreInTheApiAndOnPagesInBothLanguages() {
        User ann = api.signUp("anna");
        LocalDate past = LocalDate.of(2026, 1, 1);
        LocalDate future = LocalDate.of(2999, 1, 1);
        Site site = publish(before -> before.withRule("Be <kind>", "To all")
                .with(Text.ABOUT, Document.of(1_700_000_000_000L, HOSTILE))
                .with(Text.PRIVACY, Document.of(1_700_000_000_000L, "We keep **little**."))
                .withTerms(past, Document.of(1_700_000_000_000L, "Old terms"))
                .withTerms(future, Document.of(1_700_000_000_000L, "Coming terms"))
                .withContact(Long.parseLong(ann.id())));
        long rule = site.lastId();
        publish(before ->
                before.withRule(rule, one -> one.translated("zh-CN", Optional.of(new Rule.Wording("友善", "对所有人")))));
        await(() -> get("/api/v1/instance/rules")
                .at("/0/translations/zh-CN/text")
                .asText()
                .equals("友善"));
        await(() ->
                get("/api/v2/instance").at("/contact/account/username").asText().equals("anna"));

        assertThat(get("/api/v1/instance").at("/rules/0/text").asText()).isEqualTo("Be <kind>");
        assertThat(get("/api/v1/instance").at("/contact_account/username").asText())
                .isEqualTo("anna");
        JsonNode v2 = get("/api/v2/instance");
        assertThat(v2.at("/rules/0/hint").asText()).isEqualTo("To all");
        assertThat(v2.at("/configuration/urls/privacy_policy").asText()).endsWith("/privacy");
        assertThat(v2.at("/configuration/urls/terms_of_service").asText()).endsWith("/terms");
        assertThat(v2.at("/configuration/urls/about").asText()).endsWith("/about");
        assertThat(get("/api/v1/instance/extended_description").at("/content").asText())
                .contains("<h2>Title</h2>", "&lt;script&gt;")
                .doesNotContain("<script", "javascript:");
        JsonNode privacy = get("/api/v1/instance/privacy_policy");
        assertThat(privacy.at("/content").asText()).isEqualTo("<p>We keep <strong>little</strong>.</p>\n");
        assertThat(privacy.at("/updated_at").asText()).isEqualTo("2023-11-14T22:13:20.000Z");
        JsonNode terms = get("/api/v1/instance/terms_of_service");
        assertThat(terms.at("/effective_date").asText()).isEqualTo("2026-01-01");
        assertThat(terms.at("/effective").asBoolean()).isTrue();
        assertThat(terms.at("/succeeded_by").asText()).isEqualTo("2999-01-01");
        JsonNode coming = get("/api/v1/instance/terms_of_service/2999-01-01");
        assertThat(coming.at("/effective").asBoolean()).isFalse();
        assertThat(coming.at("/content").asText()).isEqualTo("<p>Coming terms</p>\n");
        assertThat(coming.at("/succeeded_by").isNull()).isTrue();

        Response about = page("/about", "zh-CN");
        assertThat(about.body())
                .contains("友善", "对所有人", "/@anna", "站点规则", "&lt;script&gt;", "href=\"/privacy\"", "href=\"/terms\"")
                .doesNotContain("<script>", "javascript:");
        assertThat(page("/about", "en").body())
                .contains("Be &lt;kind&gt;", "To all")
                .doesNotContain("友善");
        assertThat(page("/privacy", "en").body()).contains("<h1>Privacy policy</h1>", "<strong>little</strong>");
        assertThat(page("/terms", "en").body()).contains("Old terms", "In force from 2026-01-01", "/terms/2999-01-01");
        assertThat(page("/terms/2999-01-01", "en").body()).contains("Coming terms");
        assertThat(page("/terms/2999-01-02", "en").status()).isEqualTo(404);
        String tag = about.header("ETag").orElseThrow();
        assertThat(api.send("GET", "/about", null, null, null, "Accept-Language", "zh-CN", "If-None-Match", tag)
                        .status())
                .isEqualTo(304);
    }

    @Test
    void anAnnouncementIsReadDismissedAndStaysDismissed() {
        User bob = api.signUp("bobby");
        User cat = api.signUp("catty");
        Site site = publish(before -> before.withAnnouncement(
                "Down for <b>an hour</b> #news https://example.org",
                0,
                new Period(0, System.currentTimeMillis() + Duration.ofDays(1).toMillis(), false),
                System.currentTimeMillis()));
        String id = Long.toString(site.lastId());
        String path = "/api/v1/announcements";
        await(() -> api.get(path, bob.token()).each("id").contains(id));
        await(() -> get("/api/v2/instance").at("/announcements").asInt() == 1);

        JsonNode one = api.get(path, bob.token()).json().get(0);
        assertThat(one.at("/content").asText())
                .contains("&lt;b&gt;an hour", "href=\"https://example.org\"", "/tags/news\"")
                .doesNotContain("<b>");
        assertThat(one.at("/tags/0/name").asText()).isEqualTo("news");
        assertThat(one.at("/read").asBoolean()).isFalse();
        assertThat(api.post(path + "/" + id + "/dismiss", bob.token()).status()).isEqualTo(200);
        assertThat(api.post(path + "/" + id + "/dismiss", bob.token()).status()).isEqualTo(200);
        assertThat(api.post(path + "/999999/dismiss", bob.token()).status()).isEqualTo(404);
        assertThat(api.get(path, bob.token()).each("id")).isEmpty();
        JsonNode dismissed = api.get(path + "?with_dismissed=true", bob.token()).json();
        assertThat(dismissed.at("/0/read").asBoolean()).isTrue();
        assertThat(api.get(path, cat.token()).each("id")).containsExactly(id);

        try (ApiServer other = new ApiServer(redis)) {
            assertThat(other.get(path, bob.token()).each("id"))
                    .as("after a restart")
                    .isEmpty();
            assertThat(other.get(path, cat.token()).each("id")).containsExactly(id);
        }
        try (ApiServer later = new ApiServer(redis, Clock.offset(Clock.systemUTC(), Duration.ofDays(2)))) {
            assertThat(later.get(path, cat.token()).each("id"))
                    .as("after its end")
                    .isEmpty();
            assertThat(later.get("/api/v2/instance", null)
                            .json()
                            .at("/announcements")
                            .asInt())
                    .isZero();
            assertThat(later.post(path + "/" + id + "/dismiss", cat.token()).status())
                    .isEqualTo(404);
        }
        publish(before -> before.withoutAnnouncement(Long.parseLong(id)));
        await(() -> api.get(path, cat.token()).each("id").isEmpty());
    }

    @Test
    void aReportNamesRulesWhichModeratorsReadAlsoAfterTheirRemoval() {
        User eve = api.signUp("evelyn");
        User fay = api.signUp("fayette");
        User mod = Moderators.signUp(api, "gwen");
        Moderators.promote(redis, mod, Role.MODERATOR);
        Site site = publish(before -> before.withRule("No spam at all", "").withRule("No noise", ""));
        long spam = site.lastId() - 1;
        long noise = site.lastId();
        await(() -> api.get("/api/v1/instance/rules", null).each("id").contains("" + noise));

        Response report = api.post(
                "/api/v1/reports", eve.token(), "account_id", fay.id(), "rule_ids[]", "" + spam, "category", "other");
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.text("/category")).isEqualTo("violation");
        assertThat(report.text("/rule_ids/0")).isEqualTo("" + spam);
        for (String wrong : new String[] {"" + (noise + 1), "x", "-1"}) {
            assertThat(api.post("/api/v1/reports", eve.token(), "account_id", fay.id(), "rule_ids[]", wrong)
                            .status())
                    .isEqualTo(422);
        }
        assertThat(api.post("/api/v1/reports", eve.token(), "account_id", fay.id(), "category", "violation")
                        .status())
                .isEqualTo(422);

        String path = "/api/v1/admin/reports/" + report.text("/id");
        assertThat(api.get(path, mod.token()).text("/rules/0/text")).isEqualTo("No spam at all");
        publish(before -> before.withoutRule(spam));
        await(() -> !api.get("/api/v1/instance/rules", null).each("id").contains("" + spam));
        assertThat(api.get(path, mod.token()).text("/rules/0/text")).isEqualTo("No spam at all");
        assertThat(api.post("/api/v1/reports", eve.token(), "account_id", fay.id(), "rule_ids[]", "" + spam)
                        .status())
                .isEqualTo(422);
        Response changed = api.send(
                "PUT",
                path,
                mod.token(),
                "application/x-www-form-urlencoded",
                "category=violation&rule_ids%5B%5D=" + noise);
        assertThat(changed.text("/category")).isEqualTo("violation");
        assertThat(changed.text("/rules/0/text")).isEqualTo("No noise");
        Response spamAgain = api.send("PUT", path, mod.token(), "application/x-www-form-urlencoded", "category=spam");
        assertThat(spamAgain.text("/category")).isEqualTo("spam");
        assertThat(spamAgain.json().at("/rules")).isEmpty();
    }
}
