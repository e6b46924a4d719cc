package io.fanfare.api.held;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.held.HeldStatuses;
import io.vertx.core.Future;
import java.util.List;

/** Posts of the viewer that wait for a moderator. Those of others are unknown. */
final class HeldRoutes {
    private final HeldStatuses held;
    private final HeldJson json;

    HeldRoutes(HeldStatuses held, HeldJson json) {
        this.held = held;
        this.json = json;
    }

    List<Endpoint> endpoints() {
        Access read = Access.user("read:statuses");
        return List.of(
                get("/api/v1/held_statuses", read, this::list),
                get("/api/v1/held_statuses/:id", read, this::show),
                delete("/api/v1/held_statuses/:id", Access.user("write:statuses"), this::withdraw));
    }

    private Future<Answer> list(Call call) {
        return held.all(call.viewer())
                .map(all -> Answer.array(all, (out, one) -> json.write(out, one, /* author= */ null)));
    }

    private Future<Answer> show(Call call) {
        return held.find(call.viewer(), call.id())
                .map(found -> found.orElseThrow(Refusal::unknown))
                .map(one -> Answer.json(out -> json.write(out, one, /* author= */ null)));
    }

    private Future<Answer> withdraw(Call call) {
        return held.withdraw(call.viewer(), call.id()).map(withdrawn -> {
            if (!withdrawn) {
                throw Refusal.unknown();
            }
            return Answer.EMPTY_OBJECT;
        });
    }
}
