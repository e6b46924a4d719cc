package io.fanfare.api.conversation;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.store.MutedConversations;
import java.util.List;
import java.util.stream.Stream;

/** Conversations: those of direct messages, and muting. */
public final class ConversationFeature implements ApiFeature {
    private final ConversationRoutes conversations;
    private final DirectRoutes direct;

    public ConversationFeature(ApiLoop loop) {
        this.conversations = new ConversationRoutes(
                new MutedConversations(loop.redis()), loop.visible(), loop.pressure(), loop.renderer());
        this.direct = new DirectRoutes(
                loop.limits(),
                loop.publicUrl(),
                loop.stores().conversations(),
                loop.stores().conversationEvents(),
                loop.accounts(),
                loop.renderer(),
                loop.views());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(conversations.endpoints(), direct.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
