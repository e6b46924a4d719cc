package io.fanfare.api.site;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.site.Document;
import io.fanfare.core.site.RuleJson;
import io.fanfare.core.site.Site;
import io.fanfare.core.site.Site.Text;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** The rules and texts of the site, as clients of Mastodon read them. They are for everybody and read from memory. */
final class SiteRoutes {
    private static final int DATE_CHARS = 10;

    private final SiteFacts facts;
    private final SiteAnswers answers;
    private final Clock clock;

    SiteRoutes(SiteFacts facts, SiteAnswers answers, Clock clock) {
        this.facts = facts;
        this.answers = answers;
        this.clock = clock;
    }

    List<Endpoint> endpoints() {
        String terms = "/api/v1/instance/terms_of_service";
        return List.of(
                constant(
                        "/api/v1/instance/rules",
                        () -> answers.get(
                                "rules",
                                () -> Answer.json(json ->
                                        RuleJson.write(json, facts.site().rules())))),
                constant("/api/v1/instance/extended_description", () -> document(Text.ABOUT)),
                constant("/api/v1/instance/privacy_policy", () -> document(Text.PRIVACY)),
                constant(terms, () -> terms(current(facts.site(), clock))),
                get(terms + "/:id", Access.OPEN, call -> Future.succeededFuture(terms(day(call))))
                        .within(RateLimit.NONE));
    }

    /** The day of the terms in force; fails with {@link Refusal#unknown} when there are none. */
    static LocalDate current(Site site, Clock clock) {
        return site.currentTerms(today(clock)).orElseThrow(Refusal::unknown);
    }

    static LocalDate today(Clock clock) {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /** The day that the path names; fails with {@link Refusal#unknown} for another text. */
    static LocalDate day(Call call) {
        try {
            String text = call.pathId();
            if (text.length() == DATE_CHARS) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException e) {
            // Unknown, as any other text.
        }
        throw Refusal.unknown();
    }

    /** A text that the operator has not written is empty. */
    private Answer document(Text name) {
        return answers.get(
                name.label(),
                () -> Answer.json(json -> {
                    Document text = facts.site().texts().get(name);
                    json.writeStartObject();
                    json.writeStringField("updated_at", text == null ? null : Timestamps.time(text.changedMillis()));
                    json.writeStringField("content", text == null ? "" : text.html());
                    json.writeEndObject();
                }));
    }

    private Answer terms(LocalDate day) {
        Document text = facts.site().terms().get(day);
        if (text == null) {
            throw Refusal.unknown();
        }
        boolean effective = !day.isAfter(today(clock));
        return answers.get(
                "terms " + day + effective,
                () -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("effective_date", day.toString());
                    json.writeBooleanField("effective", effective);
                    json.writeStringField("content", text.html());
                    json.writeStringField(
                            "succeeded_by",
                            facts.site()
                                    .termsAfter(day)
                                    .map(LocalDate::toString)
                                    .orElse(null));
                    json.writeEndObject();
                }));
    }
}
