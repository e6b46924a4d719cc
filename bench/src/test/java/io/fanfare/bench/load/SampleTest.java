package io.fanfare.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SampleTest {
    private static final int STREAMS = 50;
    private static final int ONE_IN = 20;

    private final List<Pipe> pipes = new ArrayList<>();
    private final Sample sample = new Sample(ONE_IN, new SplittableRandom(7));
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
        for (int i = 0; i < STREAMS; i++) {
            Pipe pipe = Pipe.open();
            pipes.add(pipe);
            pipe.source().configureBlocking(false);
            sample.add(pipe.source().register(selector, SelectionKey.OP_READ));
        }
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        for (Pipe pipe : pipes) {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void oneOfSoManyNeighboursIsDrawnAndAnotherOneTheNextTime() {
        assertThat(sample.leavesSome()).as("before the first is drawn").isFalse();
        List<List<Integer>> draws = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            sample.draw(0);
            List<Integer> drawn = drawn();
            assertThat(drawn.stream().map(place -> place / ONE_IN)).containsExactly(0, 1, 2);
            draws.add(drawn);
        }
        assertThat(draws).doesNotHaveDuplicates();
        assertThat(sample.size()).isEqualTo(3);
    }

    @Test
    void theOthersAreDueInTurnAtTheGivenInterval() {
        sample.draw(0);
        List<SelectionKey> due = new ArrayList<>();
        for (int millis = 0; millis < 500; millis++) {
            due.addAll(sample.due(TimeUnit.MILLISECONDS.toNanos(millis)));
        }
        assertThat(due).doesNotHaveDuplicates().hasSize(STREAMS - sample.size()).noneMatch(Sample::has);
    }

    private List<Integer> drawn() {
        List<Integer> drawn = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            if (Sample.has(sample.streams().get(i))) {
                drawn.add(i);
            }
        }
        return drawn;
    }
}
