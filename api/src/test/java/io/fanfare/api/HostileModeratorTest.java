package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** The harm that a moderator cannot do, however hostile; docs/operate/moderation.md has the drill. */
class HostileModeratorTest extends OnEveryRedis {
    private static final String ACCOUNTS = "/api/v1/admin/accounts/";

    private static User hostile;
    private static User colleague;
    private static User admin;
    private static User owner;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        hostile = staff("hal", Role.MODERATOR);
        colleague = staff("cleo", Role.MODERATOR);
        admin = staff("ada", Role.ADMIN);
        owner = staff("otto", Role.OWNER);
    }

    private static User staff(String name, Role role) {
        User user = Moderators.signUp(api, name);
        Moderators.promote(redis, user, role);
        return user;
    }

    private static Response setRole(User by, User target, String role) {
        return api.send(
                "PUT",
                ACCOUNTS + target.id() + "/role",
                by.token(),
                "application/x-www-form-urlencoded",
                "role=" + role + "&why=words");
    }

    @Test
    void nobodyOfTheirRankOrAboveIsTouched() {
        for (User target : List.of(hostile, colleague, admin, owner)) {
            for (String type : List.of("none", "sensitive", "silence", "suspend")) {
                assertThat(api.post(ACCOUNTS + target.id() + "/action", hostile.token(), "type", type)
                                .status())
                        .as("%s of %s", type, target.name())
                        .isEqualTo(403);
            }
            String post = api.publish(target, "a post of the staff");
            for (String verb : List.of("delete", "sensitive")) {
                assertThat(api.post("/api/v1/admin/statuses/" + post + "/" + verb, hostile.token())
                                .status())
                        .as("%s of %s", verb, target.name())
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void nobodyIsGivenARoleOrDeniedOne() {
        User friend = Moderators.signUp(api, "friend");
        for (String role : List.of("moderator", "admin", "owner")) {
            assertThat(setRole(hostile, friend, role).status()).isEqualTo(403);
        }
        assertThat(setRole(hostile, hostile, "owner").status()).isEqualTo(403);
        assertThat(setRole(hostile, colleague, "user").status()).isEqualTo(403);
    }

    @Test
    void noAccountIsErased() {
        User victim = Moderators.signUp(api, "vera");
        assertThat(api.post(ACCOUNTS + victim.id() + "/action", hostile.token(), "type", "suspend")
                        .status())
                .isEqualTo(200);
        assertThat(api.delete(ACCOUNTS + victim.id(), hostile.token()).status())
                .as("a moderator deletes no account")
                .isEqualTo(403);
        assertThat(api.post(ACCOUNTS + victim.id() + "/unsuspend", admin.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/verify_credentials", victim.token())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void noPrivateTextIsRead() {
        User one = Moderators.signUp(api, "ines");
        User two = Moderators.signUp(api, "iris");
        String message = api.post(
                        "/api/v1/statuses",
                        one.token(),
                        "status",
                        "@" + two.name() + " between us",
                        "visibility",
                        "direct")
                .text("/id");
        String locked = api.post("/api/v1/statuses", one.token(), "status", "for followers", "visibility", "private")
                .text("/id");
        for (String id : List.of(message, locked)) {
            assertThat(api.get("/api/v1/statuses/" + id, hostile.token()).status())
                    .isEqualTo(404);
            assertThat(api.get("/api/v1/statuses/" + id + "/source", hostile.token())
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void everyActStaysInTheLogWithTheNameOfItsActor() {
        User victim = Moderators.signUp(api, "vito");
        assertThat(api.post(ACCOUNTS + victim.id() + "/action", hostile.token(), "type", "silence")
                        .status())
                .isEqualTo(200);
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + victim.id(), owner.token());
        assertThat(log.text("/entries/0/by_account_id")).isEqualTo(hostile.id());
        for (String method : List.of("DELETE", "PUT", "PATCH", "POST")) {
            assertThat(api.send(method, "/api/v1/admin/audit_log", hostile.token(), null, null)
                            .status())
                    .as("%s of the log", method)
                    .isBetween(404, 405);
        }
    }

    @Test
    void theyAreStoppedByTheNextRequestAfterTheirRoleIsGone() {
        User traitor = staff("tara", Role.MODERATOR);
        User victim = Moderators.signUp(api, "vida");
        assertThat(setRole(admin, traitor, "user").status()).isEqualTo(200);
        assertThat(api.post(ACCOUNTS + victim.id() + "/action", traitor.token(), "type", "suspend")
                        .status())
                .isEqualTo(403);
    }
}
