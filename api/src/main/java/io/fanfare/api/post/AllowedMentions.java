package io.fanfare.api.post;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.posting.UnexpectedMentions;
import io.fanfare.server.http.Parameters;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameter {@code allowed_mentions}: the accounts that the text of a post may name, besides its author. By it an
 * app makes sure that a post notifies nobody whom it has not shown to the person who posts.
 *
 * @param accounts null = not given: everybody
 */
public record AllowedMentions(Set<Long> accounts) {
    private static final String NAME = "allowed_mentions";

    /**
     * Refuses ({@code Refusal(INVALID)}) a post for later: the names in its text are looked up when it is published.
     */
    public static AllowedMentions of(Parameters parameters) {
        if (!parameters.hasList(NAME)) {
            return new AllowedMentions(null);
        }
        if (!parameters.text("scheduled_at", "").isEmpty()) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "What is scheduled cannot be kept from naming others: send this without " + NAME + ".");
        }
        Set<Long> accounts = new HashSet<>();
        parameters.all(NAME).forEach(id -> accounts.add(Id.parse(id)));
        return new AllowedMentions(accounts);
    }

    /** Refuses a text that names others; the sentence has their names. */
    public static Refusal refusal(UnexpectedMentions unexpected) {
        String names = unexpected.mentions().stream().map(Mention::username).collect(Collectors.joining(", @"));
        ValidationErrors errors = new ValidationErrors();
        errors.add(NAME, "ERR_UNEXPECTED", "does not have @" + names + ", whom the text names");
        return errors.refusal();
    }
}
