package io.fanfare.common.siteblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups among the blocks of the site. */
class BlockIndexTest {
    private static SiteBlock block(Kind kind, String value, Severity severity, long end) {
        return new SiteBlock(1, kind, value, severity, "", 0, end);
    }

    private static SiteBlock network(String key, Severity severity) {
        return block(Kind.NETWORK, key, severity, 0);
    }

    private static BlockIndex of(SiteBlock... blocks) {
        return new BlockIndex(List.of(blocks), 1000);
    }

    private static String address(Random random, int digits) {
        // Few different beginnings, so that networks contain each other and addresses.
        String bits = Long.toHexString(random.nextLong() & (random.nextBoolean() ? 0x0303ffffffffffffL : -1L));
        return String.format(Locale.ROOT, "%16s", bits).replace(' ', '0').substring(0, digits);
    }

    /** The look-up is compared with the definition. */
    @Tag("slow")
    @Test
    void tenThousandNetworksAreFoundAsOneByOne() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<BlockedNetwork> networks = IntStream.range(0, 10_000)
                .mapToObj(i -> {
                    String digits = address(random, i % 2 == 0 ? 8 : 16);
                    int least = BlockedNetwork.bitsMin(digits);
                    int most = digits.length() * 4;
                    return new BlockedNetwork(digits, most - random.nextInt(i % 10 == 0 ? most - least + 1 : 9));
                })
                .toList();
        NetworkSet set = new NetworkSet(networks);
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            addresses.add(address(random, i % 2 == 0 ? 8 : 16));
        }
        networks.stream().limit(2000).forEach(one -> addresses.add(one.digits()));

        int found = 0;
        for (String address : addresses) {
            boolean is = networks.stream().anyMatch(one -> one.contains(address));
            assertThat(set.contains(address)).as("%s seed %d", address, seed).isEqualTo(is);
            found += is ? 1 : 0;
        }
        assertThat(found).isBetween(2000, addresses.size() - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "c0000200/24, c0000200, true",
        "c0000200/24, c00002ff, true",
        "c0000200/24, c0000300, false",
        "c0000200/24, c00001ff, false",
        "c0000201/32, c0000201, true",
        "ff000000/8, ffffffff, true",
        "80000000/8, 7fffffff, false",
        "20010db800000000/32, 20010db8ffffffff, true",
        "20010db800000000/32, 20010db900000000, false",
        "ffff000000000000/16, ffffffffffffffff, true",
        "c0000200/24, 00000000c0000201, false",
        "c0000200/24, unknown, false",
        "c0000200/24, c000020, false"
    })
    void aNetworkHasTheAddressesThatBeginAlike(String key, String address, boolean has) {
        BlockedNetwork network = BlockedNetwork.of(key);
        assertThat(network.contains(address)).isEqualTo(has);
        assertThat(of(network(key, Severity.NO_ACCESS)).isClosedTo(address)).isEqualTo(has);
    }

    @Test
    void bitsBehindThePrefixAreNoPartOfANetwork() {
        assertThat(new BlockedNetwork("c00002ff", 24)).isEqualTo(new BlockedNetwork("c0000200", 24));
        assertThat(new BlockedNetwork("c00002ff", 24).text()).isEqualTo("192.0.2.0/24");
        assertThat(new BlockedNetwork("20010db8ffffffff", 32).text()).isEqualTo("2001:db8::/32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000/0", "0a000000/7", "20010000/33", "2001000000000000/15", "2001000000000000/65"})
    void aNetworkThatIsTooWideOrTooNarrowIsNone(String key) {
        assertThatThrownBy(() -> BlockedNetwork.of(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theStrongestBlockOfAnAddressCounts() {
        BlockIndex index = of(
                network("0a000000/8", Severity.SIGN_UP_REQUIRES_APPROVAL),
                network("0a010000/16", Severity.NO_ACCESS),
                network("0a010100/24", Severity.SIGN_UP_BLOCK));
        assertThat(index.severity("0a010101")).isEqualTo(Optional.of(Severity.NO_ACCESS));
        assertThat(index.severity("0a020101")).isEqualTo(Optional.of(Severity.SIGN_UP_REQUIRES_APPROVAL));
        assertThat(index.severity("0b000000")).isEmpty();
        assertThat(index.isClosedTo("0a020101")).isFalse();
    }

    @Test
    void aBlockThatHasEndedHoldsNoLongerAndMakesTheIndexStale() {
        SiteBlock ended = block(Kind.NETWORK, "0a000000/8", Severity.NO_ACCESS, 1000);
        SiteBlock ending = block(Kind.NETWORK, "0b000000/8", Severity.NO_ACCESS, 2000);
        BlockIndex index = of(ended, ending);
        assertThat(index.isClosedTo("0a000001")).isFalse();
        assertThat(index.isClosedTo("0b000001")).isTrue();
        assertThat(index.isStale(1999)).isFalse();
        assertThat(index.isStale(2000)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "a@spam.example, true",
        "a@mail.spam.example, true",
        "a@notspam.example, false",
        "a@example, false",
        "a@SPAM.example, true",
        "'a@b@spam.example', true",
        "a@xn--bcher-kva.example, true",
        "a@bücher.example, true",
        "a@spam.example.org, false",
        "a, false",
        "'a@', false",
        "a@..., false"
    })
    void aMailDomainHasItsSubdomains(String email, boolean blocked) {
        BlockIndex index = of(
                block(Kind.MAIL_DOMAIN, "spam.example", Severity.SIGN_UP_BLOCK, 0),
                block(Kind.MAIL_DOMAIN, MailDomain.of("Bücher.example.").orElseThrow(), Severity.SIGN_UP_BLOCK, 0));
        assertThat(index.mailBlock(email) != 0).isEqualTo(blocked);
    }

    @ParameterizedTest
    @CsvSource({
        "casino*, casino, true",
        "casino*, casino_777, true",
        "casino*, mycasino, false",
        "*casino*, mycasino9, true",
        "a*b*c, abc, true",
        "a*b*c, axxbxxbc, true",
        "a*b*c, axxcxxb, false",
        "bob, bob, true",
        "bob, bobby, false",
        "*b, ab, true",
        "*b, ba, false"
    })
    void aPatternStandsForTheNamesThatItsStarsAllow(String pattern, String name, boolean blocked) {
        assertThat(NamePattern.isPattern(pattern)).isTrue();
        assertThat(of(block(Kind.NAME, pattern, Severity.SIGN_UP_BLOCK, 0)).blocksName(name))
                .isEqualTo(blocked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "**", "a**b", "A", "a-b", "a.*", "*a*b*c*d*", "ä"})
    void aTextThatNamesNothingOrTooMuchIsNoPattern(String text) {
        assertThat(NamePattern.isPattern(text)).isFalse();
    }

    @Test
    void aPatternIsMatchedAsARegularExpressionWouldBe() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String pattern = letters(random, "ab*", 8).replaceAll("\\*+", "*");
            String name = letters(random, "ab", 10);
            assertThat(new NamePattern(pattern).matches(name))
                    .as("%s %s seed %d", pattern, name, seed)
                    .isEqualTo(name.matches(pattern.replace("*", ".*")));
        }
    }

    private static String letters(Random random, String of, int max) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(max) + 1; n > 0; n--) {
            text.append(of.charAt(random.nextInt(of.length())));
        }
        return text.toString();
    }

    @Test
    void aBlockIsReadAsItWasStoredAndOneOfALaterVersionIsLeftOut() {
        SiteBlock block = new SiteBlock(7, Kind.NETWORK, "0a000000/8", Severity.NO_ACCESS, "two  words ", 5, 9);
        assertThat(SiteBlock.of(7, block.stored())).isEqualTo(Optional.of(block));
        assertThat(SiteBlock.of(7, "network sign_up_block 0 0 0a000000/8 ")
                        .orElseThrow()
                        .comment())
                .isEmpty();
        assertThat(SiteBlock.of(7, block.stored().replace("network", "planet"))).isEmpty();
        assertThat(SiteBlock.of(7, block.stored().replace("no_access", "slow"))).isEmpty();
    }
}
