package io.fanfare.stream.routes;

import com.google.errorprone.annotations.Immutable;
import io.fanfare.common.model.Decimal;
import io.fanfare.common.settings.Settings;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.filter.NoiseLevel;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.FilterSpec.Reposts;
import io.fanfare.stream.match.InvalidFilter;
import io.fanfare.stream.match.Partition;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.session.EnumParameter;
import io.fanfare.stream.wire.FieldSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The parameters of a filter: those of Twitter's {@code statuses/filter} and our extensions. A constant has the name of
 * its parameter in upper case. {@code FilterParameterTest} compares the names with {@code openapi.yaml} and with
 * docs/wire.md, which say what each means. Immutable.
 */
public enum FilterParameter {
    FOLLOW((from, name, draft) -> draft.accounts = words(from, name, 1, draft.settings.followMax())),
    MENTIONS((from, name, draft) -> draft.spec.mentions(from.flag(name, false))),
    TRACK((from, name, draft) -> draft.spec.track(joined(from, name))),
    LOCATIONS((from, name, draft) -> draft.spec.locations(
            String.join(",", words(from, name, Draft.NUMBERS_OF_BOX, draft.settings.locationsMax())))),
    COMBINE((from, name, draft) ->
            draft.spec.all(EnumParameter.of(from, name, "or", "and").equals("and"))),
    EXCLUDE((from, name, draft) -> draft.spec.exclude(joined(from, name))),
    LANGUAGE((from, name, draft) -> draft.spec.languages(joined(from, name))),
    REPOSTS((from, name, draft) -> draft.spec.reposts(EnumParameter.of(from, name, Reposts.class))),
    RATE((from, name, draft) -> draft.rate = rate(from, "100")),
    SEED((from, name, draft) -> draft.seed = seed(from)),
    FILTER_LEVEL((from, name, draft) -> draft.level = EnumParameter.of(from, name, NoiseLevel.class)),
    FOLD((from, name, draft) ->
            draft.spec.simplified(EnumParameter.of(from, name, "none", "zh").equals("zh"))),
    PARTITION((from, name, draft) -> draft.partition = partition(from)),
    FIELDS((from, name, draft) -> draft.fields = fields(from)),
    EXPLAIN((from, name, draft) -> draft.explains = from.flag(name, false));

    @Immutable
    private interface Reader {
        /** Throws {@link InvalidFilter} for a value that it cannot read. */
        void read(Parameters from, String name, Draft draft);
    }

    /** The filter of one request while its parameters are read. Confined to one event loop. */
    static final class Draft {
        private static final int NUMBERS_OF_BOX = 4;

        private final Settings.Stream settings;
        private final long salt;
        private final FilterSpec.Builder spec;
        private List<String> accounts = List.of();
        private double rate;
        private long seed;
        private NoiseLevel level = NoiseLevel.NONE;
        private Partition partition = Partition.WHOLE;
        private FieldSelection fields = FieldSelection.ALL;
        private boolean explains;

        /** @param salt what samples are drawn by, the same on all nodes */
        Draft(Settings.Stream settings, long salt) {
            this.settings = settings;
            this.salt = salt;
            spec = FilterSpec.builder(
                    new FilterSpec.Bounds(settings.followMax(), settings.trackMax(), settings.locationsMax()));
        }

        /** Ids and user names to follow. */
        List<String> accounts() {
            return accounts;
        }

        /** Throws {@link InvalidFilter}. */
        PredicateFilter filter(Set<Long> follow) {
            spec.follow(follow).sample(Sample.of(rate, salt, seed));
            return new PredicateFilter(spec.build(), level, partition, fields, explains);
        }
    }

    /** Empty values that a list may contain. */
    private static final int BLANKS_MAX = 1000;

    private final Reader reader;

    FilterParameter(Reader reader) {
        this.reader = reader;
    }

    /** The name that clients send. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Throws {@link InvalidFilter} for a value that it cannot read. */
    void read(Parameters from, Draft draft) {
        reader.read(from, wire(), draft);
    }

    /** A percentage. */
    static double rate(Parameters from, String absent) {
        String name = RATE.wire();
        return Decimal.of(from.text(name, absent).strip())
                .orElseThrow(() -> InvalidFilter.unacceptable(name, "The rate must be a decimal number of percent."));
    }

    /** Every text is a seed. */
    static long seed(Parameters from) {
        String text = from.text(SEED.wire(), "");
        long seed = 0;
        for (int i = 0; i < text.length(); i++) {
            seed = seed * 1_000_003 + text.charAt(i);
        }
        return seed;
    }

    /** A part of the authors. */
    static Partition partition(Parameters from) {
        return Partition.parse(PARTITION.wire(), from.text(PARTITION.wire(), ""));
    }

    /** The fields of a status that are sent. */
    static FieldSelection fields(Parameters from) {
        return FieldSelection.parse(FIELDS.wire(), joined(from, FIELDS.wire()));
    }

    private static String joined(Parameters from, String name) {
        return String.join(",", from.all(name));
    }

    /**
     * The words between commas. Throws {@link InvalidFilter} for too many, before it splits the text.
     *
     * @param size words that make one value
     * @param most values
     */
    private static List<String> words(Parameters from, String name, int size, int most) {
        long commas = from.all(name).stream()
                .mapToLong(value -> 1 + value.chars().filter(c -> c == ',').count())
                .sum();
        if (commas > BLANKS_MAX + (long) size * most) {
            throw InvalidFilter.tooMany(name, most, commas / size);
        }
        List<String> words = new ArrayList<>();
        for (String value : from.all(name)) {
            for (String part : value.split(",", -1)) {
                if (!part.isBlank()) {
                    words.add(part.strip());
                }
            }
        }
        if (words.size() > size * most) {
            throw InvalidFilter.tooMany(name, most, (words.size() + size - 1) / size);
        }
        return words;
    }
}
