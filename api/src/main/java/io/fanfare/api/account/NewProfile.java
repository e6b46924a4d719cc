package io.fanfare.api.account;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.endpoint.VisibleCharacters;
import io.fanfare.api.post.NewStatus;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.AccountChange;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.server.http.Parameters;
import java.net.IDN;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A change of an account: the body of {@code PATCH /api/v1/accounts/update_credentials}. Absent fields stay as they
 * are. The constructor validates every field.
 */
public record NewProfile(AccountChange change) {
    static final int NAME_MAX = 30;
    static final int NOTE_MAX = 500;
    static final int FIELDS_MAX = 4;
    static final int FIELD_MAX = 255;

    static final int DOMAINS_MAX = 10;

    /** RFC 1035, without the dot at the end. */
    static final int DOMAIN_MAX = 253;

    /** Longer than any domain with what is around it, so that no pattern reads more. */
    /** Parts of a character, on average, that a text may have. */
    private static final int PARTS_MAX = 8;

    private static final int PASTED_MAX = 300;

    private static final Pattern AROUND_DOMAIN = Pattern.compile("^(?i:https?://)?(\\*\\.)?|/$");

    private static final Pattern DOMAIN =
            Pattern.compile("([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.){1,126}[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    public static NewProfile of(Parameters given) {
        refuseWhatIsNotOffered(given);
        ValidationErrors errors = new ValidationErrors();
        AccountChange change = new AccountChange();
        if (given.has("display_name")) {
            change.displayName(checked(errors, "display_name", oneLine(given.text("display_name")), NAME_MAX));
        }
        if (given.has("note")) {
            change.note(checked(errors, "note", given.text("note").strip(), NOTE_MAX));
        }
        if (given.has("bot")) {
            change.bot(given.flag("bot", false));
        }
        if (given.has("locked")) {
            change.locked(given.flag("locked", false));
        }
        if (given.has("discoverable")) {
            change.discoverable(given.flag("discoverable", true));
        }
        if (given.has("indexable")) {
            change.indexable(given.flag("indexable", true));
        }
        if (given.has("hide_collections")) {
            change.hidesFollows(given.flag("hide_collections", false));
        }
        if (given.hasAny("fields_attributes")) {
            change.fields(fields(errors, given));
        }
        if (given.hasList("attribution_domains")) {
            change.attributionDomains(domains(errors, given.all("attribution_domains")));
        }
        preferences(errors, given, change);
        errors.refuseIfAny();
        return new NewProfile(change);
    }

    private static void preferences(ValidationErrors errors, Parameters given, AccountChange change) {
        if (given.has("source[privacy]")) {
            Visibility visibility = Visibility.of(given.text("source[privacy]"));
            if (visibility == null || visibility == Visibility.DIRECT) {
                errors.add("source[privacy]", "ERR_INCLUSION", "must be public, unlisted or private");
            } else {
                change.visibility(visibility);
            }
        }
        if (given.has("source[quote_policy]")) {
            QuotePolicy policy = QuotePolicy.of(given.text("source[quote_policy]"));
            if (policy == null) {
                errors.add("source[quote_policy]", "ERR_INCLUSION", "must be public, followers or nobody");
            } else {
                change.quotePolicy(policy);
            }
        }
        if (given.has("source[sensitive]")) {
            change.sensitive(given.flag("source[sensitive]", false));
        }
        if (given.has("source[aggregate_reblogs]")) {
            change.foldsReposts(given.flag("source[aggregate_reblogs]", true));
        }
        if (given.has("source[language]")) {
            String language = given.text("source[language]");
            if (!language.isEmpty() && !NewStatus.isLanguage(language)) {
                errors.add("source[language]", "ERR_INVALID", "must be an ISO 639 code such as en, or empty");
            }
            change.language(language);
        }
    }

    /** The fields with a name: clients delete one by an empty name. */
    private static List<ProfileSettings.Field> fields(ValidationErrors errors, Parameters given) {
        List<ProfileSettings.Field> fields = new ArrayList<>();
        for (Map<String, String> field : given.objects("fields_attributes")) {
            String name = oneLine(field.getOrDefault("name", ""));
            String value = oneLine(field.getOrDefault("value", ""));
            if (!name.isEmpty()) {
                fields.add(new ProfileSettings.Field(
                        checked(errors, "fields", name, FIELD_MAX), checked(errors, "fields", value, FIELD_MAX)));
            }
        }
        if (fields.size() > FIELDS_MAX) {
            errors.add("fields", "ERR_TOO_MANY", "are too many (at most " + FIELDS_MAX + ")");
        }
        return fields;
    }

    /** As they are in the address of a page, without what people paste with them. */
    private static List<String> domains(ValidationErrors errors, List<String> given) {
        Set<String> domains = new LinkedHashSet<>();
        for (String pasted : given) {
            String domain = pasted.length() > PASTED_MAX
                    ? ""
                    : ascii(AROUND_DOMAIN.matcher(pasted.strip()).replaceAll(""));
            if (domain.length() > DOMAIN_MAX || !DOMAIN.matcher(domain).matches()) {
                errors.add("attribution_domains", "ERR_INVALID", "must be names of websites such as example.com");
                return List.of();
            }
            domains.add(domain);
        }
        if (domains.size() > DOMAINS_MAX) {
            errors.add("attribution_domains", "ERR_TOO_MANY", "are too many (at most " + DOMAINS_MAX + ")");
        }
        return List.copyOf(domains);
    }

    /** Empty when it cannot be the name of a host. */
    private static String ascii(String domain) {
        try {
            return IDN.toASCII(domain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static String checked(ValidationErrors errors, String field, String text, int max) {
        // Counted as statuses are: an emoji of seven parts is one. The parts have a bound, since they are stored.
        int parts = text.codePointCount(0, text.length());
        if (parts > max && (parts > PARTS_MAX * max || VisibleCharacters.count(text) > max)) {
            errors.add(field, "ERR_TOO_LONG", "is too long (at most " + max + " characters)");
        } else {
            errors.addUnlessStreamSafe(field, text);
        }
        return text;
    }

    /** Line breaks, tabs and other control characters become spaces: how fields are stored relies on it. */
    private static String oneLine(String text) {
        return ControlCharacters.oneLine(text);
    }

    private static void refuseWhatIsNotOffered(Parameters given) {
        for (String image : List.of("avatar", "header")) {
            if (!given.text(image, "").isEmpty()) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "A picture must be sent as a file: send " + image
                                + " as a part with a file name of multipart/form-data.");
            }
        }
    }
}
