package io.fanfare.core.site;

import static io.fanfare.core.site.Validity.invalid;
import static io.fanfare.core.site.Validity.unknown;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * All that operators publish about the site, at one version. Each change makes another one, and refuses
 * ({@code INVALID}, {@code NOT_FOUND}) what is not possible.
 *
 * @param version 0 = nothing has ever been published
 * @param lastId the id of the newest rule or announcement
 * @param contact the account of the person to write to; 0 = none
 * @param rules in force, in their order
 * @param removed rules of before, which reports may name; the newest last
 * @param texts by kind
 * @param terms of service by the day (UTC) from which they are in force
 * @param announcements with ascending ids, ended ones too
 */
public record Site(
        long version,
        long lastId,
        long contact,
        List<Rule> rules,
        List<Rule> removed,
        Map<Text, Document> texts,
        Map<LocalDate, Document> terms,
        List<Announcement> announcements) {
    public static final Site EMPTY = new Site(0, 0, 0, List.of(), List.of(), Map.of(), Map.of(), List.of());

    /** Rules in force. */
    public static final int RULES_MAX = 50;

    /** Removed rules that are remembered. */
    static final int REMOVED_MAX = 50;

    /** Announcements, ended ones too. */
    public static final int ANNOUNCEMENTS_MAX = 50;

    /** Versions of the terms of service. */
    public static final int TERMS_MAX = 5;

    /** A text of which there is one version. */
    public enum Text {
        /** The extended description. */
        ABOUT,
        /** The privacy policy. */
        PRIVACY;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** The word in commands and in Redis. */
        public String label() {
            return label;
        }
    }

    public Site {
        rules = List.copyOf(rules);
        removed = List.copyOf(removed);
        texts = texts.isEmpty() ? Map.of() : new EnumMap<>(texts);
        terms = new TreeMap<>(terms);
        announcements = List.copyOf(announcements);
        bound(rules.size(), RULES_MAX, "rules");
        bound(terms.size(), TERMS_MAX, "versions of the terms");
        bound(announcements.size(), ANNOUNCEMENTS_MAX, "announcements");
    }

    private static void bound(int size, int max, String name) {
        if (size > max) {
            throw invalid("There are " + max + " " + name + ", which is the most that is allowed: remove one first.");
        }
    }

    /** A rule in force. */
    public Optional<Rule> rule(long id) {
        return rules.stream().filter(rule -> rule.id() == id).findFirst();
    }

    /** A rule in force or a removed one that is remembered. */
    public Optional<Rule> ruleOfReport(long id) {
        return Stream.concat(rules.stream(), removed.stream())
                .filter(rule -> rule.id() == id)
                .findFirst();
    }

    /** The announcements that are shown now, the newest first, as in Mastodon. */
    public List<Announcement> shown(long nowMillis) {
        List<Announcement> shown = new ArrayList<>();
        for (Announcement one : announcements) {
            if (one.isShown(nowMillis)) {
                shown.add(0, one);
            }
        }
        return shown;
    }

    /** The day of the terms in force; that of the next ones before any are in force, as in Mastodon. */
    public Optional<LocalDate> currentTerms(LocalDate today) {
        Optional<LocalDate> inForce =
                terms.keySet().stream().filter(day -> !day.isAfter(today)).reduce((first, later) -> later);
        return inForce.isPresent() ? inForce : terms.keySet().stream().findFirst();
    }

    /** The day of the terms that come after those of a day. */
    public Optional<LocalDate> termsAfter(LocalDate day) {
        return terms.keySet().stream().filter(later -> later.isAfter(day)).findFirst();
    }

    /** With a further rule, the last. */
    public Site withRule(String text, String hint) {
        List<Rule> all = new ArrayList<>(rules);
        all.add(new Rule(lastId + 1, text, hint, Map.of()));
        return new Site(version, lastId + 1, contact, all, removed, texts, terms, announcements);
    }

    /** With other words of a rule. */
    public Site withRule(long id, UnaryOperator<Rule> change) {
        Rule changed = change.apply(requireRule(id));
        return withRules(
                rules.stream().map(rule -> rule.id() == id ? changed : rule).toList(), removed);
    }

    /** With a rule at another place, from 1 on; behind the last for a larger one. */
    public Site withRuleAt(long id, int place) {
        Rule moved = requireRule(id);
        List<Rule> all = new ArrayList<>(rules);
        all.remove(moved);
        all.add(Math.min(Math.max(place - 1, 0), all.size()), moved);
        return withRules(all, removed);
    }

    /** Without a rule. Reports that name it still show it, as long as it is one of the newest removed ones. */
    public Site withoutRule(long id) {
        List<Rule> before = new ArrayList<>(removed);
        before.add(requireRule(id));
        List<Rule> all = rules.stream().filter(rule -> rule.id() != id).toList();
        return withRules(all, before.subList(Math.max(0, before.size() - REMOVED_MAX), before.size()));
    }

    private Rule requireRule(long id) {
        return rule(id).orElseThrow(() -> unknown("There is no rule " + id + "."));
    }

    private Site withRules(List<Rule> all, List<Rule> before) {
        return new Site(version, lastId, contact, all, before, texts, terms, announcements);
    }

    /** With another version of a text. */
    public Site with(Text name, Document text) {
        Map<Text, Document> all = new EnumMap<>(Text.class);
        all.putAll(texts);
        all.put(name, text);
        return new Site(version, lastId, contact, rules, removed, all, terms, announcements);
    }

    /** Without a text. */
    public Site without(Text name) {
        if (!texts.containsKey(name)) {
            throw unknown("There is no text " + name.label() + ".");
        }
        Map<Text, Document> all = new EnumMap<>(Text.class);
        all.putAll(texts);
        all.remove(name);
        return new Site(version, lastId, contact, rules, removed, all, terms, announcements);
    }

    /** With terms of service that are in force from a day on. */
    public Site withTerms(LocalDate from, Document text) {
        Map<LocalDate, Document> all = new TreeMap<>(terms);
        all.put(from, text);
        return new Site(version, lastId, contact, rules, removed, texts, all, announcements);
    }

    /** Without the terms of a day. */
    public Site withoutTerms(LocalDate from) {
        Map<LocalDate, Document> all = new TreeMap<>(terms);
        if (all.remove(from) == null) {
            throw unknown("There are no terms of " + from + ".");
        }
        return new Site(version, lastId, contact, rules, removed, texts, all, announcements);
    }

    /** With another account to write to; 0 = none. */
    public Site withContact(long account) {
        return new Site(version, lastId, account, rules, removed, texts, terms, announcements);
    }

    /** With a further announcement. */
    public Site withAnnouncement(String text, long publishedMillis, Announcement.Period period, long nowMillis) {
        List<Announcement> all = new ArrayList<>(announcements);
        long id = lastId + 1;
        all.add(new Announcement(id, text, publishedMillis == 0 ? nowMillis : publishedMillis, nowMillis, period));
        return new Site(version, id, contact, rules, removed, texts, terms, all);
    }

    /** With another text of an announcement. Accounts that have dismissed it do not see it again. */
    public Site withAnnouncementText(long id, String text, long nowMillis) {
        requireAnnouncement(id);
        return withAnnouncements(announcements.stream()
                .map(one -> one.id() == id
                        ? new Announcement(id, text, one.publishedMillis(), nowMillis, one.period())
                        : one)
                .toList());
    }

    /** Without an announcement. */
    public Site withoutAnnouncement(long id) {
        requireAnnouncement(id);
        return withAnnouncements(
                announcements.stream().filter(one -> one.id() != id).toList());
    }

    private void requireAnnouncement(long id) {
        if (announcements.stream().noneMatch(one -> one.id() == id)) {
            throw unknown("There is no announcement " + id + ".");
        }
    }

    private Site withAnnouncements(List<Announcement> all) {
        return new Site(version, lastId, contact, rules, removed, texts, terms, all);
    }
}
