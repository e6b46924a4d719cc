package io.fanfare.core.site;

import io.fanfare.core.site.Rule.Wording;
import io.fanfare.core.site.Site.Text;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The fields of {@code {site}:published}.
 *
 * <dl>
 *   <dt>{@code -}
 *   <dd>the version
 *   <dt>{@code last}, {@code contact}
 *   <dd>ids
 *   <dt>{@code rules}, {@code removed}
 *   <dd>{@code [{"id":1,"text":"Be kind","hint":"","in":{"zh":{"text":"...","hint":""}}}]}
 *   <dt>{@code about}, {@code privacy}, {@code terms:2026-12-01}
 *   <dd>{@code <changed, ms> <text>}
 *   <dt>{@code announcement:<id>}
 *   <dd>{@code {"text":"...","published":1,"updated":1,"start":0,"end":0,"days":false}}
 * </dl>
 */
final class SiteCodec {
    static final String VERSION = "-";

    private static final String LAST = "last";
    private static final String CONTACT = "contact";
    private static final String RULES = "rules";
    private static final String REMOVED = "removed";
    private static final String TERMS = "terms:";
    private static final String ANNOUNCEMENT = "announcement:";

    private SiteCodec() {}

    /** All fields but the version. */
    static Map<String, String> encode(Site site) {
        Map<String, String> fields = new TreeMap<>();
        fields.put(LAST, Long.toString(site.lastId()));
        fields.put(CONTACT, Long.toString(site.contact()));
        fields.put(RULES, rules(site.rules()));
        fields.put(REMOVED, rules(site.removed()));
        site.texts().forEach((name, text) -> fields.put(name.label(), document(text)));
        site.terms().forEach((day, text) -> fields.put(TERMS + day, document(text)));
        site.announcements().forEach(one -> fields.put(ANNOUNCEMENT + one.id(), announcement(one)));
        return fields;
    }

    /** The site of these fields; fields of later versions are skipped. */
    static Site decode(Map<String, String> fields) {
        Map<Text, Document> texts = new EnumMap<>(Text.class);
        for (Text name : Text.values()) {
            if (fields.containsKey(name.label())) {
                texts.put(name, document(fields.get(name.label())));
            }
        }
        Map<LocalDate, Document> terms = new TreeMap<>();
        List<Announcement> announcements = new ArrayList<>();
        fields.forEach((name, value) -> {
            if (name.startsWith(TERMS)) {
                terms.put(LocalDate.parse(name.substring(TERMS.length())), document(value));
            } else if (name.startsWith(ANNOUNCEMENT)) {
                announcements.add(announcement(Long.parseLong(name.substring(ANNOUNCEMENT.length())), value));
            }
        });
        announcements.sort(Comparator.comparingLong(Announcement::id));
        return new Site(
                number(fields, VERSION),
                number(fields, LAST),
                number(fields, CONTACT),
                readRules(fields.get(RULES)),
                readRules(fields.get(REMOVED)),
                texts,
                terms,
                announcements);
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    private static String document(Document text) {
        return text.changedMillis() + " " + text.text();
    }

    private static Document document(String stored) {
        String[] parts = stored.split(" ", 2);
        return new Document(Long.parseLong(parts[0]), parts[1]);
    }

    private static String rules(List<Rule> rules) {
        JsonArray all = new JsonArray();
        for (Rule rule : rules) {
            JsonObject in = new JsonObject();
            rule.translations().forEach((language, wording) -> in.put(language, wording(wording)));
            all.add(wording(new Wording(rule.text(), rule.hint()))
                    .put("id", rule.id())
                    .put("in", in));
        }
        return all.encode();
    }

    private static JsonObject wording(Wording wording) {
        return new JsonObject().put("text", wording.text()).put("hint", wording.hint());
    }

    private static Wording wording(JsonObject json) {
        return new Wording(json.getString("text"), json.getString("hint"));
    }

    private static List<Rule> readRules(String storedOrNull) {
        JsonArray stored = storedOrNull == null ? new JsonArray() : new JsonArray(storedOrNull);
        return IntStream.range(0, stored.size())
                .mapToObj(stored::getJsonObject)
                .map(SiteCodec::rule)
                .toList();
    }

    private static Rule rule(JsonObject json) {
        JsonObject in = json.getJsonObject("in");
        Map<String, Wording> translations = new TreeMap<>();
        in.fieldNames().forEach(language -> translations.put(language, wording(in.getJsonObject(language))));
        return new Rule(json.getLong("id"), json.getString("text"), json.getString("hint"), translations);
    }

    private static String announcement(Announcement one) {
        return new JsonObject()
                .put("text", one.text())
                .put("published", one.publishedMillis())
                .put("updated", one.updatedMillis())
                .put("start", one.period().startMillis())
                .put("end", one.period().endMillis())
                .put("days", one.period().allDay())
                .encode();
    }

    private static Announcement announcement(long id, String stored) {
        JsonObject json = new JsonObject(stored);
        return new Announcement(
                id,
                json.getString("text"),
                json.getLong("published"),
                json.getLong("updated"),
                new Announcement.Period(json.getLong("start"), json.getLong("end"), json.getBoolean("days")));
    }
}
