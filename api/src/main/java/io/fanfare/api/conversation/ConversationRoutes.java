package io.fanfare.api.conversation;

import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.store.MutedConversations;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.util.List;

/** Conversations of which one wants to hear no more: no notification comes of any status that belongs to one. */
public final class ConversationRoutes {
    private final MutedConversations muted;
    private final VisibleStatuses visible;
    private final MemoryPressure pressure;
    private final StatusRenderer renderer;

    public ConversationRoutes(
            MutedConversations muted, VisibleStatuses visible, MemoryPressure pressure, StatusRenderer renderer) {
        this.muted = muted;
        this.visible = visible;
        this.pressure = pressure;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                post("/api/v1/statuses/:id/mute", Access.user("write:mutes"), this::mute)
                        .withoutBody(),
                post("/api/v1/statuses/:id/unmute", Access.user("write:mutes"), this::unmute)
                        .withoutBody());
    }

    private Future<Answer> mute(Call call) {
        return visible.subject(call.viewer(), call.id())
                .compose(status -> {
                    pressure.check(call.viewer());
                    return muted.mute(call.viewer(), status.conversationId());
                })
                .compose(done -> answer(call));
    }

    private Future<Answer> unmute(Call call) {
        return visible.subject(call.viewer(), call.id())
                .compose(status -> muted.unmute(call.viewer(), status.conversationId()))
                .compose(done -> answer(call));
    }

    private Future<Answer> answer(Call call) {
        return visible.find(call.viewer(), call.id())
                .compose(status -> renderer.one(status, call.viewer()))
                .map(body -> Answer.json(body));
    }
}
