package io.fanfare.stream.match;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.model.Place;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A client's filter, and its meaning for one status: {@link #matches} is the definition, {@link FilterIndex} its fast
 * form. Equal specs match equal statuses.
 *
 * @param follow accounts: their statuses and reposts, answers to them, reposts of theirs, texts that begin with their
 *     name
 * @param mentions also statuses that name a followed account anywhere
 * @param track phrases, any of which must be in the text; each once, in order
 * @param locations boxes, any of which must hold the place; a repost has none
 * @param all whether every kind of predicate given must hold, instead of any
 * @param exclude phrases that must not be in the text; likewise
 * @param languages ISO 639 codes in lower case; empty = any
 * @param reposts the parts of reposts that are looked at
 * @param sample the part of the matching statuses that is wanted
 * @param simplified whether traditional Chinese characters are taken for simplified ones; the phrases are folded so
 */
public record FilterSpec(
        Set<Long> follow,
        boolean mentions,
        List<Phrase> track,
        List<Box> locations,
        boolean all,
        List<Phrase> exclude,
        Set<String> languages,
        Reposts reposts,
        Sample sample,
        boolean simplified) {

    /** Longest code of a language (RFC 5646, 4.4.1). */
    private static final int LANGUAGE_CHARS_MAX = 35;

    /** The parts of a repost or quote that keywords look at. */
    public enum Reposts {
        /** The words of its author, and of the original. */
        INCLUDE,
        /** The words of its author. */
        COMMENT,
        /** Nothing: reposts do not match. */
        EXCLUDE
    }

    /** Most values of each kind. */
    public record Bounds(int follow, int track, int locations) {}

    private static final int LANGUAGES_MAX = 100;

    /** The weight of a box, which lies in several cells. */
    private static final int BOX_WEIGHT = 8;

    public FilterSpec {
        follow = Set.copyOf(follow);
        track = track.stream().sorted().toList();
        locations = List.copyOf(locations);
        exclude = exclude.stream().sorted().toList();
        languages = Set.copyOf(languages);
        if (follow.isEmpty() && track.isEmpty() && locations.isEmpty()) {
            throw InvalidFilter.unacceptable(
                    "track",
                    "A filter needs at least one of follow, track and locations; for everything take firehose.");
        }
    }

    /** Begins a filter whose every parameter is absent. */
    public static Builder builder(Bounds bounds) {
        return new Builder(bounds);
    }

    /** The parameters of a filter as a client sends them. */
    public static final class Builder {
        private final Bounds bounds;
        private Set<Long> follow = Set.of();
        private boolean mentions;
        private String track = "";
        private String locations = "";
        private boolean all;
        private String exclude = "";
        private String languages = "";
        private Reposts reposts = Reposts.INCLUDE;
        private Sample sample = Sample.ALL;
        private boolean simplified;

        private Builder(Bounds bounds) {
            this.bounds = bounds;
        }

        @CanIgnoreReturnValue
        public Builder follow(Set<Long> accounts) {
            follow = accounts;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder mentions(boolean value) {
            mentions = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder track(String phrases) {
            track = phrases;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder locations(String boxes) {
            locations = boxes;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder all(boolean value) {
            all = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder exclude(String phrases) {
            exclude = phrases;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder languages(String codes) {
            languages = codes;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder reposts(Reposts value) {
            reposts = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder sample(Sample value) {
            sample = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder simplified(boolean value) {
            simplified = value;
            return this;
        }

        /** Throws {@link InvalidFilter} for a value that is unreadable or above its bound. */
        public FilterSpec build() {
            check("follow", bounds.follow(), follow.size());
            List<Phrase> phrases = Phrase.parse("track", track, simplified, bounds.track());
            List<Phrase> vetoes = Phrase.parse("exclude", exclude, simplified, bounds.track());
            List<Box> boxes = Box.parse(locations, bounds.locations());
            return new FilterSpec(
                    follow, mentions, phrases, boxes, all, vetoes, codes(languages), reposts, sample, simplified);
        }
    }

    private static void check(String param, int limit, int got) {
        if (got > limit) {
            throw InvalidFilter.tooMany(param, limit, got);
        }
    }

    private static Set<String> codes(String languages) {
        check(
                "language",
                LANGUAGES_MAX,
                1 + (int) languages.chars().filter(c -> c == ',').count());
        return Arrays.stream(languages.split(",", -1))
                .map(String::strip)
                .filter(code -> !code.isEmpty())
                .map(FilterSpec::code)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String code(String language) {
        if (language.length() > LANGUAGE_CHARS_MAX) {
            throw InvalidFilter.unacceptable("language", "A language must be an ISO 639 code such as en.");
        }
        return language.toLowerCase(Locale.ROOT);
    }

    /** The memory that it takes, in terms: each keyword of each phrase is one, and so is each account. */
    public int weight() {
        return terms(track) + terms(exclude) + (mentions ? 2 : 1) * follow.size() + BOX_WEIGHT * locations.size();
    }

    private static int terms(List<Phrase> phrases) {
        return phrases.stream().mapToInt(phrase -> phrase.terms().size()).sum();
    }

    /** Equal for equal specs, and for no others that somebody could have made up without the seed. */
    long hash(long seed) {
        long hash = seed;
        for (Phrase phrase : track) {
            hash = mixed(hash, phrase.hash(seed));
        }
        hash = mixed(hash, exclude.size());
        for (Phrase phrase : exclude) {
            hash = mixed(hash, phrase.hash(seed));
        }
        long accounts = 0;
        for (long account : follow) {
            accounts += mixed(seed, account);
        }
        return mixed(mixed(hash, accounts), locations.hashCode());
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    public boolean matches(MatchDocument doc) {
        if (!allows(doc)) {
            return false;
        }
        boolean byFollow = follows(doc);
        boolean byTrack = tracks(doc);
        boolean byPlace = locates(doc);
        return all
                ? (follow.isEmpty() || byFollow) && (track.isEmpty() || byTrack) && (locations.isEmpty() || byPlace)
                : byFollow || byTrack || byPlace;
    }

    /**
     * Whether it follows either side of a follow or its end, which has neither words nor a place: where all must hold,
     * the filter may have no other predicate.
     */
    public boolean matchesEdge(long account, long other) {
        boolean followed = follow.contains(account) || follow.contains(other);
        return followed && (!all || (track.isEmpty() && locations.isEmpty()));
    }

    /** Checks the conditions that hold for every match, whichever predicate it comes by. */
    private boolean allows(MatchDocument doc) {
        return allowsBesidesWords(doc) && exclude.stream().noneMatch(phrase -> phrase.matches(words(doc)));
    }

    /** The same but for excluded phrases. */
    boolean allowsBesidesWords(MatchDocument doc) {
        return sample.keeps(doc.statusId())
                && (reposts != Reposts.EXCLUDE || !doc.repost())
                && (languages.isEmpty() || speaks(doc.language()));
    }

    /** Whether {@link #allowsBesidesWords} ever refuses. */
    boolean isLimited() {
        return !sample.all() || reposts == Reposts.EXCLUDE || !languages.isEmpty();
    }

    /** The words that keywords are looked for in. */
    TokenizedText words(MatchDocument doc) {
        return reposts == Reposts.INCLUDE ? doc.all(simplified) : doc.own(simplified);
    }

    boolean follows(MatchDocument doc) {
        return follow.contains(doc.authorId())
                || follow.contains(doc.repliedTo())
                || follow.contains(doc.addressedTo())
                || follow.contains(doc.originalAuthorId())
                || (mentions && doc.mentions().stream().anyMatch(follow::contains));
    }

    private boolean tracks(MatchDocument doc) {
        return track.stream().anyMatch(phrase -> phrase.matches(words(doc)));
    }

    private boolean locates(MatchDocument doc) {
        Place place = doc.place();
        return place != null
                && !doc.repost()
                && locations.stream().anyMatch(box -> box.contains(place.longitude(), place.latitude()));
    }

    /** {@code pt} stands for {@code pt-BR}, too. */
    private boolean speaks(String language) {
        if (language == null) {
            return false;
        }
        String code = language.toLowerCase(Locale.ROOT);
        int region = code.indexOf('-');
        return languages.contains(code) || (region > 0 && languages.contains(code.substring(0, region)));
    }

    /**
     * The predicates that a status matches: all of them, even where one would have been enough.
     *
     * @param track phrases, folded
     * @param follow accounts that have something to do with it
     */
    public record Reasons(List<String> track, List<Long> follow, List<Box> locations) {}

    /** Why a status that matches does, for a client who asks. */
    public Reasons explain(MatchDocument doc) {
        TokenizedText words = words(doc);
        List<String> phrases = track.stream()
                .filter(phrase -> phrase.matches(words))
                .map(Phrase::text)
                .sorted()
                .toList();
        Set<Long> accounts =
                new TreeSet<>(List.of(doc.authorId(), doc.repliedTo(), doc.addressedTo(), doc.originalAuthorId()));
        if (mentions) {
            accounts.addAll(doc.mentions());
        }
        accounts.retainAll(follow);
        Place place = doc.place();
        List<Box> boxes = place == null || doc.repost()
                ? List.of()
                : locations.stream()
                        .filter(box -> box.contains(place.longitude(), place.latitude()))
                        .toList();
        return new Reasons(phrases, List.copyOf(accounts), boxes);
    }
}
