package io.fanfare.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.client.model.Status;
import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.Cursor;
import io.fanfare.client.stream.EventStream;
import io.fanfare.client.stream.Filter;
import io.fanfare.client.stream.StreamEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of the Java client while everything fails: nothing is lost, nothing comes twice, gaps are reported. */
@Tag("programs")
class ClientOracleTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    Path dir;

    @Test
    @Timeout(300)
    void noKindOfFaultLosesOrRepeatsAnEvent() throws Exception {
        run(7);
    }

    /** The long form. */
    @Test
    @Tag("faults")
    @Timeout(3600)
    void twoHundredFaultsLoseAndRepeatNothing() throws Exception {
        run(Integer.getInteger("oracle.faults", 200));
    }

    @Test
    void theComparisonFindsLostRepeatedAndLateEvents() {
        List<String> differences = new ArrayList<>();
        List<String> effects = List.of("status:1", "status:2", "status:2", "delete:3", "status:3", "gap:7");
        ClientOracle.compare(0, effects, List.of("1", "2", "3", "4", "5"), Set.of("3", "5"), differences);
        assertThat(differences)
                .containsExactly(
                        "consumer 0 has status:2 twice",
                        "consumer 0 has status:3 after its delete",
                        "consumer 0 has a gap of a log that has everything",
                        "consumer 0 lacks status 4",
                        "consumer 0 lacks the delete of 5");
    }

    private void run(int faults) throws Exception {
        System.out.println("seed=" + seed);
        try (LocalServer server = LocalServer.start(
                        "stream.heartbeat=300ms", "stream.per-token-max=1000", "stream.per-user-rate=10000");
                ClientOracle oracle = new ClientOracle(server, dir, new Random(seed))) {
            oracle.run(faults);
            oracle.judge();
        }
    }

    /** The log keeps so little that the events of an absence have left it. */
    @Test
    @Timeout(240)
    void anAbsenceThatIsTooLongForTheLogIsAGapThatCanBeFilled() {
        try (LocalServer server = LocalServer.start("stream.log-events=200")) {
            Person ann = server.person("ann");
            Filter filter = Filter.follow(ann.id());
            Cursor cursor = Cursor.NONE;
            String newest;
            try (EventStream stream = ann.client().stream(filter).open()) {
                cursor = stream.next().orElseThrow().cursor();
                Status first = ann.post("before");
                List<StreamEvent> before = new ArrayList<>();
                while (before.stream().noneMatch(event -> event instanceof StreamEvent.Posted)) {
                    Batch batch = stream.next().orElseThrow();
                    before.addAll(batch.events());
                    cursor = batch.cursor();
                }
                newest = first.id();
            }
            List<String> missed = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                missed.add(ann.post("while nobody listens " + i).id());
            }
            List<StreamEvent.Gap> gaps = new ArrayList<>();
            List<String> received = new ArrayList<>();
            try (EventStream stream =
                    ann.client().stream(filter).from(cursor).onGap(gaps::add).open()) {
                String last = missed.get(missed.size() - 1);
                while (!received.contains(last)) {
                    Optional<Batch> batch = stream.next(Duration.ofSeconds(20));
                    assertThat(batch).isPresent();
                    batch.get().events().forEach(event -> {
                        if (event instanceof StreamEvent.Posted posted) {
                            received.add(posted.status().id());
                        }
                    });
                }
            }
            assertThat(gaps).hasSize(1);
            assertThat(gaps.get(0).reason()).isEqualTo("expired");
            assertThat(received).isEqualTo(missed.subList(missed.size() - received.size(), missed.size()));
            assertThat(gaps.get(0).missed()).isEqualTo(missed.size() - received.size());
            List<String> filled = ann.client()
                    .timelines()
                    .byAuthorsAfter(List.of(ann.id()), newest)
                    .map(Status::id)
                    .toList();
            assertThat(filled).containsAll(missed);
            assertThat(filled).doesNotHaveDuplicates().hasSize(missed.size());
        }
    }
}
