package io.fanfare.core.held;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.LoopStores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The signals that posts of young accounts have. */
@ParameterizedClass
@KindsOfRedis
class SignalsTest {
    private static final String SAME = "Win a free phone today, only here and only now";

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long[] u;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        u = f.users(6);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Signals signals(InstantSource clock, String... settings) {
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(
                f.link,
                StoreFixture.settings(settings),
                new Shards(f.settings.redis().shards()),
                clock,
                new Random(1)));
        byte[] key = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        return new Signals(stores, new SigningKeys(List.of(key)));
    }

    private Signals signals(String... settings) {
        return signals(InstantSource.system(), settings);
    }

    @CanIgnoreReturnValue
    private Optional<Signal> find(Signals signals, long author, String text, long... named) {
        return find(signals, author, Content.NONE, text, named);
    }

    private Optional<Signal> find(Signals signals, long author, Content before, String text, long... named) {
        List<Mention> mentions =
                Arrays.stream(named).mapToObj(id -> new Mention(id, "user")).toList();
        Content content = new Content(text, "", false, null, mentions, List.of(), null);
        return f.get(() -> signals.find(Post.of(author, Visibility.PUBLIC, content), before))
                .map(Finding::signal);
    }

    @Test
    void aLinkToAnotherSiteIsASignalAndOneToThisSiteIsNone() {
        Signals signals = signals("signals.links=hold", "http.public-url=https://here.example");
        assertThat(find(signals, u[0], "see https://other.example/x")).contains(Signal.LINKS);
        assertThat(find(signals, u[0], "see https://here.example/@user1")).isEmpty();
        assertThat(find(signals, u[0], "see https://here.example@other.example/"))
                .contains(Signal.LINKS);
        assertThat(find(signals, u[0], "see https://here.example.other.example/"))
                .contains(Signal.LINKS);
        assertThat(find(signals, u[0], "no link")).isEmpty();
    }

    @Test
    void mentionsOfAccountsThatDoNotFollowTheAuthorCount() {
        Signals signals = signals("signals.mentions=hold", "signals.mentions-max=2");
        assertThat(find(signals, u[0], "hello", u[1], u[2], u[0])).isEmpty();
        assertThat(find(signals, u[0], "hello", u[1], u[2], u[3])).contains(Signal.MENTIONS);
        f.follow(u[1], u[0]);
        assertThat(find(signals, u[0], "hello", u[1], u[2], u[3])).isEmpty();
    }

    @Test
    void aTextOfManyAccountsIsASignalHoweverItIsSpacedAndNumbered() {
        Signals signals = signals("signals.same-text=hold", "signals.same-text-accounts=3");
        assertThat(find(signals, u[0], SAME)).isEmpty();
        assertThat(find(signals, u[0], SAME + " 1")).as("of one account").isEmpty();
        assertThat(find(signals, u[1], SAME.toUpperCase(Locale.ROOT) + "!!! 17"))
                .isEmpty();
        assertThat(find(signals, u[2], "@user1 w\u200bin a  free phone\ntoday, only here and only now"))
                .isEmpty();
        assertThat(find(signals, u[3], SAME.replace(" ", "\u00a0") + " \ud83d\ude00"))
                .contains(Signal.SAME_TEXT);
        assertThat(find(signals, u[4], "Another text that nobody else has written so far"))
                .isEmpty();
    }

    @Test
    void aLinkOfManyAccountsIsASignalWhateverStandsAroundIt() {
        Signals signals = signals("signals.same-text=hold", "signals.same-text-accounts=1");
        assertThat(find(signals, u[0], "a https://other.example/x?y=1#z")).isEmpty();
        assertThat(find(signals, u[1], "b https://other.example/x?y=2")).isEmpty();
        assertThat(find(signals, u[1], "c https://OTHER.example/x?y=1")).contains(Signal.SAME_TEXT);
    }

    @Test
    void shortTextsAreNotCompared() {
        Signals signals = signals("signals.same-text=hold", "signals.same-text-accounts=1");
        for (long each : u) {
            assertThat(find(signals, each, "Happy new year 2027!")).isEmpty();
        }
        assertThat(f.redis.keys()).noneMatch(key -> key.contains("same-text"));
    }

    @Test
    void noTextIsKeptAndTheKeysEnd() {
        Signals signals = signals("signals.same-text=hold", "signals.same-text-accounts=2");
        for (long each : u) {
            find(signals, each, SAME);
        }
        List<String> keys =
                f.redis.keys().stream().filter(key -> key.contains("same-text")).toList();
        assertThat(keys).hasSize(1).noneMatch(key -> key.contains("phone"));
        assertThat(f.number(keys.get(0), "ZCARD", keys.get(0))).isEqualTo(3);
        assertThat(f.number(keys.get(0), "PTTL", keys.get(0))).isBetween(1L, Signals.WINDOW.toMillis());
    }

    @Test
    void aSignalThatHoldsComesBeforeOneThatLimits() {
        Signals signals = signals("signals.links=limit", "signals.mentions=hold", "signals.mentions-max=0");
        assertThat(find(signals, u[0], "https://other.example/")).contains(Signal.LINKS);
        assertThat(find(signals, u[0], "https://other.example/", u[1])).contains(Signal.MENTIONS);
    }

    @Test
    void trustedAccountsAndAccountsWithARoleHaveNone() {
        Signals signals = signals("signals.links=hold");
        f.redis.askAt(Keys.user(u[0]), "HSET", Keys.user(u[0]), "trusted", "1");
        f.redis.askAt(Keys.user(u[1]), "HSET", Keys.user(u[1]), "role", "moderator");
        f.redis.askAt(Keys.user(u[2]), "HSET", Keys.user(u[2]), "role", "user");
        assertThat(find(signals, u[0], "https://other.example/")).isEmpty();
        assertThat(find(signals, u[1], "https://other.example/")).isEmpty();
        assertThat(find(signals, u[2], "https://other.example/")).contains(Signal.LINKS);
    }

    @Test
    void anEditCountsOnlyWithWhatItAdds() {
        Signals signals = signals("signals.links=hold", "signals.mentions=hold", "signals.mentions-max=0");
        Content before = new Content(
                "see https://other.example/", "", false, null, List.of(new Mention(u[1], "user1")), List.of(), null);
        assertThat(find(signals, u[0], before, "Look: https://other.example/", u[1]))
                .isEmpty();
        assertThat(find(signals, u[0], before, "https://other.example/ https://third.example/"))
                .contains(Signal.LINKS);
        assertThat(find(signals, u[0], before, "hello", u[1], u[2])).contains(Signal.MENTIONS);
    }

    @Test
    void accountsAreCoveredUntilTheyAreOldAndNobodyIsWhereEverySignalIsOff() {
        Instant signUp = Instant.ofEpochMilli(Id.epochMillis(u[0]));
        String[] on = {"signals.links=limit", "signals.account-hours=2"};
        assertThat(signals(() -> signUp.plusSeconds(7199), on).cover(u[0])).isTrue();
        assertThat(signals(() -> signUp.plusSeconds(7200), on).cover(u[0])).isFalse();
        assertThat(signals("signals.account-hours=2").cover(u[0])).isFalse();
    }

    @Test
    void aTextOfGreatLengthIsCutBeforeItIsCompared() {
        String text = "\ufdfa".repeat(60_000);
        String letters = Signals.letters(text, TextEntities.in(text));
        assertThat(letters.length()).isLessThanOrEqualTo(Signals.CHARS_MAX * 18);
    }
}
