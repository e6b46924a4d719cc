package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Endpoint;
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

    private StubRoutes() {}

    public static List<Endpoint> endpoints() {
        return List.of(
                stub("/api/v1/announcements", Access.user(""), NONE),
                stub("/api/v1/domain_blocks", Access.user("read:blocks"), NONE),
                constant("/api/v1/instance/domain_blocks", NONE),
                constant("/api/v1/instance/peers", NONE),
                constant("/api/v1/instance/privacy_policy", InstanceRoutes.NO_DOCUMENT),
                constant("/api/v1/instance/rules", NONE),
                constant("/api/v1/instance/translation_languages", Answer.EMPTY_OBJECT),
                constant("/api/v1/trends/links", NONE));
    }

    private static Endpoint stub(String path, Access access, Answer answer) {
        return get(path, access, call -> Future.succeededFuture(answer));
    }
}
