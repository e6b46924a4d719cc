package io.fanfare.api.notification;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.notification.Markers.Marker;
import io.fanfare.api.notification.Markers.Timeline;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.view.Timestamps;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** How far the viewer has read: where one client stopped, the next goes on. */
public final class MarkerRoutes {
    private final Markers markers;

    public MarkerRoutes(Markers markers) {
        this.markers = markers;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/markers", Access.user("read:statuses"), this::show),
                post("/api/v1/markers", Access.user("write:statuses"), this::set));
    }

    private Future<Answer> show(Call call) {
        Set<String> named = Set.copyOf(call.parameters().all("timeline"));
        List<Timeline> requested = Stream.of(Timeline.values())
                .filter(timeline -> named.contains(timeline.wire()))
                .toList();
        return markers.of(call.viewer(), requested).map(MarkerRoutes::answer);
    }

    private Future<Answer> set(Call call) {
        return markers.set(call.viewer(), lastRead(call.parameters())).map(MarkerRoutes::answer);
    }

    private static Map<Timeline, Long> lastRead(Parameters parameters) {
        Map<Timeline, Long> lastRead = new EnumMap<>(Timeline.class);
        for (Timeline timeline : Timeline.values()) {
            String name = timeline.wire() + "[last_read_id]";
            long id = parameters.id(name);
            if (id < 0) {
                throw new Refusal(Refusal.Reason.INVALID, name + " must be the id of the newest entry that was read.");
            }
            if (id > 0) {
                lastRead.put(timeline, id);
            }
        }
        return lastRead;
    }

    private static Answer answer(Map<Timeline, Marker> markers) {
        return Answer.json(json -> {
            json.writeStartObject();
            for (Map.Entry<Timeline, Marker> each : markers.entrySet()) {
                Marker marker = each.getValue();
                json.writeObjectFieldStart(each.getKey().wire());
                json.writeStringField("last_read_id", Long.toString(marker.lastRead()));
                json.writeNumberField("version", marker.version());
                json.writeStringField("updated_at", Timestamps.time(marker.setMillis()));
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }
}
