package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Features that Fanfare does not have and clients request all the same when they start: the answer that a Mastodon
 * gives where there is nothing of the kind. Other features that are not offered are unknown here, as any other path is.
 */
public final class StubRoutes {
    private static final Answer NONE = Answer.json(json -> {
        json.writeStartArray();
        json.writeEndArray();
    });

    private static final Answer NO_REPORTS = Answer.json(json -> {
        json.writeStartObject();
        for (String list : List.of("annual_reports", "accounts", "statuses")) {
            json.writeArrayFieldStart(list);
            json.writeEndArray();
        }
        json.writeEndObject();
    });

    private static final Answer INELIGIBLE = Answer.json(json -> {
        json.writeStartObject();
        json.writeStringField("state", "ineligible");
        json.writeEndObject();
    });

    /** A year that an annual report can be about. */
    private static final Pattern YEAR = Pattern.compile("2[0-9]{3}");

    private StubRoutes() {}

    public static List<Endpoint> endpoints() {
        return List.of(
                stub("/api/v1/annual_reports", Access.user("read:accounts"), NO_REPORTS),
                get("/api/v1/annual_reports/:id/state", Access.user("read:accounts"), call -> ofYear(call, INELIGIBLE)),
                post(
                                "/api/v1/annual_reports/:id/generate",
                                Access.user("write:accounts"),
                                call -> ofYear(call, Answer.EMPTY_OBJECT))
                        .withoutBody(),
                stub("/api/v1/domain_blocks", Access.user("read:blocks"), NONE),
                constant("/api/v1/instance/domain_blocks", NONE),
                constant("/api/v1/instance/peers", NONE),
                constant("/api/v1/instance/translation_languages", Answer.EMPTY_OBJECT),
                constant("/api/v1/trends/links", NONE));
    }

    private static Future<Answer> ofYear(Call call, Answer answer) {
        if (!YEAR.matcher(call.pathId()).matches()) {
            throw Refusal.unknown();
        }
        return Future.succeededFuture(answer);
    }

    private static Endpoint stub(String path, Access access, Answer answer) {
        return get(path, access, call -> Future.succeededFuture(answer));
    }
}
