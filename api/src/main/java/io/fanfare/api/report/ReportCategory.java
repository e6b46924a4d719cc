package io.fanfare.api.report;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.site.Site;
import io.fanfare.server.http.Parameters;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The category of a report, and the rules of the site that it names.
 *
 * @param name spam, legal, violation or other
 * @param rules ids; empty but for a violation
 */
public record ReportCategory(String name, List<Long> rules) {
    private static final String VIOLATION = "violation";

    private static final Set<String> NAMES = Set.of("spam", "legal", VIOLATION, "other");

    public ReportCategory {
        rules = List.copyOf(rules);
    }

    /**
     * The category that a request gives; rules make it a violation, as in Mastodon. Refuses another category, a
     * violation without rules, and rules that the site has not.
     */
    public static ReportCategory of(Parameters given, Site site) {
        List<String> ids = given.all("rule_ids");
        String name = given.text("category", "other");
        if (!NAMES.contains(name)) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("category", "ERR_INCLUSION", "must be spam, legal, violation or other");
            throw errors.refusal();
        }
        if (ids.isEmpty() && !name.equals(VIOLATION)) {
            return new ReportCategory(name, List.of());
        }
        List<Long> rules = ids.size() > Site.RULES_MAX
                ? List.of()
                : ids.stream().map(Id::parse).distinct().toList();
        if (rules.isEmpty() || rules.stream().anyMatch(id -> site.rule(id).isEmpty())) {
            throw new Refusal(Refusal.Reason.INVALID, "Validation failed: Rule ids does not reference valid rules");
        }
        return new ReportCategory(VIOLATION, rules);
    }

    /** One word for Redis: the name, and the rules behind a colon. */
    String stored() {
        return rules.isEmpty()
                ? name
                : name + ":" + rules.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    static ReportCategory ofStored(String stored) {
        String[] parts = stored.split(":", 2);
        return new ReportCategory(
                parts[0],
                parts.length == 1
                        ? List.of()
                        : Stream.of(parts[1].split(",")).map(Long::valueOf).toList());
    }
}
