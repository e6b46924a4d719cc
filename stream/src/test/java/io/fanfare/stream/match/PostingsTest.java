package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostingsTest {
    /** Its inverse modulo 2^64 turns places into the keys that are at home there. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private record Key(long key, int check) {}

    private final Postings postings = new Postings(GOLDEN);
    private final Map<Key, List<Integer>> plain = new HashMap<>();

    @Tag("slow")
    @Test
    void agreesWithAPlainMapWhateverComesAndGoes() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            // Some anywhere; the others all in one part and near one home, so that they push each other about, also
            // over the end of the table.
            long home = random.nextLong(6) - 3 & 0xFFFFFFL;
            long place = 7L << 56 | random.nextLong(0x100) << 48 | home << 24 | i;
            long key = i % 3 == 0 ? random.nextLong() | 1 : inverse(place);
            keys.add(new Key(key, random.nextInt()));
            keys.add(new Key(key, random.nextInt(2)));
        }
        for (int turn = 0; turn < 200_000; turn++) {
            Key key = keys.get(random.nextInt(keys.size()));
            // Grows for a while and shrinks for a while.
            boolean adds = random.nextInt(10) < (turn / 20_000 % 2 == 0 ? 6 : 4);
            if (adds) {
                add(key, random.nextInt(3));
            } else {
                remove(key, random.nextInt(3));
            }
            check(seed, keys.get(random.nextInt(keys.size())));
        }
        keys.forEach(key -> check(seed, key));
        plain.forEach((key, values) -> List.copyOf(values).forEach(value -> remove(key, value)));
        keys.forEach(key -> check(seed, key));
        assertThat(postings.isEmpty()).isTrue();
    }

    private void add(Key key, int value) {
        postings.add(key.key(), key.check(), value);
        plain.computeIfAbsent(key, none -> new ArrayList<>()).add(value);
    }

    private void remove(Key key, int value) {
        postings.remove(key.key(), key.check(), value);
        plain.getOrDefault(key, new ArrayList<>()).remove((Integer) value);
    }

    private void check(long seed, Key key) {
        List<Integer> values =
                Postings.stream(postings.get(key.key(), key.check())).boxed().toList();
        assertThat(values)
                .as("seed %d %s", seed, key)
                .containsExactlyInAnyOrderElementsOf(plain.getOrDefault(key, List.of()));
    }

    private static long inverse(long place) {
        long inverse = GOLDEN;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - GOLDEN * inverse;
        }
        return place * inverse;
    }

    /** Keys that all fall into one part cost the Bloom filter 512 bytes each, since all parts have as many blocks. */
    @Test
    void keysThatWereMadeForOneSeedScatterWithAnother() {
        Postings other = new Postings(0x452821E638D01377L);
        for (int i = 0; i < 20_000; i++) {
            long key = inverse(7L << 56 | (long) i << 24);
            postings.add(key, 0, i);
            other.add(key, 0, i);
        }
        assertThat(other.bloomBytes()).isLessThan(postings.bloomBytes() / 16);
    }

    /** So many that the table of each part has grown many times. */
    @Test
    void holdsManyKeys() {
        for (int i = 0; i < 200_000; i++) {
            postings.add(i, 0, i);
        }
        for (int i = 0; i < 200_000; i += 2) {
            postings.remove(i, 0, i);
        }
        for (int i = 0; i < 200_000; i++) {
            assertThat(Postings.stream(postings.get(i, 0))).hasSize(i % 2);
        }
        assertThat(Postings.stream(postings.get(200_000, 0))).isEmpty();
    }

    /** As when thousands of filters that follow one account come back after a restart. */
    @Test
    void copiesTheValuesOfAKeySeldomHoweverManyComeAndGo() {
        int values = 10_000;
        int copies = 0;
        int[] before = postings.get(1, 0);
        for (int i = 0; i < 2 * values; i++) {
            if (i < values) {
                postings.add(1, 0, i);
            } else {
                postings.remove(1, 0, i - values);
            }
            int[] after = postings.get(1, 0);
            copies += after == before ? 0 : 1;
            before = after;
        }
        assertThat(copies).isLessThan(values / 50);
        assertThat(postings.isEmpty()).isTrue();
    }

    /** However many keys have been here before: what is gone leaves traces, which are cleared away. */
    @Test
    void siftsOutWordsThatAreNoKeys() {
        int there = 20_000;
        for (int i = 0; i < 10 * there; i++) {
            postings.add(TokenSet.hash("word" + i, GOLDEN), 0, i);
            if (i >= there) {
                postings.remove(TokenSet.hash("word" + (i - there), GOLDEN), 0, i - there);
            }
        }
        TokenSet tokens = words(9 * there, 11 * there);
        int[] sifted = new int[tokens.size()];
        int n = postings.sift(tokens.hashes(), tokens.size(), sifted);
        assertThat(Arrays.copyOf(sifted, there))
                .isEqualTo(IntStream.range(0, there).toArray());
        assertThat(n - there).isLessThan(there / 20);
    }

    private static TokenSet words(int from, int to) {
        String text = IntStream.range(from, to).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        TokenSet tokens = new TokenSet(text, GOLDEN);
        for (int begin = 0, end; begin < text.length(); begin = end + 1) {
            end = text.indexOf(' ', begin) < 0 ? text.length() : text.indexOf(' ', begin);
            tokens.add(begin, end);
        }
        return tokens;
    }
}
