package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The index answers what {@link FilterSpec#matches} says, for any filters and statuses; both are drawn from so few
 * words, accounts and places that they often meet.
 */
class FilterIndexTest {
    private static final long SEED = 0x243F6A8885A308D3L;

    private static final String[] WORDS = {
        "twitter",
        "Twitter's",
        "api",
        "AI",
        "ai模型",
        "大AI模型",
        "微博",
        "微",
        "#微博#",
        "#news",
        "news",
        "@ann",
        "ann",
        "$fanf",
        "example.com",
        "www.example.com/a",
        "https://example.com/a/",
        "example",
        "com",
        "カフェ",
        "ｶﾌｪ",
        "서울",
        "서울에서",
        "👍",
        "👍🏽",
        "👩‍💻",
        "ok👍",
        "Straße",
        "STRASSE",
        "hello.",
        "(hello)",
        "foo_bar",
        "北京",
        "京",
        "x北",
        "2026年",
        "a",
        "b",
        "Ω",
        "ﬁn",
        "fin",
        "ท่า",
        "臺北",
        "台北",
        "頭髮",
        "头发",
        "發AI",
        "#話題",
        "话题",
        "café",
        "ＡＩ"
    };

    private final FilterIndex<Integer> index = new FilterIndex<>(SEED);

    private static final List<FilterSpec.Reposts> REPOSTS = List.of(FilterSpec.Reposts.values());

    @Test
    void theIndexFindsWhatTheDefinitionSays() {
        compare(20, 300, 40);
    }

    /**
     * So many of few characters that they begin alike, and texts so long that places repeat: other ways of finding than
     * those of few short ones.
     */
    @Tag("slow")
    @Test
    void theIndexFindsWhatTheDefinitionSaysOfPhrasesThatBeginAlike() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        FilterIndex<FilterSpec> named = new FilterIndex<>(seed);
        Set<FilterSpec> installed = new LinkedHashSet<>();
        int matches = 0;
        for (int round = 0; round < 20; round++) {
            while (installed.size() < 300) {
                FilterSpec spec = alike(random);
                if (installed.add(spec)) {
                    named.add(spec, spec);
                }
            }
            for (int i = 0; i < 30; i++) {
                boolean shows = random.nextInt(3) == 0;
                String text = likeOthers(random, random.nextInt(1, 400));
                String shown = shows ? likeOthers(random, random.nextInt(1, 400)) : "";
                MatchDocument doc =
                        new MatchDocument(1, 2, text, 0, List.of(), 0, shows, shows ? 3 : 0, shown, null, null, seed);
                List<FilterSpec> expected =
                        installed.stream().filter(spec -> spec.matches(doc)).toList();
                List<FilterSpec> found = new ArrayList<>();
                named.match(doc, found::add);
                assertThat(found).as("seed %d round %d", seed, round).containsExactlyInAnyOrderElementsOf(expected);
                matches += expected.size();
            }
            for (FilterSpec spec : List.copyOf(installed)) {
                if (random.nextInt(round % 5 == 0 ? 20 : 2) != 0) {
                    installed.remove(spec);
                    named.remove(spec, spec);
                }
            }
        }
        assertThat(matches).isGreaterThan(1000);
    }

    private static FilterSpec alike(SplittableRandom random) {
        StringBuilder track = new StringBuilder();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            track.append(likeOthers(random, random.nextInt(1, 12)));
            track.append(random.nextInt(3) == 0 ? " " + likeOthers(random, random.nextInt(1, 6)) : "")
                    .append(',');
        }
        track.append("中文");
        return FilterSpec.builder(bounds())
                .track(
                        random.nextInt(4) == 0
                                ? track.toString()
                                : track.substring(0, track.length() - 2) + "a".repeat(random.nextInt(1, 20)))
                .exclude(random.nextInt(3) == 0 ? likeOthers(random, random.nextInt(1, 9)) : "")
                .reposts(REPOSTS.get(random.nextInt(3)))
                .simplified(random.nextInt(4) == 0)
                .build();
    }

    private static String likeOthers(SplittableRandom random, int length) {
        String[] alphabet = {"中", "中", "中", "文", "文", "a", "b", "-", "發", "发", "𠀀"};
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    /** More than a million pairs of filter and status. */
    @Test
    @Tag("faults")
    void theIndexFindsWhatTheDefinitionSaysAMillionTimes() {
        compare(60, 400, 60);
    }

    private static void compare(int rounds, int filters, int statuses) {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        FilterIndex<FilterSpec> named = new FilterIndex<>(SEED);
        Set<FilterSpec> installed = new LinkedHashSet<>();
        int matches = 0;
        int pairs = 0;
        for (int round = 0; round < rounds; round++) {
            while (installed.size() < filters) {
                FilterSpec spec = spec(random);
                if (installed.add(spec)) {
                    named.add(spec, spec);
                }
            }
            for (int i = 0; i < statuses; i++) {
                MatchDocument doc = document(random);
                List<FilterSpec> expected =
                        installed.stream().filter(spec -> spec.matches(doc)).toList();
                List<FilterSpec> found = new ArrayList<>();
                named.match(doc, found::add);
                assertThat(found)
                        .as("seed %d round %d: %s", seed, round, doc.all().folded())
                        .containsExactlyInAnyOrderElementsOf(expected);
                matches += expected.size();
                pairs += installed.size();
            }
            // Half of them leave, so that removing is tried as often as adding.
            for (FilterSpec spec : List.copyOf(installed)) {
                if (random.nextBoolean()) {
                    installed.remove(spec);
                    named.remove(spec, spec);
                }
            }
        }
        installed.forEach(spec -> named.remove(spec, spec));
        assertThat(named.size()).isZero();
        assertThat(matches).as("matches among %d pairs, seed %d", pairs, seed).isGreaterThan(pairs / 50);
    }

    @Test
    void equalFiltersAreOneEntryAndEachListenerIsCalled() {
        FilterSpec spec = track("hello");
        index.add(spec, 1);
        index.add(track("HELLO"), 2);
        List<Integer> matched = new ArrayList<>();
        index.match(post("hello there"), matched::add);
        assertThat(index.size()).isEqualTo(1);
        assertThat(matched).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aListenerThatHasLeftIsNotCalled() {
        index.add(track("hello"), 1);
        index.add(track("hello"), 2);
        index.remove(track("hello"), 1);
        List<Integer> matched = new ArrayList<>();
        index.match(post("hello there"), matched::add);
        index.remove(track("hello"), 2);
        index.match(post("hello there"), matched::add);
        assertThat(matched).containsExactly(2);
        assertThat(index.size()).isZero();
    }

    @Test
    void followsAndTheirEndsGoToFollowersOfEitherSide() {
        index.add(follow(7), 1);
        index.add(follow(8), 2);
        index.add(track("hello"), 3);
        List<Integer> matched = new ArrayList<>();
        index.matchEdge(7, 9, matched::add);
        index.matchEdge(9, 8, matched::add);
        assertThat(matched).containsExactly(1, 2);
    }

    private static FilterSpec track(String track) {
        return FilterSpec.builder(bounds()).track(track).build();
    }

    private static FilterSpec follow(long account) {
        return FilterSpec.builder(bounds()).follow(Set.of(account)).build();
    }

    private static MatchDocument post(String text) {
        return new MatchDocument(1, 2, text, 0, List.of(), 0, false, 0, "", null, null, SEED);
    }

    private static FilterSpec.Bounds bounds() {
        return new FilterSpec.Bounds(10, 10, 10);
    }

    private static FilterSpec spec(SplittableRandom random) {
        Set<Long> follow = new HashSet<>();
        StringBuilder track = new StringBuilder();
        StringBuilder locations = new StringBuilder();
        int kinds = random.nextInt(1, 8);
        for (int i = random.nextInt(1, 4); i > 0 && (kinds & 1) != 0; i--) {
            follow.add(random.nextLong(1, 12));
        }
        for (int i = random.nextInt(1, 4); i > 0 && (kinds & 2) != 0; i--) {
            track.append(words(random, 3)).append(',');
        }
        for (int i = random.nextInt(1, 3); i > 0 && (kinds & 4) != 0; i--) {
            locations.append(locations.isEmpty() ? "" : ",").append(box(random));
        }
        if (track.toString().replace(",", "").isBlank() && follow.isEmpty() && locations.isEmpty()) {
            follow.add(1L);
        }
        return FilterSpec.builder(bounds())
                .follow(follow)
                .mentions(random.nextBoolean())
                .track(track.toString())
                .locations(locations.toString())
                .all(random.nextInt(3) == 0)
                .exclude(random.nextInt(4) == 0 ? words(random, 1) : "")
                .languages(random.nextInt(4) == 0 ? "en,pt" : "")
                .reposts(REPOSTS.get(random.nextInt(3)))
                .sample(random.nextInt(3) == 0 ? Sample.of(random.nextDouble(1, 100), 42, 0) : Sample.ALL)
                .simplified(random.nextInt(3) == 0)
                .build();
    }

    private static String box(SplittableRandom random) {
        double south = degrees(random, 90);
        double north = Math.min(90, south + size(random));
        double west = degrees(random, 180);
        double east = west + size(random);
        return west + "," + south + "," + (east > 180 ? east - 360 : east) + "," + north;
    }

    /** Often whole numbers: edges of cells and of boxes are where mistakes live. */
    private static double degrees(SplittableRandom random, int max) {
        return random.nextInt(4) == 0
                ? random.nextDouble(-max, max)
                : random.nextInt(3) == 0 ? max : random.nextInt(-max / 10, max / 10 + 1) * 10;
    }

    private static double size(SplittableRandom random) {
        return Math.pow(10, random.nextDouble(-2, 2.2));
    }

    private static String words(SplittableRandom random, int most) {
        StringBuilder words = new StringBuilder();
        for (int i = random.nextInt(1, most + 1); i > 0; i--) {
            words.append(words.isEmpty() ? "" : random.nextInt(8) == 0 ? "" : " ");
            words.append(WORDS[random.nextInt(WORDS.length)]);
        }
        return words.length() > 40 ? words.substring(0, 40) : words.toString();
    }

    private static MatchDocument document(SplittableRandom random) {
        boolean repost = random.nextInt(3) == 0;
        Place place = random.nextBoolean() ? new Place(degrees(random, 90), degrees(random, 180), "") : null;
        List<Long> mentions =
                random.nextBoolean() ? List.of() : List.of(random.nextLong(1, 12), random.nextLong(1, 12));
        String[] languages = {null, "en", "pt-BR", "zh"};
        return new MatchDocument(
                random.nextLong(1L << 53),
                random.nextLong(1, 30),
                words(random, 9),
                random.nextInt(4) == 0 ? random.nextLong(1, 12) : 0,
                mentions,
                random.nextInt(4) == 0 ? random.nextLong(1, 12) : 0,
                repost,
                repost ? random.nextLong(1, 12) : 0,
                repost && random.nextInt(4) > 0 ? words(random, 9) : "",
                languages[random.nextInt(4)],
                place,
                SEED);
    }
}
