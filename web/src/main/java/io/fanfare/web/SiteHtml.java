package io.fanfare.web;

import io.fanfare.common.text.Html;
import java.time.LocalDate;
import java.util.List;

/** The HTML of the pages about the site. */
public final class SiteHtml {
    private SiteHtml() {}

    /** A rule in one language; the hint may be empty. */
    public record RuleText(String text, String hint) {}

    /**
     * The page about the site.
     *
     * @param contact name of an account; empty = none
     * @param email may be empty
     * @param html the extended description as safe HTML; may be empty
     * @param privacy whether there is a privacy policy
     * @param terms whether there are terms of service
     */
    public record About(
            String contact, String email, List<RuleText> rules, String html, boolean privacy, boolean terms) {}

    /** The page about the site, below its heading. */
    static void about(StringBuilder html, Messages words, String base, About about) {
        if (!about.contact().isEmpty() || !about.email().isEmpty()) {
            heading(html, words, "site.contact");
            html.append("<p>");
            if (!about.contact().isEmpty()) {
                String name = "/@" + about.contact();
                html.append("<a href=\"").append(Html.escaped(base + name)).append("\">");
                html.append(Html.escaped(name.substring(1))).append("</a> ");
            }
            if (!about.email().isEmpty()) {
                String email = Html.escaped(about.email());
                html.append("<a href=\"mailto:").append(email).append("\">").append(email);
                html.append("</a>");
            }
            html.append("</p>");
        }
        if (!about.rules().isEmpty()) {
            heading(html, words, "site.rules");
            html.append("<ol class=\"rules\" dir=\"auto\">");
            for (RuleText rule : about.rules()) {
                html.append("<li>").append(Html.escaped(rule.text()));
                if (!rule.hint().isEmpty()) {
                    html.append("<p class=\"hint\">")
                            .append(Html.escaped(rule.hint()))
                            .append("</p>");
                }
                html.append("</li>");
            }
            html.append("</ol>");
        }
        text(html, about.html());
        if (about.privacy() || about.terms()) {
            html.append("<p class=\"more\">");
            if (about.privacy()) {
                link(html, words, base + "/privacy", "site.privacy");
            }
            if (about.terms()) {
                link(html, words, base + "/terms", "site.terms");
            }
            html.append("</p>");
        }
    }

    /** A text of the operator, which is HTML already. */
    static void text(StringBuilder html, String safe) {
        html.append("<div class=\"document\" dir=\"auto\">").append(safe).append("</div>");
    }

    /** The terms of one day, and links to the others. */
    static void terms(
            StringBuilder html, Messages words, String base, LocalDate day, List<LocalDate> all, String safe) {
        html.append("<p class=\"hint\">")
                .append(Html.escaped(words.text("site.terms.from", "date", day.toString())))
                .append("</p>");
        text(html, safe);
        if (all.size() > 1) {
            heading(html, words, "site.terms.versions");
            html.append("<ul>");
            for (LocalDate other : all) {
                html.append("<li><a href=\"")
                        .append(Html.escaped(base + "/terms/" + other))
                        .append("\">")
                        .append(other)
                        .append("</a></li>");
            }
            html.append("</ul>");
        }
    }

    private static void heading(StringBuilder html, Messages words, String key) {
        html.append("<h2>").append(Html.escaped(words.text(key))).append("</h2>");
    }

    private static void link(StringBuilder html, Messages words, String path, String key) {
        html.append("<a class=\"button\" href=\"")
                .append(Html.escaped(path))
                .append("\">")
                .append(Html.escaped(words.text(key)))
                .append("</a> ");
    }
}
