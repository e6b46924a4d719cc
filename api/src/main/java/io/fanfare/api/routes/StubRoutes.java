package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import java.util.List;

/**
 * What Fanfare does not have and clients ask for all the same when they start: the answer that a Mastodon gives where
 * there is nothing of the kind. Whatever else is not offered is unknown here, as any other path is.
 */
public final class StubRoutes {
    private static final Answer NONE = Answer.json(json -> {
        json.writeStartArray();
        json.writeEndArray();
    });
    private static final String PUSH = "/api/v1/push/subscription";

    private StubRoutes() {}

    public static List<Endpoint> endpoints() {
        return List.of(
                stub("/api/v1/announcements", Access.user(""), NONE),
                constant("/api/v1/custom_emojis", NONE),
                stub("/api/v1/domain_blocks", Access.user("read:blocks"), NONE),
                constant("/api/v1/instance/activity", NONE),
                constant("/api/v1/instance/domain_blocks", NONE),
                constant("/api/v1/instance/peers", NONE),
                constant("/api/v1/instance/privacy_policy", InstanceRoutes.NO_DOCUMENT),
                constant("/api/v1/instance/rules", NONE),
                constant("/api/v1/instance/translation_languages", Answer.EMPTY_OBJECT),
                get(PUSH, Access.user("push"), StubRoutes::noPush),
                post(PUSH, Access.user("push"), StubRoutes::noPush).withoutBody(),
                put(PUSH, Access.user("push"), StubRoutes::noPush).withoutBody(),
                delete(PUSH, Access.user("push"), StubRoutes::noPush),
                constant("/api/v1/trends/links", NONE));
    }

    private static Endpoint stub(String path, Access access, Answer answer) {
        return get(path, access, call -> Future.succeededFuture(answer));
    }

    /**
     * Whatever is asked about push: it is not offered, which is what clients understand when a subscription is unknown.
     */
    private static Future<Answer> noPush(Call call) {
        throw Refusal.unknown();
    }
}
