package io.fanfare.bench.scenario;

import io.fanfare.bench.load.ServerProcess;
import io.fanfare.common.model.Place;
import io.fanfare.stream.match.FilterIndex;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.MatchDocument;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Filters and the events they are asked about, in a process of their own that has the memory for a million phrases.
 * {@link StreamFilterBench} is the other end. Made-up words stand for those of people: frequent ones are frequent in
 * texts by Zipf's law, while filters look for any of them alike; a fifth of texts and phrases are Chinese, in made-up
 * words of two or three characters. Does what it is told, a line at a time:
 *
 * <pre>
 * load FILTERS SMALL LARGE SEED   three indexes of as many filters, with a box for each and so many phrases and follows altogether: SMALL, LARGE, and again LARGE (strange), which are
 *                                 those of SMALL and others of words and accounts that no event has: it matches the same
 * small N, large N, strange N     asks an index about N events, the same each time; answers matches, and microseconds: mean, p99
 * naive N                         asks each filter of the large index about each of N events; answers matches, and how many of these events the index answers differently
 * install N                       N times a filter of 400 phrases; answers microseconds: p50 and p99 of reading it, of entering it, of taking it out
 * </pre>
 */
final class FilterMatching {
    /** The seed of hashes. */
    private static final long SEED = 0x5DEECE66DL;

    private static final int ACCOUNTS = 1_000_000;
    private static final int WORDS = 1_000_000;
    private static final int CHINESE_WORDS = 200_000;
    private static final int CHINESE_CHARACTERS = 3000;
    private static final int EVENTS = 20_000;
    private static final int INSTALLED_PHRASES = 400;
    private static final FilterSpec.Bounds BOUNDS = new FilterSpec.Bounds(10_000, 20_000, 100);
    private static final String[] SYLLABLES = syllables();

    private final List<FilterSpec> specs = new ArrayList<>();
    private final FilterIndex<Integer> small = new FilterIndex<>(SEED);
    private final FilterIndex<Integer> large = new FilterIndex<>(SEED);
    private final FilterIndex<Integer> strange = new FilterIndex<>(SEED);
    private final List<SampledEvent> events = new ArrayList<>();
    private RandomGenerator random = new Random(1);
    private int next;
    private long matches;

    /** The fields of an event that filters look at, before any filter has looked. */
    private record SampledEvent(
            long id, long author, String text, long repliedTo, List<Long> mentions, String language, Place place) {
        MatchDocument document() {
            return new MatchDocument(id, author, text, repliedTo, mentions, 0, false, 0, "", language, place, SEED);
        }
    }

    /** Started by {@link StreamFilterBench}. */
    public static void main(String[] args) throws IOException {
        FilterMatching matching = new FilterMatching();
        ServerProcess.serve(Future.succeededFuture(""), line -> matching.answer(line.split(" ", -1)));
    }

    private String answer(String[] words) {
        int n = Integer.parseInt(words[1]);
        return switch (words[0]) {
            case "load" -> load(n, Integer.parseInt(words[2]), Integer.parseInt(words[3]), Long.parseLong(words[4]));
            case "small" -> match(small, n);
            case "large" -> match(large, n);
            case "strange" -> match(strange, n);
            case "naive" -> naive(n);
            case "install" -> install(n);
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private String load(int filters, int smallPhrases, int largePhrases, long seed) {
        random = new Random(seed);
        int few = Math.max(1, smallPhrases / filters);
        int many = Math.max(1, largePhrases / filters);
        for (int i = 0; i < filters; i++) {
            Set<Long> follow = accounts(few, 0);
            String track = phrases(few, 0);
            String box = box();
            small.add(parse(follow, track, box), i);
            follow.addAll(accounts(many - few, ACCOUNTS));
            strange.add(parse(follow, track + "," + phrases(many - few, WORDS), box), i);
            FilterSpec spec = parse(accounts(many, 0), phrases(many, 0), box());
            specs.add(spec);
            large.add(spec, i);
        }
        for (int i = 0; i < EVENTS; i++) {
            events.add(event(i + 1));
        }
        return "done";
    }

    private String match(FilterIndex<Integer> index, int n) {
        Histogram nanos = new Histogram(3);
        matches = 0;
        for (int i = 0; i < n; i++) {
            SampledEvent sampled = events.get(i % events.size());
            long begin = System.nanoTime();
            index.match(sampled.document(), listener -> matches++);
            nanos.recordValue(System.nanoTime() - begin);
        }
        return matches + " " + micros(nanos.getMean()) + " " + micros((double) nanos.getValueAtPercentile(99));
    }

    private String naive(int n) {
        long found = 0;
        int different = 0;
        for (int i = 0; i < n; i++) {
            SampledEvent sampled = events.get(next++ % events.size());
            MatchDocument document = sampled.document();
            Set<Integer> naive = IntStream.range(0, specs.size())
                    .filter(filter -> specs.get(filter).matches(document))
                    .boxed()
                    .collect(Collectors.toSet());
            Set<Integer> indexed = new HashSet<>();
            large.match(document, indexed::add);
            found += naive.size();
            different += naive.equals(indexed) ? 0 : 1;
        }
        return found + " " + different;
    }

    private String install(int n) {
        Histogram reading = new Histogram(3);
        Histogram entering = new Histogram(3);
        Histogram leaving = new Histogram(3);
        for (int i = 0; i < n; i++) {
            String track = phrases(INSTALLED_PHRASES, 0);
            long begin = System.nanoTime();
            FilterSpec spec = parse(Set.of(), track, "");
            long read = System.nanoTime();
            large.add(spec, -1);
            long entered = System.nanoTime();
            large.remove(spec, -1);
            long left = System.nanoTime();
            reading.recordValue(read - begin);
            entering.recordValue(entered - read);
            leaving.recordValue(left - entered);
        }
        return IntStream.of(50, 99)
                .mapToObj(p -> micros((double) reading.getValueAtPercentile(p)) + " "
                        + micros((double) entering.getValueAtPercentile(p)) + " "
                        + micros((double) leaving.getValueAtPercentile(p)))
                .collect(Collectors.joining(" "));
    }

    private static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1000);
    }

