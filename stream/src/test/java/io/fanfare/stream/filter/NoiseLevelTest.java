package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoiseLevelTest {
    private static final long AUTHOR = 8;

    @ParameterizedTest(name = "a {0} of {1} to {2} at {3} naming {4} with {5} tags: {6}")
    @CsvSource({
        "POST,0,0,0,0,0,NONE LOW MEDIUM",
        "POST,0,0,0,5,5,NONE LOW MEDIUM",
        "POST,0,0,0,6,0,NONE",
        "POST,0,0,0,0,6,NONE",
        "POST,12,0,0,0,0,NONE LOW MEDIUM", // A quote.
        "POST,0,12,0,1,0,NONE LOW",
        "POST,0,8,0,0,0,NONE LOW MEDIUM", // A thread of one's own.
        "POST,0,0,12,1,0,NONE LOW",
        "COMMENT,0,8,0,0,0,NONE LOW",
        "REPOST,12,0,0,0,0,NONE LOW"
    })
    void goesByTheStatusAlone(
            Post.Kind kind, long original, long repliedTo, long addressedTo, int mentions, int tags, String levels) {
        MatchFields about = new MatchFields(
                kind,
                List.of(),
                "words",
                original,
                "",
                repliedTo,
                addressedTo,
                LongStream.range(100, 100 + mentions).boxed().toList(),
                IntStream.range(0, tags).mapToObj(i -> "tag" + i).toList(),
                null,
                null);
        for (Event.Kind ofStatus : List.of(Event.Kind.STATUS, Event.Kind.DELETE)) {
            StreamEvent event = event(ofStatus, about.encode());
            assertThat(Arrays.stream(NoiseLevel.values())
                            .filter(level -> level.lets(event))
                            .map(NoiseLevel::name))
                    .containsExactly(levels.split(" "));
        }
    }

    /** A client that has the status must drop it. */
    @Test
    void aDeleteOfWhichNothingIsKnownPasses() {
        assertThat(NoiseLevel.MEDIUM.lets(event(Event.Kind.DELETE, ""))).isTrue();
    }

    private static StreamEvent event(Event.Kind kind, String match) {
        return new StreamEvent(
                new LoggedEvent("5f3a9c01", 1, 0, new Event(kind, 4711, AUTHOR, 0, Visibility.PUBLIC, match, "{}")),
                new Documents(1));
    }
}
