package io.fanfare.api.site;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.common.model.Account;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers that are rendered and compressed once until an operator changes the site. Confined to one event loop. */
final class SiteAnswers {
    private final SiteFacts facts;
    private final Map<String, Answer> answers = new HashMap<>();
    private long version;
    private Optional<Account> contact = Optional.empty();

    SiteAnswers(SiteFacts facts) {
        this.facts = facts;
    }

    /** The answer of a key. The site has a few texts, and so has the caller a few keys. */
    Answer get(String key, Supplier<Answer> answer) {
        if (version != facts.site().version() || !contact.equals(facts.contact())) {
            version = facts.site().version();
            contact = facts.contact();
            answers.clear();
        }
        return answers.computeIfAbsent(key, absent -> answer.get().kept());
    }
}