    private Set<Long> accounts(int n, int lowest) {
        Set<Long> accounts = new TreeSet<>();
        while (accounts.size() < n) {
            accounts.add(1L + lowest + random.nextInt(ACCOUNTS));
        }
        return accounts;
    }

    private static FilterSpec parse(Set<Long> follow, String track, String locations) {
        return FilterSpec.builder(BOUNDS)
                .follow(follow)
                .track(track)
                .locations(locations)
                .build();
    }

    private String phrases(int n, int firstRank) {
        return IntStream.range(0, n).mapToObj(i -> phrase(firstRank)).collect(Collectors.joining(","));
    }

    private String phrase(int firstRank) {
        int kind = random.nextInt(10);
        if (kind < 2) {
            return chinese(firstRank + random.nextInt(CHINESE_WORDS));
        }
        String text = wordOf(firstRank + random.nextInt(WORDS));
        return kind < 5 ? text + " " + wordOf(firstRank + random.nextInt(WORDS)) : text;
    }

    /** From the size of a town to that of a country. */
    private String box() {
        double size = 0.1 * Math.pow(50, random.nextDouble());
        double west = -180 + random.nextDouble() * (360 - size);
        double south = -90 + random.nextDouble() * (180 - size);
        return String.format(Locale.ROOT, "%.4f,%.4f,%.4f,%.4f", west, south, west + size, south + size);
    }

    private SampledEvent event(long id) {
        boolean inChinese = random.nextInt(5) == 0;
        StringBuilder text = new StringBuilder();
        int words = 8 + random.nextInt(13);
        for (int i = 0; i < words; i++) {
            text.append(inChinese ? chinese(zipf(CHINESE_WORDS)) : " " + wordOf(zipf(WORDS)));
        }
        if (random.nextInt(5) == 0) {
            text.append(" #").append(wordOf(zipf(WORDS)));
        }
        boolean answers = random.nextInt(3) == 0;
        Place place = random.nextInt(10) == 0
                ? new Place(-90 + random.nextDouble() * 180, -180 + random.nextDouble() * 360, "")
                : null;
        return new SampledEvent(
                id,
                1L + random.nextInt(ACCOUNTS),
                text.toString(),
                answers ? 1L + random.nextInt(ACCOUNTS) : 0,
                List.of(),
                inChinese ? "zh" : "en",
                place);
    }

    /** Rank r with a probability that goes with 1/r. */
    private int zipf(int ranks) {
        return (int) Math.pow(ranks, random.nextDouble()) - 1;
    }

    /** Different for each rank, the frequent ones short. */
    private static String wordOf(int rank) {
        StringBuilder text = new StringBuilder();
        int rest = rank;
        do {
            text.append(SYLLABLES[rest % SYLLABLES.length]);
            rest = rest / SYLLABLES.length - 1;
        } while (rest >= 0);
        return text.toString();
    }

    /**
     * Words that no text has are of characters that none has either: two others stand side by side somewhere, if only
     * where two words meet.
     */
    private static String chinese(int rank) {
        int block = 0x4E00 + rank / CHINESE_WORDS * CHINESE_CHARACTERS;
        int first = rank % CHINESE_CHARACTERS;
        int second = (rank / CHINESE_CHARACTERS * 37 + first * 11) % CHINESE_CHARACTERS;
        String two = Character.toString(block + first) + Character.toString(block + second);
        return rank % 3 == 0 ? two + Character.toString(block + rank * 7 % CHINESE_CHARACTERS) : two;
    }

    private static String[] syllables() {
        List<String> all = new ArrayList<>();
        for (char consonant : "bcdfghjklmnprstvwz".toCharArray()) {
            for (char vowel : "aeiou".toCharArray()) {
                all.add("" + consonant + vowel);
            }
        }
        return all.toArray(new String[0]);
    }
}
