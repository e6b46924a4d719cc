package io.fanfare.api.site;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.web.WebRoutes;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.site.Document;
import io.fanfare.core.site.Rule;
import io.fanfare.core.site.Site;
import io.fanfare.core.site.Site.Text;
import io.fanfare.web.Messages;
import io.fanfare.web.PageRenderer;
import io.fanfare.web.SiteHtml;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;

/** The rules and texts of the site as pages for everybody, which need no scripts. Rendered once until they change. */
final class SitePages {
    private final SiteFacts facts;
    private final SiteAnswers answers;
    private final Clock clock;
    private final PageRenderer pages;
    private final String email;

    /** @param email {@code instance.contact-email}; may be empty */
    SitePages(SiteFacts facts, SiteAnswers answers, Clock clock, PageRenderer pages, String email) {
        this.facts = facts;
        this.answers = answers;
        this.clock = clock;
        this.pages = pages;
        this.email = email;
    }

    List<Endpoint> endpoints() {
        return List.of(
                page("/about", call -> of(call, "about", this::about)),
                page("/privacy", call -> {
                    Document text = facts.site().texts().get(Text.PRIVACY);
                    return of(call, "privacy", words -> pages.text(words, "site.privacy", "/privacy", known(text)));
                }),
                page("/terms", call -> terms(call, SiteRoutes.current(facts.site(), clock))),
                page("/terms/:id", call -> terms(call, SiteRoutes.day(call))));
    }

    private static Endpoint page(String path, Function<Call, Answer> page) {
        return get(path, Access.OPEN, call -> Future.succeededFuture(page.apply(call)))
                .within(RateLimit.NONE);
    }

    private Answer of(Call call, String name, Function<Messages, String> html) {
        Messages words = WebRoutes.words(call);
        return answers.get(name + " " + words.language(), () -> WebRoutes.page(pages, html.apply(words)))
                .revalidated(call.request());
    }

    private static String known(Document textOrNull) {
        if (textOrNull == null) {
            throw Refusal.unknown();
        }
        return textOrNull.html();
    }

    private Answer terms(Call call, LocalDate day) {
        Document text = facts.site().terms().get(day);
        if (text == null) {
            throw Refusal.unknown();
        }
        List<LocalDate> all = List.copyOf(facts.site().terms().keySet());
        return of(call, "terms " + day, words -> pages.terms(words, day, all, text.html()));
    }

    private String about(Messages words) {
        Site site = facts.site();
        Document text = site.texts().get(Text.ABOUT);
        return pages.about(
                words,
                new SiteHtml.About(
                        facts.contact().map(Account::username).orElse(""),
                        email,
                        site.rules().stream()
                                .map(rule -> wording(rule, words.language()))
                                .toList(),
                        text == null ? "" : text.html(),
                        site.texts().containsKey(Text.PRIVACY),
                        !site.terms().isEmpty()));
    }

    /** The translation of the language or of one of its regions, else the original. */
    private static SiteHtml.RuleText wording(Rule rule, String language) {
        return rule.translations().entrySet().stream()
                .filter(translation -> translation.getKey().equals(language)
                        || translation.getKey().startsWith(language + "-"))
                .findFirst()
                .map(translation -> new SiteHtml.RuleText(
                        translation.getValue().text(), translation.getValue().hint()))
                .orElse(new SiteHtml.RuleText(rule.text(), rule.hint()));
    }
}
