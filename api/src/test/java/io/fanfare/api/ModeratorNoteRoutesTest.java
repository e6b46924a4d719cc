package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Moderators note things about accounts that their role reaches. */
class ModeratorNoteRoutesTest extends OnEveryRedis {
    private static User moderator;

    @BeforeParameterizedClassInvocation
    static void hire(TestRedis.Kind kind) {
        moderator = Moderators.signUp(api, "mia");
        Moderators.promote(redis, moderator, Role.MODERATOR);
    }

    private static String path(User about) {
        return "/api/v1/admin/accounts/" + about.id() + "/notes";
    }

    private static Response add(User by, User about, String text) {
        return api.post(path(about), by.token(), "text", text);
    }

    private static Response list(User by, User about) {
        return api.get(path(about), by.token());
    }

    @Test
    void aNoteIsAddedListedAndRemovedAndItsAccountNeverReadsIt() {
        User ann = Moderators.signUp(api, "ann");
        Response first = add(moderator, ann, " asks for friends ");
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(first.text("/text")).isEqualTo("asks for friends");
        assertThat(first.text("/by_account_id")).isEqualTo(moderator.id());
        assertThat(add(moderator, ann, "again").status()).isEqualTo(200);

        assertThat(list(moderator, ann).each("text")).containsExactly("again", "asks for friends");
        assertThat(list(ann, ann).status()).isEqualTo(403);
        assertThat(api.delete(path(ann) + "/" + first.text("/id"), ann.token()).status())
                .isEqualTo(403);
        assertThat(api.delete(path(ann) + "/" + first.text("/id"), moderator.token())
                        .status())
                .isEqualTo(200);
        assertThat(api.delete(path(ann) + "/" + first.text("/id"), moderator.token())
                        .status())
                .isEqualTo(404);
        assertThat(list(moderator, ann).each("text")).containsExactly("again");
    }

    @Test
    void aTextThatIsEmptyOrTooLongIsRefused() {
        User bob = api.signUp("bob");

        assertThat(add(moderator, bob, "  ").text("/details/text/0/error")).isEqualTo("ERR_BLANK");
        assertThat(add(moderator, bob, "x".repeat(2001)).text("/details/text/0/error"))
                .isEqualTo("ERR_TOO_LONG");
        assertThat(add(moderator, bob, "x".repeat(2000)).status()).isEqualTo(200);
    }

    @Test
    void aModeratorHasNoNotesOnAnotherOneAndAnAdminHas() {
        User other = Moderators.signUp(api, "max");
        Moderators.promote(redis, other, Role.MODERATOR);
        User admin = Moderators.signUp(api, "ada");
        Moderators.promote(redis, admin, Role.ADMIN);

        assertThat(add(moderator, other, "words").status()).isEqualTo(403);
        assertThat(list(moderator, moderator).status()).isEqualTo(403);
        assertThat(add(admin, other, "words").status()).isEqualTo(200);
        assertThat(list(moderator, other).status()).isEqualTo(403);
        assertThat(list(other, other).status()).isEqualTo(403);
    }
}
