package io.fanfare.api.request;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.http.Parameters;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whom the text of a post may name, besides its author: the parameter {@code allowed_mentions}. By it an app makes sure
 * that a post is told to nobody whom it has not shown to the person who posts.
 *
 * @param accounts null = not said: everybody
 */
public record AllowedMentions(Set<Long> accounts) {
    private static final String NAME = "allowed_mentions";

    /** Refuses ({@code Refusal(INVALID)}) a post for later: whom its text names is known when it is published. */
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

    /** The content as it is; throws {@link UnexpectedMentions} when it names others. */
    public Content require(long author, Content content) {
        List<Mention> others = accounts == null
                ? List.of()
                : content.mentions().stream()
                        .filter(mention -> mention.accountId() != author && !accounts.contains(mention.accountId()))
                        .toList();
        if (!others.isEmpty()) {
            String names = others.stream().map(Mention::username).collect(Collectors.joining(", @"));
            ValidationErrors errors = new ValidationErrors();
            errors.add(NAME, "ERR_UNEXPECTED", "does not have @" + names + ", whom the text names");
            throw new UnexpectedMentions(
                    errors.refusal(), others.stream().map(Mention::accountId).toList());
        }
        return content;
    }
}
