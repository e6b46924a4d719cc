package io.fanfare.common.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchFieldsTest {
    @Test
    void everythingComesBack() {
        Content content = new Content(
                "Grüße\tan\n@ann | 编程 👍",
                "",
                false,
                "de",
                List.of(new Mention(11, "ann")),
                List.of("编程"),
                new Place(-12.5, 179.75, "Savusavu"));
        Post post = new Post(
                8,
                Visibility.PUBLIC,
                Post.Kind.COMMENT,
                content,
                new Reference(5, 12),
                null,
                new Reference(6, 13),
                null);
        Status original = new Status(6, Post.of(13, "the\toriginal"), Counters.NONE);

        MatchFields matchFields = MatchFields.of(new Status(7, post, Counters.NONE), List.of(original));

        assertThat(matchFields)
                .isEqualTo(new MatchFields(
                        Post.Kind.COMMENT,
                        List.of(6L),
                        content.text(),
                        13,
                        "the\toriginal",
                        12,
                        0,
                        List.of(11L),
                        List.of("编程"),
                        "de",
                        new Place(-12.5, 179.75, "")));
        assertThat(matchFields.encode()).matches("[ -~]+").startsWith("{\"o\":[6],");
        assertThat(MatchFields.decode(matchFields.encode())).isEqualTo(matchFields);
    }

    @Test
    void whetherItHasPicturesComesBackToo() {
        Attachment picture =
                new Attachment(7, "f.png", 1, 2, 3, 4, "blur", Attachment.Focus.CENTRE, "", /* clip= */ null);
        Content content = Content.of("words").with(List.of(picture));

        MatchFields matchFields =
                MatchFields.of(new Status(7, Post.of(8, Visibility.PUBLIC, content), Counters.NONE), List.of());

        assertThat(matchFields.media()).isTrue();
        assertThat(MatchFields.decode(matchFields.encode())).isEqualTo(matchFields);
        assertThat(MatchFields.decode("{\"t\":\"words\"}").media()).isFalse();
        assertThat(matchFields.without(Set.of()).media()).isTrue();
    }

    @ParameterizedTest(name = "''{0}'' in {1}")
    @CsvSource({"'',,en", "'',de,de", "hello,,", "hello,de,de"})
    void aRepostWithoutWordsSpeaksTheLanguageOfTheOriginal(String text, String own, String language) {
        Post post = new Post(
                8, Visibility.PUBLIC, Post.Kind.POST, speaking(text, own), null, null, new Reference(6, 13), null);
        Post original = Post.of(13, Visibility.PUBLIC, speaking("the original", "en"));

        assertThat(MatchFields.of(new Status(7, post, Counters.NONE), List.of(new Status(6, original, Counters.NONE)))
                        .language())
                .isEqualTo(language);
        assertThat(MatchFields.of(new Status(7, post, Counters.NONE), List.of()).language())
                .isEqualTo(own);
    }

    @ParameterizedTest(name = "''{0}''")
    @CsvSource({"'',", "hello,de"})
    void theLanguageOfADeletedOriginalGoesWithItsWords(String text, String left) {
        Post post = new Post(
                8, Visibility.PUBLIC, Post.Kind.POST, speaking(text, left), null, null, new Reference(6, 13), null);
        Post original = Post.of(13, Visibility.PUBLIC, speaking("the original", "en"));
        MatchFields both =
                MatchFields.of(new Status(7, post, Counters.NONE), List.of(new Status(6, original, Counters.NONE)));

        assertThat(both.without(Set.of(5L)).language()).isEqualTo(both.language());
        assertThat(both.without(Set.of(6L)).language()).isEqualTo(left);
    }

    private static Content speaking(String text, String language) {
        return new Content(text, "", false, language, List.of(), List.of(), null);
    }

    @Test
    void theWordsOfADeletedOriginalAreLookedAtNoMore() {
        Status quoted = new Status(5, Post.of(13, "deeper"), Counters.NONE);
        Status original = new Status(6, Post.of(13, "the original"), Counters.NONE);
        Post post =
                new Post(8, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, new Reference(6, 13), null);
        MatchFields both = MatchFields.of(new Status(7, post, Counters.NONE), List.of(original, quoted));

        MatchFields withoutQuoted =
                MatchFields.decode(both.without(Set.of(5L, 99L)).encode());
        MatchFields withoutOriginal =
                MatchFields.decode(both.without(Set.of(6L)).encode());

        assertThat(withoutQuoted.originalText()).isEqualTo("the original");
        assertThat(withoutQuoted.shown()).containsExactly(6L, -5L);
        assertThat(withoutOriginal.originalText()).isEmpty();
        assertThat(withoutOriginal.shown()).containsExactly(-6L, 5L);
        assertThat(withoutOriginal.originalAuthorId()).isEqualTo(13);
        assertThat(withoutOriginal.without(Set.of(5L))).isEqualTo(both.without(Set.of(5L, 6L)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "@ann hello,11",
        "@Ann,11",
        "@ann: hello,11",
        "'\u3000\n @ann hello',11",
        "@anna hello,0",
        "hello @ann,0",
        "@bob and @ann,0"
    })
    void aTextThatBeginsWithANameIsAddressedToIt(String text, long account) {
        Content content = new Content(text, "", false, null, List.of(new Mention(11, "ann")), List.of(), null);
        Status status = new Status(7, Post.of(8, Visibility.PUBLIC, content), Counters.NONE);

        assertThat(MatchFields.of(status, List.of()).addressedTo()).isEqualTo(account);
    }

    @Test
    void unreadableFieldsAreNotQuotedInTheError() {
        assertThatThrownBy(() -> MatchFields.decode("{secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }
}
