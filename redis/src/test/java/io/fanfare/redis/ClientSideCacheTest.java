package io.fanfare.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientSideCacheTest {
    private final ClientSideCache cache = new ClientSideCache(Namespace.NONE);

    @Test
    void theHalfThatWasUsedLongAgoIsLeftOutWhenItIsFull() {
        for (int i = 0; i < ClientSideCache.MAX; i++) {
            cache.put("key" + i, new Reply.Int(i));
        }
        assertThat(cache.size()).isEqualTo(ClientSideCache.MAX);
        assertThat(cache.get("key0")).isEqualTo(new Reply.Int(0));
        for (int i = 0; i < ClientSideCache.MAX; i++) {
            cache.put("more" + i, new Reply.Int(i));
            assertThat(cache.get("key0")).isEqualTo(new Reply.Int(0));
            assertThat(cache.size()).isLessThanOrEqualTo(ClientSideCache.MAX);
        }
        assertThat(cache.get("key1")).isNull();
        assertThat(cache.get("more0")).isNull();
        assertThat(cache.get("more" + (ClientSideCache.MAX / 2 + 1))).isNotNull();
    }

    @Test
    void anOutdatedReplyLeavesBothHalves() {
        cache.put("a", new Reply.Int(1));
        for (int i = 0; i < ClientSideCache.MAX / 2; i++) {
            cache.put("key" + i, new Reply.Int(i));
        }
        cache.put("a", new Reply.Int(2));
        cache.pushed(invalidate(new Reply.Items(List.of(bulk("a")))));
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void longRepliesAreNotKept() {
        cache.put("a", new Reply.Items(Collections.nCopies(ClientSideCache.ITEMS_MAX, Reply.NIL)));
        assertThat(cache.get("a")).isNotNull();
        cache.put("a", new Reply.Items(Collections.nCopies(ClientSideCache.ITEMS_MAX + 1, Reply.NIL)));
        assertThat(cache.size()).isZero();
    }

    @Test
    void anOutdatedReplyIsDropped() {
        cache.put("a", new Reply.Int(1));
        cache.put("\u00e9", new Reply.Int(2));
        cache.put("b", new Reply.Int(3));
        cache.pushed(invalidate(new Reply.Items(List.of(bulk("a"), bulk("\u00e9"), bulk("unknown")))));
        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("\u00e9")).isNull();
        cache.pushed(new Reply.Items(List.of(bulk("message"), bulk("channel"), bulk("b"))));
        assertThat(cache.get("b")).isNotNull();
        cache.pushed(invalidate(Reply.NIL));
        assertThat(cache.size()).isZero();
    }

    @Test
    void aServerNamesKeysWithTheNamespace() {
        ClientSideCache site = new ClientSideCache(Namespace.of("site"));
        site.put("a", new Reply.Int(1));
        site.pushed(invalidate(new Reply.Items(List.of(bulk("a"), bulk("other:a")))));
        assertThat(site.get("a")).isNotNull();
        site.pushed(invalidate(new Reply.Items(List.of(bulk("site:a")))));
        assertThat(site.get("a")).isNull();
    }

    private static Reply invalidate(Reply keys) {
        return new Reply.Items(List.of(bulk("invalidate"), keys));
    }

    private static Reply bulk(String text) {
        return new Reply.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
