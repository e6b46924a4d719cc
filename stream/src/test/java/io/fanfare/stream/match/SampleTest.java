package io.fanfare.stream.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample is fair, nested and the same for all. */
class SampleTest {
    private static final int IDS = 1_000_000;

    @ParameterizedTest(name = "{0} percent")
    @ValueSource(doubles = {0.1, 1, 10, 50, 75, 99.9})
    void aSampleHasItsShareOfAMillion(double percent) {
        long salt = new SplittableRandom(7).nextLong();
        Sample sample = Sample.of(percent, salt, 0);
        int kept = 0;
        for (int i = 0; i < IDS; i++) {
            kept += sample.keeps(id(i)) ? 1 : 0;
        }
        double share = percent / 100;
        double sigma = Math.sqrt(IDS * share * (1 - share));
        assertThat((double) kept).isBetween(IDS * share - 4 * sigma, IDS * share + 4 * sigma);
    }

    @Test
    void aSmallerSampleLiesInALargerOne() {
        Sample one = Sample.of(1, 42, 3);
        Sample ten = Sample.of(10, 42, 3);
        for (int i = 0; i < IDS; i++) {
            assertThat(!one.keeps(id(i)) || ten.keeps(id(i))).isTrue();
        }
    }

    @Test
    void anotherSeedIsAnotherSample() {
        Sample one = Sample.of(50, 42, 1);
        Sample other = Sample.of(50, 42, 2);
        int same = 0;
        for (int i = 0; i < IDS; i++) {
            same += one.keeps(id(i)) == other.keeps(id(i)) ? 1 : 0;
        }
        assertThat((double) same / IDS).isBetween(0.495, 0.505);
    }

    @Test
    void everyMillisecondHasItsShare() {
        Sample sample = Sample.of(10, 42, 0);
        int[] kept = new int[1000];
        for (int i = 0; i < IDS; i++) {
            kept[i % 1000] += sample.keeps(Id.of(1_800_000_000_000L + i, 3, 0)) ? 1 : 0;
        }
        for (int share : kept) {
            assertThat(share).isBetween(50, 160);
        }
    }

    @Test
    void aHundredPercentIsEverything() {
        assertThat(Sample.of(100, 42, 1).keeps(4711)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.1, Double.NaN})
    void anImpossibleRateIsRefused(double percent) {
        assertThatThrownBy(() -> Sample.of(percent, 42, 0)).isInstanceOf(InvalidFilter.class);
    }

    private static long id(int i) {
        return Id.of(1_800_000_000_000L + i / 3, i % 16, i % 3);
    }
}
