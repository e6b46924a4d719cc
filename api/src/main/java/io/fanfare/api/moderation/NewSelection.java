package io.fanfare.api.moderation;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Account;
import io.fanfare.core.account.SignUpNetworks.Network;
import io.fanfare.core.moderation.SelectionSearch.Criteria;
import io.fanfare.server.http.ClientAddress.CidrBlock;
import io.fanfare.server.http.Parameters;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameters of a new selection of accounts.
 *
 * @param network of the sign-up; null = any
 * @param usernames in lower case; empty = any
 */
record NewSelection(
        Network network,
        long networkOf,
        boolean wide,
        long sinceMillis,
        long untilMillis,
        String text,
        Set<String> usernames) {
    /** The shortest text that is looked for, in characters: a shorter one is in half of all posts. */
    private static final int TEXT_CHARS_MIN = 3;

    private static final int TEXT_CHARS_MAX = 200;
    private static final int USERNAMES_MAX = 500;
    private static final int UNKNOWN_SHOWN = 5;
    private static final int TIME_CHARS_MAX = 40;

    static NewSelection of(Parameters given) {
        ValidationErrors errors = new ValidationErrors();
        NewSelection selection = new NewSelection(
                network(given.text("signed_up_from", "").strip(), errors),
                like(given, errors),
                given.flag("wide", false),
                time(given, "signed_up_since", errors),
                time(given, "signed_up_until", errors),
                text(given, errors),
                usernames(given, errors));
        errors.refuseIfAny();
        if (selection.criteria(Set.of()).isEmpty() && selection.usernames().isEmpty()) {
            errors.add("signed_up_from", "ERR_BLANK", "or another criterion must be given");
        }
        errors.refuseIfAny();
        return selection;
    }

    private static Network network(String text, ValidationErrors errors) {
        if (text.isEmpty()) {
            return null;
        }
        Network network = CidrBlock.of(text)
                .map(block -> new Network(block.digits(), block.bits()))
                .filter(one -> one.bits() >= one.bitsMin())
                .orElse(null);
        if (network == null) {
            errors.add(
                    "signed_up_from",
                    "ERR_INVALID",
                    "must be an address or a network, such as 192.0.2.0/24: IPv4 from /16 on, IPv6 from /40 to /64");
        }
        return network;
    }

    private static long like(Parameters given, ValidationErrors errors) {
        long account = given.id("signed_up_like");
        if (account < 0) {
            errors.add("signed_up_like", "ERR_INVALID", "must be the id of an account");
        }
        return account;
    }

    private static long time(Parameters given, String name, ValidationErrors errors) {
        String text = given.text(name, "").strip();
        if (text.isEmpty()) {
            return 0;
        }
        try {
            if (text.length() <= TIME_CHARS_MAX) {
                return Math.max(1, OffsetDateTime.parse(text).toInstant().toEpochMilli());
            }
        } catch (DateTimeException | ArithmeticException e) {
            // As below.
        }
        errors.add(name, "ERR_INVALID", "must be a date and time such as 2030-01-31T12:00:00Z");
        return 0;
    }

    private static String text(Parameters given, ValidationErrors errors) {
        String text = given.text("text", "").strip();
        if (text.length() > TEXT_CHARS_MAX) {
            errors.add("text", "ERR_TOO_LONG", "is too long (at most " + TEXT_CHARS_MAX + " characters)");
            return "";
        }
        errors.addUnlessStreamSafe("text", text);
        String folded = new Criteria(null, 0, false, 0, 0, text, Set.of()).text();
        if (!text.isEmpty() && folded.codePointCount(0, folded.length()) < TEXT_CHARS_MIN) {
            errors.add("text", "ERR_TOO_SHORT", "is too short (at least " + TEXT_CHARS_MIN + " characters)");
        }
        return text;
    }

    private static Set<String> usernames(Parameters given, ValidationErrors errors) {
        List<String> all = given.all("usernames");
        if (all.size() > USERNAMES_MAX) {
            errors.add("usernames", "ERR_TOO_LONG", "has too many names (at most " + USERNAMES_MAX + ")");
            return Set.of();
        }
        Set<String> names = all.stream().map(NewSelection::name).collect(Collectors.toSet());
        if (!names.stream().allMatch(Account::isUsername)) {
            errors.add("usernames", "ERR_INVALID", "must be user names, such as ann");
        }
        return names;
    }

    /** The spelling of names; a text that is longer than any stays as it is, since lower case may cost its square. */
    private static String name(String text) {
        String bare = text.strip();
        return bare.length() > Account.USERNAME_MAX + 1
                ? bare
                : bare.replaceFirst("^@", "").toLowerCase(Locale.ROOT);
    }

    /** Refuses names that no active account has. */
    static void refuseUnknown(List<String> unknown) {
        if (!unknown.isEmpty()) {
            ValidationErrors errors = new ValidationErrors();
            errors.add(
                    "usernames",
                    "ERR_INVALID",
                    "has names of no active account: "
                            + String.join(", ", unknown.subList(0, Math.min(UNKNOWN_SHOWN, unknown.size()))));
            throw errors.refusal();
        }
    }

    /** @param named the accounts of {@link #usernames} */
    Criteria criteria(Set<Long> named) {
        return new Criteria(network, networkOf, wide, sinceMillis, untilMillis, text, named);
    }
}
