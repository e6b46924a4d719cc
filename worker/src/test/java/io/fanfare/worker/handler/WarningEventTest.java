package io.fanfare.worker.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Warnings;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Streams of an account receive its warnings. */
@ParameterizedClass
@KindsOfRedis
class WarningEventTest {
    private final TestRedis.Kind kind;
    private Feeds feeds;
    private Warnings warnings;
    private long ann;

    WarningEventTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis());
        warnings = feeds.notifications.warnings();
        ann = feeds.users(1)[0];
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    private List<Event> logged() {
        return feeds.get(() -> feeds.events.read(0, 100)).events().stream()
                .map(LoggedEvent::event)
                .filter(event -> event.kind() == Event.Kind.NOTIFICATION)
                .toList();
    }

    private void announce(long warning) {
        feeds.get(() -> feeds.stores.notificationPublisher().announce(ann, warning));
    }

    @Test
    void aWarningIsOneEventForItsAccountWithAllThatTheListShows() throws JsonProcessingException {
        long id = feeds.get(() -> warnings.addAbout(ann, Action.DELETE_STATUSES, "<b>no</b> insults", 77));
        announce(id);
        announce(id);
        assertThat(logged()).hasSize(1);
        Event event = logged().get(0);
        assertThat(event.target()).isEqualTo(ann);
        assertThat(event.actor()).isEqualTo(ann);
        JsonNode body = new ObjectMapper().readTree(EventBodies.rendered(event).body());
        assertThat(body.path("type").asText()).isEqualTo("moderation_warning");
        assertThat(body.path("account").path("id").asText()).isEqualTo(Long.toString(ann));
        assertThat(body.at("/moderation_warning/text").asText()).isEqualTo("<b>no</b> insults");
        assertThat(body.at("/moderation_warning/status_ids/0").asText()).isEqualTo("77");
        assertThat(body.at("/moderation_warning/appeal").isNull()).isTrue();
    }

    @Test
    void aWarningThatIsDismissedBeforeItsEventHasNone() {
        long id = feeds.get(() -> warnings.add(ann, Action.NONE, "be kind", List.of()));
        feeds.get(() -> feeds.notifications.dismiss(ann, id));
        announce(id);
        assertThat(logged()).isEmpty();
        assertThat(feeds.get(() -> warnings.all(ann))).hasSize(1);
    }
}
