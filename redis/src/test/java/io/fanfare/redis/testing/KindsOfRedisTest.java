package io.fanfare.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.testing.KindsOfRedis.OfThisBuild;
import io.fanfare.redis.testing.TestRedis.Kind;
import org.junit.jupiter.api.Test;

class KindsOfRedisTest {
    @Test
    void aBuildThatNamesNoneTestsBoth() {
        assertThat(OfThisBuild.of(null)).containsExactly(Kind.STANDALONE, Kind.CLUSTER);
        assertThat(OfThisBuild.of("every")).containsExactly(Kind.STANDALONE, Kind.CLUSTER);
    }

    @Test
    void aBuildTestsTheOneThatItNames() {
        assertThat(OfThisBuild.of("cluster")).containsExactly(Kind.CLUSTER);
        assertThat(OfThisBuild.of("standalone")).containsExactly(Kind.STANDALONE);
    }

    @Test
    void aNameThatIsNoneFailsInsteadOfTestingNothing() {
        assertThatThrownBy(() -> OfThisBuild.of("both")).isInstanceOf(IllegalArgumentException.class);
    }
}
