package io.fanfare.core.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class ComposerTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Composer composer;
    private long[] users;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        composer = new Composer(f.stores.accounts(), "https://social.example:8443");
        users = f.users(60);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void accountsThatExistAreMentionedOnceInTheOrderOfTheText() {
        Content content =
                read("@User2 @nobody @user1@social.example @user0@social.example:8443 @user3@other.example @user2");

        assertThat(content.mentions())
                .containsExactly(
                        new Mention(users[2], "user2"), new Mention(users[1], "user1"), new Mention(users[0], "user0"));
    }

    @Test
    void tagsAreFoldedAndThereOnce() {
        assertThat(read("#Go #编程# #ＧＯ #go").tags()).containsExactly("go", "编程");
    }

    @Test
    void namesAndTagsAreBounded() {
        String names = IntStream.range(0, 60).mapToObj(i -> "@user" + i).collect(Collectors.joining(" "));
        String tags = IntStream.range(0, 40).mapToObj(i -> "#t" + i).collect(Collectors.joining(" "));

        assertThat(read(names).mentions()).hasSize(Composer.MENTIONS_MAX);
        assertThat(read(tags).tags()).hasSize(Composer.TAGS_MAX);
    }

    private Content read(String text) {
        return f.get(() -> composer.content(text, "", false, null, null));
    }
}
