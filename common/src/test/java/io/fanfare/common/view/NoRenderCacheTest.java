package io.fanfare.common.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Post;
import org.junit.jupiter.api.Test;

/** A cache that remembers nothing, as for the events that streams render one by one. */
class NoRenderCacheTest {
    @Test
    void itIsBuiltOnceAndRemembersNothing() {
        RenderCache none = RenderCache.none();
        assertThat(RenderCache.none()).isSameAs(none);
        assertThat(RenderCache.of(0)).isSameAs(none);

        none.put(1, new RenderCache.ShownStatus(Post.of(2, "hello"), 0, Json.fields(json -> json.writeNullField("a"))));
        assertThat(none.status(1, Post.of(2, "hello"), 0)).isNull();
        assertThat(none.post(1)).isNull();
    }
}
