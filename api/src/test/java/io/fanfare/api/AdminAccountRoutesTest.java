package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Moderators find accounts and act on them, through Mastodon's admin/accounts. */
class AdminAccountRoutesTest extends OnEveryRedis {
    private static final String ACCOUNTS = "/api/v1/admin/accounts";

    private static User moderator;
    private static User admin;
    private static User owner;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        moderator = staff("mia", Role.MODERATOR);
        admin = staff("adele", Role.ADMIN);
        owner = staff("olga", Role.OWNER);
    }

    private static User staff(String name, Role role) {
        User user = Moderators.signUp(api, name);
        Moderators.promote(redis, user, role);
        return user;
    }

    private static Response act(User by, User target, String type, String... more) {
        String[] form = new String[more.length + 2];
        form[0] = "type";
        form[1] = type;
        System.arraycopy(more, 0, form, 2, more.length);
        return api.post(ACCOUNTS + "/" + target.id() + "/action", by.token(), form);
    }

    private static Response undo(User by, User target, String verb) {
        return api.post(ACCOUNTS + "/" + target.id() + "/" + verb, by.token());
    }

    private static List<String> names(String query) {
        return api.get(query, moderator.token()).each("username");
    }

    @Test
    void aSuspensionIsDoneLoggedListedAndLifted() {
        User bob = api.signUp("bob");
        assertThat(undo(moderator, bob, "unsuspend").status()).isEqualTo(403);
        assertThat(act(moderator, bob, "suspend", "text", "spam").body()).isEqualTo("{}");
        assertThat(api.get("/api/v1/accounts/" + bob.id(), moderator.token()).status())
                .isEqualTo(404);
        Response one = api.get(ACCOUNTS + "/" + bob.id(), moderator.token());
        assertThat(one.json().at("/suspended").asBoolean()).isTrue();
        assertThat(one.text("/email")).isEqualTo("bob@example.org");
        assertThat(one.text("/account/username")).isEqualTo("bob");
        assertThat(names(ACCOUNTS + "?suspended=true")).containsExactly("bob");
        assertThat(names("/api/v2/admin/accounts?status=suspended")).containsExactly("bob");
        assertThat(names(ACCOUNTS + "?active=true")).doesNotContain("bob").contains("mia");
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + bob.id(), moderator.token());
        assertThat(log.text("/entries/0/action")).isEqualTo("accounts.suspend");
        assertThat(log.text("/entries/0/why")).isEqualTo("spam");
        assertThat(log.text("/entries/0/by_account_id")).isEqualTo(moderator.id());

        assertThat(undo(moderator, bob, "unsuspend").json().at("/suspended").asBoolean())
                .isFalse();
        assertThat(names(ACCOUNTS + "?suspended=true")).isEmpty();
        assertThat(api.get("/api/v1/accounts/verify_credentials", bob.token()).status())
                .isEqualTo(200);
    }

    @Test
    void anAccountIsLimitedAndMarkedAndBothAreTakenBack() {
        User cat = api.signUp("cat");
        assertThat(act(moderator, cat, "silence").status()).isEqualTo(200);
        assertThat(act(moderator, cat, "sensitive").status()).isEqualTo(200);
        assertThat(act(moderator, cat, "none", "text", "be kind").status()).isEqualTo(200);
        Response one = api.get(ACCOUNTS + "/" + cat.id(), moderator.token());
        assertThat(one.json().at("/silenced").asBoolean()).isTrue();
        assertThat(one.json().at("/sensitized").asBoolean()).isTrue();
        assertThat(names(ACCOUNTS + "?silenced=1&sensitized=1")).containsExactly("cat");
        String post = api.publish(cat, "words");
        Response shown = api.get("/api/v1/statuses/" + post, cat.token());
        assertThat(shown.text("/visibility")).isEqualTo("unlisted");
        assertThat(shown.json().at("/sensitive").asBoolean()).isTrue();
        assertThat(undo(moderator, cat, "unsilence").json().at("/silenced").asBoolean())
                .isFalse();
        assertThat(undo(moderator, cat, "unsensitive").json().at("/sensitized").asBoolean())
                .isFalse();
        assertThat(undo(moderator, cat, "enable").status()).isEqualTo(200);
        assertThat(names(ACCOUNTS + "?silenced=true")).isEmpty();
    }

    @Test
    void nobodyActsOnThoseOfTheSameOrAHigherRoleNorOnThemselves() {
        User other = staff("mona", Role.MODERATOR);
        assertThat(act(moderator, other, "silence").status()).isEqualTo(403);
        assertThat(act(moderator, admin, "silence").status()).isEqualTo(403);
        assertThat(act(moderator, moderator, "none").status()).isEqualTo(403);
        assertThat(act(admin, owner, "suspend").status()).isEqualTo(403);
        assertThat(act(owner, owner, "suspend").status()).isEqualTo(403);
        assertThat(act(admin, other, "silence").status()).isEqualTo(200);
        assertThat(undo(admin, other, "unsilence").status()).isEqualTo(200);
        User second = staff("oscar", Role.OWNER);
        Response kept = act(owner, second, "suspend");
        assertThat(kept.status()).isEqualTo(403);
        assertThat(kept.text("/error")).contains("another role first");
        assertThat(api.get("/api/v1/accounts/" + second.id(), null).status()).isEqualTo(200);
    }

    @Test
    void aModeratorWhoIsSuspendedOrWhoseTokenLacksTheScopeDoesNothing() {
        User guard = staff("gus", Role.MODERATOR);
        User eve = api.signUp("eve");
        User plain = api.signUp("pat");
        Moderators.promote(redis, plain, Role.MODERATOR);
        assertThat(act(plain, eve, "silence").status()).as("no scope").isEqualTo(403);
        assertThat(api.get(ACCOUNTS, plain.token()).status()).as("no scope").isEqualTo(403);
        assertThat(act(admin, guard, "suspend").status()).isEqualTo(200);
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        act(guard, eve, "silence").status())
                .isEqualTo(403));
        assertThat(api.get(ACCOUNTS + "/" + eve.id(), admin.token())
                        .json()
                        .at("/silenced")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void onlyASuspendedAccountIsDeletedAndOnlyByAnAdmin() {
        User fay = api.signUp("fay");
        assertThat(api.delete(ACCOUNTS + "/" + fay.id(), admin.token()).status())
                .isEqualTo(403);
        assertThat(act(moderator, fay, "suspend").status()).isEqualTo(200);
        assertThat(api.delete(ACCOUNTS + "/" + fay.id(), moderator.token()).status())
                .isEqualTo(403);
        Response gone = api.delete(ACCOUNTS + "/" + fay.id(), admin.token());
        assertThat(gone.status()).isEqualTo(200);
        assertThat(gone.text("/username")).isEqualTo("fay");
        assertThat(api.get(ACCOUNTS + "/" + fay.id(), admin.token()).status()).isEqualTo(404);
        assertThat(undo(admin, fay, "unsuspend").status()).isEqualTo(404);
        assertThat(names(ACCOUNTS + "?suspended=true")).doesNotContain("fay");
    }

    @Test
    void accountsAreFoundByNameAddressRoleAndDisplayName() {
        User gil = api.signUp("gil_one");
        api.signUp("gil_two");
        assertThat(api.send(
                                "PATCH",
                                "/api/v1/accounts/update_credentials",
                                gil.token(),
                                "application/x-www-form-urlencoded",
                                "display_name=Gilbert")
                        .status())
                .isEqualTo(200);
        assertThat(names(ACCOUNTS + "?username=GIL_")).containsExactly("gil_two", "gil_one");
        assertThat(names(ACCOUNTS + "?username=gil_&limit=1")).containsExactly("gil_two");
        assertThat(names(ACCOUNTS + "?username=gil_&max_id=" + gil.id())).isEmpty();
        assertThat(names(ACCOUNTS + "?email=gil_one@example.org")).containsExactly("gil_one");
        assertThat(names(ACCOUNTS + "?email=nobody@example.org")).isEmpty();
        assertThat(names(ACCOUNTS + "?username=%25")).isEmpty();
        assertThat(names(ACCOUNTS + "?display_name=lber")).containsExactly("gil_one");
        assertThat(names(ACCOUNTS + "?staff=true")).contains("mia", "olga").doesNotContain("gil_one");
        assertThat(names("/api/v2/admin/accounts?role_ids[]=3"))
                .contains("olga")
                .doesNotContain("mia");
        for (String nothing : List.of("remote=true", "pending=true", "disabled=true", "ip=127.0.0.1", "by_domain=x")) {
            assertThat(names(ACCOUNTS + "?" + nothing)).as(nothing).isEmpty();
        }
        for (String nothing : List.of("origin=remote", "status=nonsense", "role_ids[]=77", "invited_by=1")) {
            assertThat(names("/api/v2/admin/accounts?" + nothing)).as(nothing).isEmpty();
        }
    }

    @Test
    void aTypeThatIsNotOfferedIsRefusedAndNothingIsDone() {
        User hal = api.signUp("hal");
        Response disable = act(moderator, hal, "disable");
        assertThat(disable.status()).isEqualTo(422);
        assertThat(disable.text("/error")).contains("disable is not offered");
        assertThat(act(moderator, hal, "").status()).isEqualTo(422);
        assertThat(act(moderator, hal, "silence", "text", "x".repeat(501)).status())
                .isEqualTo(422);
        assertThat(act(moderator, hal, "silence", "report_id", "999").status()).isEqualTo(404);
        assertThat(undo(moderator, hal, "approve").status()).isEqualTo(403);
        assertThat(undo(moderator, hal, "reject").status()).isEqualTo(403);
        assertThat(api.get(ACCOUNTS + "/" + hal.id(), moderator.token())
                        .json()
                        .at("/silenced")
                        .asBoolean())
                .isFalse();
        assertThat(api.get("/api/v1/admin/audit_log?target_account_id=" + hal.id(), moderator.token())
                        .json()
                        .at("/entries"))
                .isEmpty();
    }
}
