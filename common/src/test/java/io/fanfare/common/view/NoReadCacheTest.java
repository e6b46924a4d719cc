package io.fanfare.common.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Draft;
import org.junit.jupiter.api.Test;

/** Where nothing is to be remembered, as for the events that streams render one by one. */
class NoReadCacheTest {
    @Test
    void itIsBuiltOnceAndRemembersNothing() {
        ReadCache none = ReadCache.none();
        assertThat(ReadCache.none()).isSameAs(none);
        assertThat(ReadCache.of(0)).isSameAs(none);

        none.put(1, new ReadCache.ShownStatus(Draft.of(2, "hello"), Json.fields(json -> json.writeNullField("a"))));
        assertThat(none.status(1)).isNull();
        assertThat(none.draft(1)).isNull();
    }
}
