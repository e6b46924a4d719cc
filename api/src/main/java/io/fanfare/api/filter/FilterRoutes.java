package io.fanfare.api.filter;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;
import static io.fanfare.api.endpoint.Endpoint.put;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.UserFilter;
import io.fanfare.common.model.UserFilter.Keyword;
import io.fanfare.common.model.UserFilter.OfStatus;
import io.fanfare.common.store.UserFilters;
import io.fanfare.common.store.UserFilters.FilterChange;
import io.fanfare.common.store.UserFilters.Kind;
import io.fanfare.common.view.FilterJson;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.graph.Filters;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/**
 * The viewer's filters, in both versions of Mastodon's API: version 1 knows a filter by each of its keywords. Those of
 * others are as unknown as what is none.
 */
public final class FilterRoutes {
    private final Filters filters;
    private final UserFilters stored;
    private final VisibleStatuses visible;
    private final MemoryPressure pressure;
    private final InstantSource clock;

    public FilterRoutes(
            Filters filters,
            UserFilters stored,
            VisibleStatuses visible,
            MemoryPressure pressure,
            InstantSource clock) {
        this.filters = filters;
        this.stored = stored;
        this.visible = visible;
        this.pressure = pressure;
        this.clock = clock;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    public List<Endpoint> endpoints() {
        Access read = Access.user("read:filters");
        Access write = Access.user("write:filters");
        return List.of(
                get("/api/v2/filters", read, this::all),
                post("/api/v2/filters", write, this::create),
                get("/api/v2/filters/keywords/:id", read, this::keyword),
                put("/api/v2/filters/keywords/:id", write, this::changeKeyword),
                delete("/api/v2/filters/keywords/:id", write, call -> remove(call, Kind.KEYWORD)),
                get("/api/v2/filters/statuses/:id", read, this::status),
                delete("/api/v2/filters/statuses/:id", write, call -> remove(call, Kind.STATUS)),
                get("/api/v2/filters/:id", read, this::show),
                put("/api/v2/filters/:id", write, this::change),
                delete("/api/v2/filters/:id", write, call -> remove(call, Kind.FILTER)),
                get("/api/v2/filters/:id/keywords", read, this::keywords),
                post("/api/v2/filters/:id/keywords", write, this::addKeyword),
                get("/api/v2/filters/:id/statuses", read, this::statuses),
                post("/api/v2/filters/:id/statuses", write, this::addStatus),
                get("/api/v1/filters", read, this::allPhrases),
                post("/api/v1/filters", write, this::createPhrase),
                get("/api/v1/filters/:id", read, this::phrase),
                put("/api/v1/filters/:id", write, this::changePhrase),
                delete("/api/v1/filters/:id", write, call -> remove(call, Kind.KEYWORD)));
    }

    private Future<Answer> all(Call call) {
        return stored.of(call.viewer()).map(all -> Answer.array(all.filters(), FilterRoutes::write));
    }

    private Future<Answer> create(Call call) {
        FilterChange wanted = NewFilter.of(call.parameters(), clock.millis());
        pressure.check(call.viewer());
        return filters.create(call.viewer(), wanted).map(done -> answer(done.filter()));
    }

    private Future<Answer> show(Call call) {
        return filter(call).map(FilterRoutes::answer);
    }

    private Future<Answer> change(Call call) {
        FilterChange wanted = NewFilter.change(call.parameters(), clock.millis());
        pressure.check(call.viewer());
        return filters.change(call.viewer(), call.id(), Kind.FILTER, wanted).map(done -> answer(done.filter()));
    }

    private Future<Answer> remove(Call call, Kind kind) {
        return filters.remove(call.viewer(), call.id(), kind).map(Answer.EMPTY_OBJECT);
    }

    private Future<Answer> keywords(Call call) {
        return filter(call).map(filter -> Answer.array(filter.keywords(), FilterRoutes::write));
    }

    private Future<Answer> addKeyword(Call call) {
        FilterChange wanted = FilterChange.ofKeyword(NewFilter.keyword(call.parameters()));
        pressure.check(call.viewer());
        return filters.change(call.viewer(), call.id(), Kind.FILTER, wanted)
                .map(done -> answer(of(done.filter(), done.added())));
    }

    private Future<Answer> keyword(Call call) {
        return keyword(call, (filter, keyword) -> answer(keyword));
    }

    private Future<Answer> changeKeyword(Call call) {
        FilterChange wanted = FilterChange.ofKeyword(NewFilter.keyword(call.parameters(), call.id()));
        pressure.check(call.viewer());
        return filters.change(call.viewer(), call.id(), Kind.KEYWORD, wanted)
                .map(done -> answer(of(done.filter(), call.id())));
    }

    private Future<Answer> statuses(Call call) {
        return filter(call).map(filter -> Answer.array(filter.statuses(), FilterRoutes::write));
    }

    private Future<Answer> addStatus(Call call) {
        long status = call.parameters().id("status_id");
        if (status <= 0) {
            throw noStatus();
        }
        pressure.check(call.viewer());
        return filter(call)
                .compose(filter -> visible.find(call.viewer(), status)
                        .recover(cause -> Future.failedFuture(isUnknown(cause) ? noStatus() : cause)))
                .compose(there -> filters.addStatus(call.viewer(), call.id(), status))
                .map(done -> Answer.json(json -> write(json, new OfStatus(done.added(), status))));
    }

    private static boolean isUnknown(Throwable cause) {
        return cause instanceof Refusal refusal && refusal.reason() == Refusal.Reason.NOT_FOUND;
    }

    private static Refusal noStatus() {
        return new Refusal(Refusal.Reason.INVALID, "Validation failed: Status must exist");
    }

    private Future<Answer> status(Call call) {
        long id = call.id();
        return stored.of(call.viewer())
                .map(all -> Answer.json(json -> write(
                        json,
                        all.filters().stream()
                                .flatMap(filter -> filter.statuses().stream())
                                .filter(status -> status.id() == id)
                                .findFirst()
                                .orElseThrow(Refusal::unknown))));
    }

    private Future<Answer> allPhrases(Call call) {
        return stored.of(call.viewer())
                .map(all -> Answer.array(
                        all.filters().stream()
                                .flatMap(filter ->
                                        filter.keywords().stream().map(keyword -> new Phrase(filter, keyword)))
                                .toList(),
                        FilterRoutes::write));
    }

    private Future<Answer> createPhrase(Call call) {
        FilterChange wanted = NewFilter.ofPhrase(call.parameters(), clock.millis());
        pressure.check(call.viewer());
        return filters.create(call.viewer(), wanted)
                .map(done -> answer(new Phrase(done.filter(), of(done.filter(), done.added()))));
    }

    private Future<Answer> phrase(Call call) {
        return keyword(call, (filter, keyword) -> answer(new Phrase(filter, keyword)));
    }

    private Future<Answer> changePhrase(Call call) {
        FilterChange wanted = NewFilter.ofPhrase(call.parameters(), clock.millis(), call.id());
        pressure.check(call.viewer());
        return filters.change(call.viewer(), call.id(), Kind.KEYWORD, wanted)
                .map(done -> answer(new Phrase(done.filter(), of(done.filter(), call.id()))));
    }

    /** The filter that the path names. */
    private Future<UserFilter> filter(Call call) {
        long id = call.id();
        return stored.of(call.viewer()).map(all -> all.filters().stream()
                .filter(filter -> filter.id() == id)
                .findFirst()
                .orElseThrow(Refusal::unknown));
    }

    private interface OfKeyword {
        Answer answer(UserFilter filter, Keyword keyword);
    }

    /** The keyword that the path names, with its filter. */
    private Future<Answer> keyword(Call call, OfKeyword shown) {
        long id = call.id();
        return stored.of(call.viewer()).map(all -> all.filters().stream()
                .flatMap(filter -> filter.keywords().stream()
                        .filter(keyword -> keyword.id() == id)
                        .map(keyword -> shown.answer(filter, keyword)))
                .findFirst()
                .orElseThrow(Refusal::unknown));
    }

    private static Keyword of(UserFilter filter, long keyword) {
        return filter.keywords().stream()
                .filter(one -> one.id() == keyword)
                .findFirst()
                .orElseThrow(Refusal::unknown);
    }

    /** A filter of version 1 of the API: one keyword of a filter. */
    private record Phrase(UserFilter filter, Keyword keyword) {}

    private static Answer answer(UserFilter filter) {
        return Answer.json(json -> write(json, filter));
    }

    private static Answer answer(Keyword keyword) {
        return Answer.json(json -> write(json, keyword));
    }

    private static Answer answer(Phrase phrase) {
        return Answer.json(json -> write(json, phrase));
    }

    /** The entity Filter. */
    private static void write(JsonGenerator json, UserFilter filter) throws IOException {
        json.writeStartObject();
        FilterJson.fields(json, filter);
        json.writeArrayFieldStart("keywords");
        for (Keyword keyword : filter.keywords()) {
            write(json, keyword);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("statuses");
        for (OfStatus status : filter.statuses()) {
            write(json, status);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Keyword keyword) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(keyword.id()));
        json.writeStringField("keyword", keyword.keyword());
        json.writeBooleanField("whole_word", keyword.wholeWord());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, OfStatus status) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(status.id()));
        json.writeStringField("status_id", Long.toString(status.statusId()));
        json.writeEndObject();
    }

    /** The entity V1::Filter. */
    private static void write(JsonGenerator json, Phrase phrase) throws IOException {
        UserFilter filter = phrase.filter();
        json.writeStartObject();
        json.writeStringField("id", Long.toString(phrase.keyword().id()));
        json.writeStringField("phrase", phrase.keyword().keyword());
        FilterJson.contexts(json, filter);
        json.writeBooleanField("whole_word", phrase.keyword().wholeWord());
        json.writeStringField("expires_at", filter.expiresAt() == 0 ? null : Timestamps.time(filter.expiresAt()));
        json.writeBooleanField("irreversible", filter.action() == UserFilter.Action.HIDE);
        json.writeEndObject();
    }
}
