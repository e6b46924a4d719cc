package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundScriptTest {
    private static final BoundScript<KeyName, ArgName> WRITE =
            BoundScript.load("test_write", KeyName.class, ArgName.class);

    /** Behind the keys of a script that writes: of a key without a tag, the key itself. */
    private static final String FENCE = "k1";

    private enum KeyName {
        FIRST,
        LAST
    }

    private enum ArgName {
        NOW,
        MAX
    }

    @Test
    void aValueGivenByNameTakesThePlaceOfTheName() {
        Command call =
                full().moreKeys(List.of("k3", "k4")).moreArgs(List.of("x", 7L)).command();
        assertThat(call.args())
                .containsExactly(WRITE.script().sha1(), 5, "k1", "k2", "k3", "k4", FENCE, "", 5, "x", 7L);
    }

    @Test
    void keysThatNotEveryCallNeedsMayBeAbsent() {
        assertThat(full().optionalKey(KeyName.LAST, null).command().args())
                .containsExactly(WRITE.script().sha1(), 2, "k1", FENCE, "", 5);
        assertThat(WRITE.call()
                        .optionalKey(KeyName.FIRST, null)
                        .optionalKey(KeyName.LAST, "k2")
                        .arg(ArgName.NOW, "")
                        .arg(ArgName.MAX, 5)
                        .command()
                        .args())
                .containsExactly(WRITE.script().sha1(), 2, "k2", "k2", "", 5);
        assertThatThrownBy(() -> full().key(KeyName.FIRST, null)
                        .optionalKey(KeyName.LAST, null)
                        .command())
                .hasMessage("test_write is called without FIRST");
    }

    @Test
    void aMissingArgumentIsNamed() {
        assertThatThrownBy(() -> full().key(KeyName.FIRST, null).command())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("test_write is called without FIRST");
        assertThatThrownBy(() -> full().arg(ArgName.MAX, null).command())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("test_write is called without MAX");
    }

    @Test
    void aHeaderIsReadNameByName() {
        String header =
                "#!lua flags=no-writes\n--[[\n  what\n\n  KEYS[1]  {bus}:seq  STRING  last\n  KEYS[2?]  of_all ZSET near"
                        + "\n  KEYS[3..] more\n  ARGV[1]  now\n  ARGV[2]  of a batch    how many\n\n  Returns  nothing\n]]\nKEYS[9] x";
        assertThat(ScriptHeader.of(header))
                .isEqualTo(new ScriptHeader(List.of("seq", "of_all"), List.of("now", "of_a_batch")));
        assertThatThrownBy(() -> ScriptHeader.of(header.replace("ARGV[2]", "ARGV[3]")))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ScriptHeader.of("return 1")).isInstanceOf(AssertionError.class);
        assertThat(ScriptHeader.of(WRITE)).isNotEqualTo(ScriptHeader.of(WRITE.script()));
    }

    private static BoundScript.Call<KeyName, ArgName> full() {
        return WRITE.call()
                .key(KeyName.FIRST, "k1")
                .key(KeyName.LAST, "k2")
                .arg(ArgName.NOW, "")
                .arg(ArgName.MAX, 5);
    }
}
