package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The matches of keywords: Twitter's own table (v1.1, "track"), and the rules that it lacks for other scripts, emoji
 * and spellings.
 */
class TrackTest {
    @ParameterizedTest(name = "{0} matches: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Twitter               | TWITTER
            Twitter               | "Twitter"
            Twitter               | twitter.
            Twitter               | #twitter
            Twitter               | @twitter
            Twitter               | http://twitter.com
            Twitter's             | I like Twitter's new design
            twitter api,twitter streaming | The Twitter API is awesome
            twitter api,twitter streaming | The twitter streaming service is fast
            twitter api,twitter streaming | Twitter has a streaming API
            example.com           | visit example.com
            example.com/foobarbaz | example.com/foobarbaz
            example.com/foobarbaz | www.example.com/foobarbaz
            www.example.com/foobarbaz | www.example.com/foobarbaz
            www.example.com/foobarbaz | see https://example.com/foobarbaz/
            example com           | foo.example.com
            example com           | foo.example.com/bar
            example com           | I hope my merry christmas card arrives: another example of a dot com boom!
            hello.                | well hello. you
            hello                 | my brother says hello.
            touché                | touche\u0301!
            Twitter’s             | Twitter's
            Twitter's             | Twitter’s
            微博                    | 我爱微博！
            微博                    | #微博#
            微博                    | 微博客
            #微博                   | 今天#微博#真好
            #微博#                  | 今天 #微博 真好
            北京 天气                 | 天气预报：北京晴
            北京，上海                 | 上海的早晨
            ＡＩ                    | ai
            AI                    | 大AI模型
            2026                  | 2026年
            AI模型                  | 大AI模型
            iPhone手机              | 新的iPhone手机壳
            カフェ                   | ｶﾌｪに行く
            서울                    | 서울에서 만나요
            ß                     | SS
            straße                | STRASSE
            👍                     | 👍️
            👍                     | ok👍
            ok                    | ok👍
            ok👍                   | fine: ok 👍
            👩‍💻                    | I am a 👩‍💻.
            🇩🇪                    | 🇫🇷🇩🇪
            $fanf                 | buy $FANF now
            @ann                  | hello @Ann's friends
            ann                   | hello @Ann
            foo_bar               | see foo_bar, please
            #news                 | (#News)
            b                     | a-b
            北                     | 在北京
            """)
    void matches(String track, String text) {
        assertThat(isMatch(track, text)).isTrue();
    }

    @ParameterizedTest(name = "{0} does not match: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Twitter               | TwitterTracker
            Twitter               | #newtwitter
            Twitter's             | Someday I'd love to visit @Twitter's office
            twitter api,twitter streaming | I'm new to Twitter
            example.com           | There is example.com/foobarbaz
            example.com/foobarbaz | example.com
            hello.                | my brother says hello
            touché                | touche
            微博                    | 微 博
            AI                    | MAIL
            AI模型                  | xAI模型
            iPhone手机              | xiPhone手机
            手机iPhone              | 手机iPhones
            👍                     | 👍🏽
            👩                     | 👩‍💻
            🇩🇪                    | 🇫🇷
            foo                   | see foo_bar
            #news                 | news
            @ann                  | ann@example.org
            @ann                  | ann
            $fanf                 | fanf
            #微博                   | 微博
            북경                    | 서울에서
            """)
    void doesNotMatch(String track, String text) {
        assertThat(isMatch(track, text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", "， ,\u3000", "\u200D", "\u00AD,"})
    void aTextWithoutTokensIsNoPhrase(String track) {
        assertThat(Phrase.parse("track", track, false, 400)).isEmpty();
    }

    @Test
    void phrasesAreSplitTrimmedAndKeptOnce() {
        assertThat(Phrase.parse("track", " Hello ,hello，ＨＥＬＬＯ, a b,b  a, a\u3000b", false, 400))
                .extracting(Phrase::text)
                .containsExactly("hello", "a b", "b a");
    }

    @Test
    void aPhraseOfSixtyCharactersIsTakenAndOneMoreIsNot() {
        assertThat(Phrase.parse("track", "微".repeat(60), false, 400)).hasSize(1);
        assertThat(Phrase.parse("track", "e\u0301".repeat(60), false, 400)).hasSize(1);
        assertThatThrownBy(() -> Phrase.parse("track", "微".repeat(61), false, 400))
                .isInstanceOfSatisfying(InvalidFilter.class, bad -> {
                    assertThat(bad.status()).isEqualTo(406);
                    assertThat(bad.param()).isEqualTo("track");
                })
                .hasMessageContaining("61");
    }

    @Test
    void aPhraseOf240BytesIsTakenAndOneMoreIsNot() {
        assertThat(Phrase.parse("track", "\uD83D\uDC4D".repeat(60), false, 400)).hasSize(1);
        assertThatThrownBy(() ->
                        Phrase.parse("track", "👩‍💻".repeat(15) + "👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻", false, 400))
                .isInstanceOf(InvalidFilter.class);
    }

    @Test
    void noFormReachesFromAStatusIntoTheOneItShows() {
        TokenizedText both = TokenizedText.of("北", "京 and more", false, 1);
        assertThat(Phrase.parse("track", "北京", false, 400).get(0).matches(both)).isFalse();
        assertThat(Phrase.parse("track", "北 more", false, 400).get(0).matches(both))
                .isTrue();
    }

    private static boolean isMatch(String track, String text) {
        List<Phrase> phrases = Phrase.parse("track", track, false, 400);
        TokenizedText forms = TokenizedText.of(text, "", false, 1);
        return phrases.stream().anyMatch(phrase -> phrase.matches(forms));
    }

    @Test
    void aPhraseMayHaveThirtyCombiningMarksInARow() {
        String thirty = "z" + "\u0301\u0323".repeat(15);

        assertThat(isMatch(thirty, "see " + thirty)).isTrue();
        assertThatThrownBy(() -> Phrase.parse("track", thirty + "\u0301", false, 400))
                .isInstanceOf(InvalidFilter.class)
                .hasMessageContaining("30 combining marks in a row");
    }

    /** Texts of other servers, and of a time that refused none. */
    @Test
    void ofATextWithMoreTheFirstThirtyAreLookedAt() {
        String thirty = "z" + "\u0301\u0323".repeat(15);

        assertThat(isMatch(thirty, "see " + thirty + "\u0301\u0323".repeat(500) + " there"))
                .isTrue();
        assertThat(isMatch("there", "see " + thirty + "\u0301\u0323".repeat(500) + " there"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0301\u0323", "\u0301\u200d\u0323", "\uff9e\u0301", "\ud83d\udc4d\u0301\u0323"})
    void textsAndPhrasesOfManyMarksCostNoMoreThanOthers(String unit) {
        String text = "z" + unit.repeat(1 << 15);
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

        assertThat(TokenizedText.of(text, "", false, 1).folded()).isNotEmpty();
        assertThatThrownBy(() -> Phrase.parse("track", text, false, 400)).isInstanceOf(InvalidFilter.class);

        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        assertThat(TimeUnit.NANOSECONDS.toMillis(nanos)).isLessThan(300);
    }
}
