package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final String WRITE = "redis.call('SET', KEYS[1], 1)\n";

    @Test
    void theMarkOfTheCheckStandsAloneOnItsLine() {
        assertThat(Script.withCheck("one", "if a then\n  --#check \n  " + WRITE + "end\n"))
                .contains("acl_check_cmd", "'SET'", "end")
                .doesNotContain("--#check");
        for (String mistaken : new String[] {"--#check before the write", "--#checked"}) {
            assertThatThrownBy(() -> Script.withCheck("one", mistaken + "\n" + WRITE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the script one has \""
                            + mistaken.substring("--#check".length()).strip())
                    .hasMessageContaining("write it alone");
        }
    }
}
