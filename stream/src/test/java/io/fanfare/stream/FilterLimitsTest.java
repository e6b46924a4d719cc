package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.redis.testing.TestRedis;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A filter holds exactly as many phrases, accounts and boxes as its limits say; one more is refused with 413 and the
 * limit.
 */
class FilterLimitsTest {
    private static final int MAX = 3;

    private StreamServer server;

    @BeforeEach
    void start() {
        TestRedis.standalone().flush();
        server = StreamServer.start(
                TestRedis.standalone(),
                "stream.track-max=" + MAX,
                "stream.follow-max=" + MAX,
                "stream.locations-max=" + MAX);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void phrasesOfTrack() {
        assertLimit("track", words(MAX), words(MAX + 1));
    }

    @Test
    void phrasesOfExclude() {
        assertLimit("track=a&exclude", words(MAX), words(MAX + 1));
    }

    @Test
    void accountsOfFollow() {
        List<String> ids = IntStream.rangeClosed(0, MAX)
                .mapToObj(i -> Long.toString(server.newUser()))
                .toList();
        assertLimit("follow", ids.subList(0, MAX), ids);
    }

    @Test
    void boxesOfLocations() {
        assertLimit(
                "locations", Collections.nCopies(MAX, "1,2,3,4"), List.of("1,2,3,4", "1,2,3,5", "1,2,3,6", "1,2,3,7"));
    }

    private void assertLimit(String parameter, List<String> fits, List<String> tooMany) {
        String path = "/api/v1/streaming/filter?" + parameter + "=";
        SseClient open = server.get(0, path + String.join(",", fits));
        assertThat(open.status()).isEqualTo(200);
        SseClient refused = server.get(0, path + String.join(",", tooMany));
        awaitUntil("answered", refused::ended);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.raw()).contains(Integer.toString(MAX));
        open.close();
    }

    private static List<String> words(int many) {
        return IntStream.range(0, many).mapToObj(i -> "word" + i).toList();
    }
}
