package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.Reply;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Roles, and the log of what those who have one did. */
class ModerationRoutesTest extends OnEveryRedis {
    /** Signs somebody up with all scopes, and gives them a role. */
    private static User staff(String name, Role role) {
        User user = Moderators.signUp(api, name);
        Moderators.promote(redis, user, role);
        return user;
    }

    private static Response setRole(User by, User target, String role) {
        return api.send(
                "PUT",
                "/api/v1/admin/accounts/" + target.id() + "/role",
                by.token(),
                "application/x-www-form-urlencoded",
                role.contains("why=") ? "role=" + role : "role=" + role + "&why=words");
    }

    @Test
    void aRoleIsShownToItsAccountAndOpensTheLogFromTheNextRequestOn() {
        User owner = staff("olga", Role.OWNER);
        User ann = Moderators.signUp(api, "ann");
        assertThat(api.get("/api/v1/admin/audit_log", ann.token()).status()).isEqualTo(403);

        Response given = setRole(owner, ann, "moderator");
        assertThat(given.status()).as(given.body()).isEqualTo(200);
        assertThat(given.text("/name")).isEqualTo("Moderator");

        Response own = api.get("/api/v1/accounts/verify_credentials", ann.token());
        assertThat(own.text("/role/id")).isEqualTo("1");
        assertThat(own.text("/role/permissions")).isEqualTo(Integer.toString(0x4 | 0x10 | 0x80 | 0x400 | 0x10000));
        Response log = api.get("/api/v1/admin/audit_log?target_account_id=" + ann.id(), ann.token());
        assertThat(log.text("/entries/0/action")).isEqualTo("role.set");
        assertThat(log.text("/entries/0/detail")).isEqualTo("moderator");
        assertThat(log.text("/entries/0/why")).isEqualTo("words");
        assertThat(log.text("/entries/0/by_account_id")).isEqualTo(owner.id());

        assertThat(setRole(ann, ann, "user").status()).as("giving it up").isEqualTo(200);
        assertThat(api.get("/api/v1/admin/audit_log", ann.token()).status()).isEqualTo(403);
        assertThat(api.get("/api/v1/accounts/verify_credentials", ann.token()).text("/role/id"))
                .isEqualTo("-99");
    }

    @Test
    void anOwnerDoesNotDeleteItsAccountBeforeItGivesUpTheRole() {
        User first = staff("pia", Role.OWNER);
        User second = staff("quinn", Role.OWNER);
        String[] form = {"current_password", ApiServer.PASSWORD};
        Response refused = api.post("/api/v1/accounts/delete", second.token(), form);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("/error")).contains("give up that role");
        assertThat(setRole(first, second, "user").status()).isEqualTo(200);
        assertThat(api.post("/api/v1/accounts/delete", second.token(), form).status())
                .isEqualTo(200);
    }

    @Test
    void aRoleThatIsNoneAndATextThatIsTooLongAreRefused() {
        User owner = staff("rosa", Role.OWNER);
        User bob = api.signUp("bob");
        assertThat(setRole(owner, bob, "king").status()).isEqualTo(422);
        assertThat(setRole(owner, bob, "").status()).isEqualTo(422);
        assertThat(setRole(owner, bob, "admin&why=" + "x".repeat(501)).status()).isEqualTo(422);
        assertThat(api.get("/api/v1/admin/audit_log?max_id=abc", owner.token()).status())
                .isEqualTo(400);
        assertThat(setRole(owner, new User("1", "nobody", ""), "admin").status())
                .isEqualTo(404);
    }

    /** The role comes with a field that is read anyway. */
    @Test
    void anAccountWithoutARoleCostsNoCommandMore() {
        User cat = api.signUp("cat");
        User dan = staff("dan", Role.MODERATOR);
        long without = commandsOf(cat);
        long with = commandsOf(dan);
        assertThat(with).isEqualTo(without);
        assertThat(without).isEqualTo(4);
    }

    /**
     * The fewest commands of a look at one's own account, on the server that has it: the service asks for other things
     * now and then.
     */
    private static long commandsOf(User user) {
        String key = Keys.user(Id.parse(user.id()));
        return IntStream.range(0, 8)
                .mapToLong(i -> {
                    Reply reset = redis.askAt(key, "CONFIG", "RESETSTAT");
                    assertThat(reset.isFailure()).isFalse();
                    assertThat(api.get("/api/v1/accounts/verify_credentials", user.token())
                                    .status())
                            .isEqualTo(200);
                    // Without HEXISTS: a token is looked at again when a second has passed.
                    return count(key, "hmget|hget|hgetall|zcard");
                })
                .min()
                .orElseThrow();
    }

    private static long count(String at, String commands) {
        return Pattern.compile("cmdstat_(?:" + commands + "):calls=(\\d+)")
                .matcher(redis.askAt(at, "INFO", "commandstats").asString())
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
