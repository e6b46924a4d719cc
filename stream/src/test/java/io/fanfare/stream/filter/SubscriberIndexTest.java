package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.Partition;
import io.fanfare.stream.wire.FieldSelection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SubscriberIndexTest {
    private static final String[] WORDS = {"ai", "news", "#news", "微博", "大模型", "ai模型", "berlin"};

    private static final List<FilterSpec.Reposts> REPOSTS = List.of(FilterSpec.Reposts.values());
    private static final List<NoiseLevel> LEVELS = List.of(NoiseLevel.values());
    private static final List<Partition> PARTITIONS =
            List.of(Partition.WHOLE, new Partition(0, 2), new Partition(1, 2));
    private static final List<Event.Kind> KINDS = List.of(Event.Kind.values());

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Documents documents = new Documents(seed);

    /** A filter is not asked again about what the index has found for it, so the index has to be right. */
    @Test
    void aFilterIsFoundForWhatItWantsAndForNothingElse() {
        System.out.println("seed=" + seed);
        SubscriberIndex<PredicateFilter> subscriberIndex = new SubscriberIndex<>(documents);
        List<PredicateFilter> filters = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            PredicateFilter filter = filter();
            filters.add(filter);
            assertThat(filter.join(subscriberIndex, filter)).isTrue();
        }
        int matches = 0;
        for (int i = 0; i < 500; i++) {
            StreamEvent event = event(i + 1);
            Set<PredicateFilter> wanting = new HashSet<>(
                    filters.stream().filter(filter -> filter.wants(event)).toList());
            Set<PredicateFilter> found = new HashSet<>();
            subscriberIndex.receive(event, filter -> {
                if (filter.confirms(event)) {
                    found.add(filter);
                }
            });
            assertThat(found).as("seed %d: %s", seed, event.event()).isEqualTo(wanting);
            matches += found.size();
        }
        assertThat(matches).isPositive();
    }

    private PredicateFilter filter() {
        Set<Long> follow = random.nextBoolean() ? Set.of() : Set.of(random.nextLong(1, 20));
        String track = follow.isEmpty() || random.nextBoolean() ? keyword() + " " + keyword() + "," + keyword() : "";
        FilterSpec spec = FilterSpec.builder(new FilterSpec.Bounds(10, 10, 10))
                .follow(follow)
                .mentions(random.nextBoolean())
                .track(track)
                .all(random.nextBoolean())
                .exclude(random.nextInt(4) == 0 ? keyword() : "")
                .reposts(REPOSTS.get(random.nextInt(REPOSTS.size())))
                .build();
        return new PredicateFilter(
                spec,
                LEVELS.get(random.nextInt(LEVELS.size())),
                PARTITIONS.get(random.nextInt(PARTITIONS.size())),
                FieldSelection.ALL,
                false);
    }

    private String keyword() {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private StreamEvent event(long seq) {
        Event.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        Visibility visibility = random.nextInt(5) == 0 ? Visibility.PRIVATE : Visibility.PUBLIC;
        boolean repost = random.nextInt(3) == 0;
        MatchFields about = new MatchFields(
                random.nextInt(4) == 0 ? Post.Kind.COMMENT : Post.Kind.POST,
                List.of(),
                keyword() + " " + keyword(),
                repost ? random.nextLong(1, 20) : 0,
                repost ? keyword() + keyword() : "",
                random.nextInt(3) == 0 ? random.nextLong(1, 20) : 0,
                0,
                List.of(random.nextLong(1, 20)),
                List.of(),
                null,
                null);
        boolean ofStatus = kind == Event.Kind.STATUS || kind == Event.Kind.DELETE || kind == Event.Kind.EDIT;
        String match = about.encode();
        if (kind == Event.Kind.DELETE && random.nextBoolean()) {
            match = match.substring(0, match.length() - 1) + ",\"e\":[{\"t\":\"" + keyword() + " " + keyword()
                    + "\",\"g\":[\"x\"]}]}";
        }
        return new StreamEvent(
                new LoggedEvent(
                        "5f3a9c01",
                        seq,
                        0,
                        new Event(
                                kind,
                                seq,
                                random.nextLong(1, 20),
                                kind == Event.Kind.EDIT ? seq + 1000 : ofStatus ? 0 : random.nextLong(1, 20),
                                visibility,
                                ofStatus ? match : "",
                                "{}")),
                documents);
    }
}
