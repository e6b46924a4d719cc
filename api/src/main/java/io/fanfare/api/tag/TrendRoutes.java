package io.fanfare.api.tag;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.core.feed.TagTrends;
import io.fanfare.core.feed.TagTrends.Trend;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Collectors;

/** The hashtags that many use these days. */
public final class TrendRoutes {
    private static final int LIMIT = 10;
    private static final int LIMIT_MAX = 20;
    private static final int OFFSET_MAX = 200;

    private final TagTrends trends;
    private final TagRenderer tags;

    public TrendRoutes(TagTrends trends, TagRenderer tags) {
        this.trends = trends;
        this.tags = tags;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/trends", Access.viewer("read"), this::list),
                get("/api/v1/trends/tags", Access.viewer("read"), this::list));
    }

    private Future<Answer> list(Call call) {
        int offset = call.parameters().number("offset", 0, 0, OFFSET_MAX);
        int limit = call.parameters().number("limit", LIMIT, 1, LIMIT_MAX);
        return trends.trending(offset, limit).compose(found -> tags.known(
                        call.viewer(), found.stream().collect(Collectors.toMap(Trend::tag, Trend::history)))
                .map(known -> Answer.array(found, (json, trend) -> known.write(json, trend.tag()))));
    }
}
