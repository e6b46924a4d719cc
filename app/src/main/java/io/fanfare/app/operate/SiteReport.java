package io.fanfare.app.operate;

import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.site.Announcement;
import io.fanfare.core.site.Document;
import io.fanfare.core.site.Rule;
import io.fanfare.core.site.Site;
import io.fanfare.core.site.Sites;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The rules, texts and announcements of the site for operators, who change them. For a link's event loop. */
public final class SiteReport {
    /** The terms of service among the names of texts. */
    private static final String TERMS = "terms";

    private final Sites sites;
    private final ModerationLog log;
    private final InstantSource clock;

    public SiteReport(Redis redis, ModerationLog log, InstantSource clock) {
        this.sites = new Sites(redis);
        this.log = log;
        this.clock = clock;
    }

    /** All of it for programs, texts without their words. */
    public Future<JsonObject> show() {
        return sites.load().map(this::json);
    }

    /** One text for programs. */
    public Future<JsonObject> text(TextName name) {
        return sites.load().map(site -> {
            Document text = name.in(site)
                    .orElseThrow(() -> new Refusal(Refusal.Reason.NOT_FOUND, "There is no text " + name + "."));
            return json(name, text).put("text", text.text());
        });
    }

    /** Logs a change and makes it, for programs: all of it after the change. A refused change is not logged. */
    public Future<JsonObject> change(Act act, UnaryOperator<Site> change) {
        return sites.load()
                .map(change)
                .compose(possible -> log.during(act, () -> sites.change(change)))
                .map(this::json);
    }

    /** A change that adds a rule. */
    public static UnaryOperator<Site> addRule(String text, String hint) {
        return site -> site.withRule(text, hint);
    }

    /** A change of the words of a rule; null = as before. */
    public static UnaryOperator<Site> editRule(long id, String text, String hint) {
        return site -> site.withRule(id, rule -> rule.with(text, hint));
    }

    /** A change of the translation of a rule; an empty text removes it. */
    public static UnaryOperator<Site> translateRule(long id, String language, String text, String hint) {
        return site -> site.withRule(
                id,
                rule -> rule.translated(
                        language, text.isBlank() ? Optional.empty() : Optional.of(new Rule.Wording(text, hint))));
    }

    /**
     * A change that announces something.
     *
     * @param from the moment from which it is shown; empty = now
     * @param start a day, a moment, or empty
     * @param end likewise
     */
    public UnaryOperator<Site> announce(String text, String from, String start, String end) {
        long shownFrom = Announcement.millis(from);
        Announcement.Period period = Announcement.Period.of(start, end);
        long now = clock.millis();
        return site -> site.withAnnouncement(text, shownFrom, period, now);
    }

    /** A change of the text of an announcement. */
    public UnaryOperator<Site> editAnnouncement(long id, String text) {
        long now = clock.millis();
        return site -> site.withAnnouncementText(id, text, now);
    }

    /** A change of a text. */
    public UnaryOperator<Site> write(TextName name, String text) {
        Document document = Document.of(clock.millis(), text);
        return site -> name.with(site, document);
    }

    /**
     * The name of a text: about, privacy, or terms with the day from which they are in force.
     *
     * @param from null but for terms
     */
    public record TextName(String name, LocalDate from) {
        /** Fails with a sentence for another name, and for terms without a day or another text with one. */
        public static TextName of(String name, String day) {
            boolean terms = name.equals(TERMS);
            if (!terms
                    && Stream.of(Site.Text.values())
                            .noneMatch(known -> known.label().equals(name))) {
                throw new Refusal(Refusal.Reason.MALFORMED, "The text must be about, privacy or terms.");
            }
            if (terms == day.isEmpty()) {
                throw new Refusal(
                        Refusal.Reason.MALFORMED,
                        terms
                                ? "Name the day from which the terms are in force, such as 2026-12-01."
                                : "Only terms have a day from which they are in force.");
            }
            return new TextName(name, terms ? Announcement.date(day) : null);
        }

        private Site.Text text() {
            return Stream.of(Site.Text.values())
                    .filter(known -> known.label().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private Optional<Document> in(Site site) {
            return Optional.ofNullable(
                    from == null ? site.texts().get(text()) : site.terms().get(from));
        }

        private Site with(Site site, Document document) {
            return from == null ? site.with(text(), document) : site.withTerms(from, document);
        }

        /** The site without the text. */
        public Site removedFrom(Site site) {
            return from == null ? site.without(text()) : site.withoutTerms(from);
        }

        @Override
        public String toString() {
            return from == null ? name : name + " " + from;
        }
    }

    private JsonObject json(Site site) {
        JsonArray texts = new JsonArray();
        site.texts().forEach((name, text) -> texts.add(json(new TextName(name.label(), null), text)));
        site.terms().forEach((from, text) -> texts.add(json(new TextName(TERMS, from), text)));
        return new JsonObject()
                .put(
                        "rules",
                        new JsonArray(
                                site.rules().stream().map(SiteReport::json).toList()))
                .put(
                        "announcements",
                        new JsonArray(
                                site.announcements().stream().map(this::json).toList()))
                .put("texts", texts)
                .put("contact", site.contact() == 0 ? null : Long.toString(site.contact()));
    }

    private static JsonObject json(Rule rule) {
        JsonObject translations = new JsonObject();
        rule.translations()
                .forEach((language, wording) -> translations.put(
                        language, new JsonObject().put("text", wording.text()).put("hint", wording.hint())));
        return new JsonObject()
                .put("id", rule.id())
                .put("text", rule.text())
                .put("hint", rule.hint())
                .put("translations", translations);
    }

    private JsonObject json(Announcement one) {
        Announcement.Period period = one.period();
        return new JsonObject()
                .put("id", one.id())
                .put("text", one.text())
                .put("shown", one.isShown(clock.millis()))
                .put("published_at", Terminal.time(one.publishedMillis()))
                .put("starts_at", period.startMillis() == 0 ? null : Terminal.time(period.startMillis()))
                .put("ends_at", period.endMillis() == 0 ? null : Terminal.time(period.endMillis()))
                .put("all_day", period.allDay());
    }

    private static JsonObject json(TextName name, Document text) {
        return new JsonObject()
                .put("name", name.name())
                .put("effective", name.from() == null ? null : name.from().toString())
                .put("changed_at", Terminal.time(text.changedMillis()))
                .put("characters", text.text().codePointCount(0, text.text().length()));
    }
}
