package io.fanfare.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.text.TextEntities.Entity;
import io.fanfare.common.text.TextEntities.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextEntitiesTest {
    @ParameterizedTest
    @CsvSource(
            value = {
                "@ann | ann",
                "Hi @Ann, @bob. | ann bob",
                "@ann's (@bob) \"@cat\" .@dan :@eve -@fay | ann bob cat dan eve fay",
                "看@ann，@bob好 ありがとう@cat 안녕@dan | ann bob cat dan",
                "😀@ann😀 ❤️@bob | ann bob",
                "＠ann | ann",
                "@ann/list | ann",
                "@ann@x.example, @bob@x.example:8080/ | ann@x.example bob@x.example:8080",
                "@ann@x.example. @bob@x.example: hi | ann@x.example bob@x.example",
                "@a_b1 @_ | a_b1 _",
                "mail a@b.c or x.y@b.c, aé@b, b_@c | ''",
                "x.example/@ann ?a=@bob https://x.example/@cat | ''",
                "!@ann #@bob $@cat %@dan &@eve *@fay @@gil | ''",
                "@ann@ @bob@@cat @dané @eve:// @ @- | ''",
                "@ann@-x | ''",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void namesAreFound(String text, String names) {
        assertThat(found(text, Kind.MENTION)).isEqualTo(names.equals("''") ? "" : names);
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "#tag | tag",
                "＃Tag | tag",
                "#a #b, (#c) \"#d\" #e's | a b c d e",
                "#编程 和#编程#吧 | 编程 编程",
                "#ハッシュタグ #한국어 #日本語で | ハッシュタグ 한국어 日本語で",
                "#话题# #话题#后面 | 话题 话题",
                "#ＡＩ #STRASSE #straße | ai strasse straße",
                "#été #cafe\u0301 | été café",
                "#مرحبا #हिन्दी #می\u200cخواهم | مرحبا हिन्दी می\u200cخواهم",
                "#l·l #ピザ・パスタ | l·l ピザ・パスタ",
                "#a· #b_ #c1 #1c #_d | a b_ c1 1c _d",
                "#tag😀 😀#b | tag b",
                "#1 #2026 #_ #1_ # #- #️⃣ #1️⃣ ## | ''",
                "a#b é#b _#b &#b x.example/#b ##b | ''",
                "https://x.example/#b #http://x.example | ''",
                "&#39; | ''",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void tagsAreFound(String text, String tags) {
        assertThat(found(text, Kind.TAG)).isEqualTo(tags.equals("''") ? "" : tags);
    }

    /** One row for each script; whole, and between words of its sentences. */
    @ParameterizedTest
    @CsvSource(
            value = {
                "#Ångström | ångström",
                "#Ελλάδα | ελλάδα",
                "#Київ | київ",
                "#İstanbul #istanbul #I\u0307stanbul | istanbul istanbul istanbul",
                "#צה״ל #בית־ספר #ג׳ירפה | צה״ל בית־ספר ג׳ירפה",
                "#مُحَمَّد | مُحَمَّد",
                "#می\u200cخواهم | می\u200cخواهم",
                "#हिन्दी #क्\u200dष | हिन्दी क्\u200dष",
                "#ภาษาไทย | ภาษาไทย",
                "#မြန်မာ | မြန်မာ",
                "#ភាសាខ្មែរ | ភាសាខ្មែរ",
                "#한국어 | 한국어",
                "#トロピカル～ジュ #トロピカル〜ジュ #ハ゛ナナ #アン゠ドゥ | トロピカル〜ジュ トロピカル〜ジュ バナナ アン゠ドゥ",
                "#佐々木〃 | 佐々木",
                "#བོད་ཡིག | བོད་ཡིག",
                "#原神 | 原神",
                "#tag🎉 | tag",
                "#צה״ל״ #בית־ | צה״ל בית",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void tagsOfEachScriptAreWhole(String text, String tags) {
        assertThat(found(text, Kind.TAG)).isEqualTo(tags);
        assertThat(found("(" + text + ".", Kind.TAG)).isEqualTo(tags);
    }

    /** Addresses that pages of each script really have. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ja.wiki.example/wiki/ジョン・レノン",
                "https://en.wiki.example/wiki/Michelson–Morley_experiment",
                "https://ca.wiki.example/wiki/Col·lecció",
                "https://fr.wiki.example/wiki/L’Équipe",
                "https://he.wiki.example/wiki/צה״ל",
                "https://he.wiki.example/wiki/בית־ספר",
                "https://fa.wiki.example/wiki/می\u200cخواهم",
                "https://el.wiki.example/wiki/Ελλάδα",
                "https://uk.wiki.example/wiki/Київ",
                "https://tr.wiki.example/wiki/İstanbul",
                "https://ar.wiki.example/wiki/مُحَمَّد",
                "https://hi.wiki.example/wiki/हिन्दी",
                "https://th.wiki.example/wiki/ภาษาไทย",
                "https://my.wiki.example/wiki/မြန်မာ",
                "https://km.wiki.example/wiki/ភាសាខ្មែរ",
                "https://ko.wiki.example/wiki/한국어",
                "https://zh.wiki.example/wiki/原神",
                "https://x.example/?data=a^b=1",
                "https://x.example/a|b|c",
                "http://www.l·l.example/",
                "http://ジョン・レノン.example/",
                "http://צה״ל.example/",
            })
    void anAddressThatPagesReallyHaveIsOneWhole(String address) {
        for (String text : List.of(
                address,
                address + ".",
                "(" + address + ")",
                "看 " + address + "。",
                "「" + address + "」",
                address + "！")) {
            assertThat(addresses(text)).as(text).isEqualTo(address);
        }
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "https://x.example/a– next | https://x.example/a",
                "https://x.example/a・ | https://x.example/a",
                "https://x.example・電話で | https://x.example",
                "https://a.example・https://b.example | https://a.example https://b.example",
                "‘https://x.example/a’后面 | https://x.example/a",
                "“https://x.example/a”后面 | https://x.example/a",
                "https://x.example/a^ https://x.example/b^. | https://x.example/a https://x.example/b",
                "http://www.x·y.example/ http://a\u200cb.example/ http://a\u200db.example | ''",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void aSignOfTheSentenceEndsAnAddressAndNoHostIsCutOff(String text, String found) {
        assertThat(addresses(text)).isEqualTo(found.equals("''") ? "" : found);
    }

    @Test
    void addressesAreOneWithWebAddresses() {
        String text = "看https://x.example/a#b，@ann#c";
        List<Entity> entities = TextEntities.in(text);

        assertThat(entities.stream().map(e -> text.substring(e.from(), e.to())))
                .containsExactly("https://x.example/a#b", "@ann");
    }

    /**
     * The shapes of the public tables of addresses that are one: of twitter-text, and of those who compare patterns.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com",
                "http://www.example.com/wpstyle/?p=364",
                "https://example.com/path/to/resource?search=foo&lang=en",
                "http://example.com/#!/ann",
                "HTTPS://www.ExaMPLE.COM/index.html",
                "http://user:PASSW0RD@example.com:8080/login.php",
                "http://userid@example.com",
                "http://userid@example.com:8080/",
                "http://userid:password@example.com",
                "http://userid:password@example.com:8080/",
                "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
                "http://user@[2001:db8::1]/",
                "http://sports.example/nfl/news;_ylt=Aom0;ylu=XyZ?slug=ap",
                "http://192.168.0.1/index.html?src=asdf",
                "http://142.42.1.1:8080/",
                "http://[3ffe:1900:4545:3:200:f8ff:fe21:67cf]:80/index.html",
                "http://[::1]",
                "http://test_underscore.example.com",
                "http://example.com?foo=$bar.;baz?BAZ&c=d-#top/?stories+",
                "http://☃.example/",
                "http://✪df.example/123",
                "http://➡.example/䨹",
                "http://☺.damowmow.example/",
                "http://x☺-y.example",
                "http://😀.😀.example:80",
                "http://⌘.example",
                "http://foo.example/blah_(wikipedia)#cite-1",
                "http://foo.example/(something)?after=parens",
                "http://foo.example/blah_blah_(wikipedia)_(again)",
                "http://code.example/events/#&product=browser",
                "http://j.example",
                "http://foo.example/?q=Test%20URL-encoded%20stuff",
                "http://مثال.إختبار",
                "http://例子.测试",
                "http://उदाहरण.परीक्षा",
                "http://xn--fsqu00a.xn--0zwm56d",
                "http://1337.example",
                "http://a.b-c.de",
                "http://223.255.255.254",
                "http://example.com/Русские_слова",
                "https://www.example.com/playlist?list=PL0ZPu8XSRTB7wZzn0mLHMvyzVFeRxbWn-",
            })
    void anAddressOfThePublicTablesIsOneWhole(String address) {
        for (String text : List.of(address, "see " + address + " now", "（" + address + "，")) {
            assertThat(addresses(text)).as(text).isEqualTo(address);
        }
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "https://x.example😀 | https://x.example",
                "https://x.example😀. Next | https://x.example",
                "https://x.example☺-☺ | https://x.example",
                "https://x.example/😀 | https://x.example/",
                "https://x.example:80😀 | https://x.example:80",
                "https://x.example,@ann | https://x.example",
                "https://x.example:@ann hi | https://x.example",
                "https://user:pw@x.example. | https://user:pw@x.example",
                "https://user:pw@x.example😀 | https://user:pw@x.example",
                "https://user:pw@ | https://user",
                "https://user@😀 | https://user",
                "https://a/@ann.example | https://a/@ann.example",
                "https://[::1]] | https://[::1]",
                "https://[1] https://[] https://[:: https://[x::1] | ''",
                "https://☺ https://☺. https://-x https://.x https://@x.example | ''",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void charactersThatNoHostContainsEndAnAddress(String text, String address) {
        assertThat(addresses(text)).isEqualTo(address.equals("''") ? "" : address);
    }

    @Test
    void mentionsAndTagsThatAreTooLongArePlainText() {
        assertThat(found("@" + "a".repeat(30), Kind.MENTION)).hasSize(30);
        assertThat(found("@" + "a".repeat(31), Kind.MENTION)).isEmpty();
        assertThat(found("#" + "a".repeat(100), Kind.TAG)).hasSize(100);
        assertThat(found("#" + "a".repeat(101), Kind.TAG)).isEmpty();
        assertThat(found("#" + "ﬃ".repeat(99), Kind.TAG)).isEmpty();
    }

    /** Some letters stand for whole sentences. */
    @Test
    void aTagNeverHoldsASpace() {
        assertThat(found("#\ufdfa #a\ufdfa", Kind.TAG)).isEmpty();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            int c = random.nextInt(0x20000);
            String tag = Character.isSurrogate((char) c) ? null : TextEntities.tag("a" + Character.toString(c));
            if (tag != null) {
                assertThat(tag).as("seed " + seed).doesNotContainAnyWhitespaces();
                assertThat(TextEntities.tag(tag)).as("seed " + seed + " " + c).isEqualTo(tag);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@",
                "#",
                "@a",
                "#a",
                "@a@a",
                "#a#",
                "http://",
                "@a@a.",
                "#\u00b7",
                "#a\u00b7",
                "h#@",
                "#1",
                "a",
                "é#"
            })
    void hostileTextTakesNoLongerThanOther(String piece) {
        String text = piece.repeat(1_000_000 / piece.length());

        Duration spent = Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            assertThat(TextEntities.in(text)).isNotNull();
            return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
        });
        assertThat(spent).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void entitiesAreInOrderAndApart() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String text = randomText(random);
            int end = 0;
            for (Entity entity : TextEntities.in(text)) {
                assertThat(entity.from()).as("seed %d text %s", seed, text).isGreaterThanOrEqualTo(end);
                assertThat(entity.to()).isGreaterThan(entity.from() + 1).isLessThanOrEqualTo(text.length());
                end = entity.to();
            }
        }
    }

    /** Pieces that mean something, and some that mean nothing, in any order. */
    static String randomText(Random random) {
        List<String> pieces = List.of(
                "@",
                "#",
                "＠",
                "＃",
                "ann",
                "bob",
                "@ann",
                "#tag",
                "#话题#",
                "https://",
                "http://x.example/",
                "x.example",
                " ",
                "\n",
                "\r\n",
                "\n\n",
                "<",
                ">",
                "&",
                "\"",
                "'",
                "<script>",
                "&amp;",
                "/",
                ":",
                ".",
                "_",
                "看",
                "é",
                "😀",
                "\ufe0f",
                "\u200d",
                "\u00b7",
                "1",
                "=",
                "@ann@social.example",
                "@ann@y.example",
                "#",
                "İ",
                "\ud83d",
                "\u0000");
        return random.ints(random.nextInt(12), 0, pieces.size())
                .mapToObj(pieces::get)
                .collect(Collectors.joining());
    }

    private static String addresses(String text) {
        return TextEntities.in(text).stream()
                .filter(entity -> entity.kind() == Kind.ADDRESS)
                .map(entity -> text.substring(entity.from(), entity.to()))
                .collect(Collectors.joining(" "));
    }

    private static String found(String text, Kind kind) {
        return TextEntities.in(text).stream()
                .filter(entity -> entity.kind() == kind)
                .map(entity -> entity.name() + (entity.host().isEmpty() ? "" : "@" + entity.host()))
                .collect(Collectors.joining(" "));
    }
}
