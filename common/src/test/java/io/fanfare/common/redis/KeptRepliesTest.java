package io.fanfare.common.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptRepliesTest {
    private final KeptReplies kept = new KeptReplies();

    @Test
    void theLeastRecentlyUsedIsLeftOutWhenItIsFull() {
        for (int i = 0; i < KeptReplies.MAX; i++) {
            kept.put("key" + i, new Reply.Int(i));
        }
        assertThat(kept.get("key0")).isEqualTo(new Reply.Int(0));
        kept.put("one more", new Reply.Int(1));
        assertThat(kept.size()).isEqualTo(KeptReplies.MAX);
        assertThat(kept.get("key0")).isNotNull();
        assertThat(kept.get("key1")).isNull();
    }

    @Test
    void whatIsOutdatedGoes() {
        kept.put("a", new Reply.Int(1));
        kept.put("\u00e9", new Reply.Int(2));
        kept.put("b", new Reply.Int(3));
        kept.heard(invalidate(new Reply.Items(List.of(bulk("a"), bulk("\u00e9"), bulk("unknown")))));
        assertThat(kept.get("a")).isNull();
        assertThat(kept.get("\u00e9")).isNull();
        kept.heard(new Reply.Items(List.of(bulk("message"), bulk("channel"), bulk("b"))));
        assertThat(kept.get("b")).isNotNull();
        kept.heard(invalidate(Reply.NIL));
        assertThat(kept.size()).isZero();
    }

    private static Reply invalidate(Reply keys) {
        return new Reply.Items(List.of(bulk("invalidate"), keys));
    }

    private static Reply bulk(String text) {
        return new Reply.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
