package io.fanfare.api.endpoint;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.text.LocalDomain;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what people write to name an account or a status of this host. Immutable. */
public final class ResourceLinks {
    private final LocalDomain localDomain;
    private final Pattern accountUrl;
    private final Pattern statusUrl;

    /** @param publicUrl base of the URLs that are ours */
    public ResourceLinks(String publicUrl) {
        this.localDomain = LocalDomain.of(publicUrl);
        String base = Pattern.quote(publicUrl);
        this.accountUrl = Pattern.compile(base + "/(?:@|users/)(\\w+)/?");
        this.statusUrl = Pattern.compile(base + "/(?:@\\w+|users/\\w+/statuses)/(\\d+)/?");
    }

    /**
     * The user name, folded, in {@code name}, {@code @name}, {@code name@this.host}, {@code name@this.host:port} or an
     * account's URL; empty for names of other hosts and for no names.
     */
    public Optional<String> username(String text) {
        Matcher url = accountUrl.matcher(text);
        if (url.matches()) {
            return name(url.group(1));
        }
        String handle = text.startsWith("@") ? text.substring(1) : text;
        int at = handle.indexOf('@');
        if (at >= 0 && !localDomain.is(handle.substring(at + 1))) {
            return Optional.empty();
        }
        return name(at < 0 ? handle : handle.substring(0, at));
    }

    /** The id in the URL of a status of this host. */
    public OptionalLong statusId(String text) {
        Matcher url = statusUrl.matcher(text);
        long id = url.matches() ? Id.parse(url.group(1)) : -1;
        return id < 0 ? OptionalLong.empty() : OptionalLong.of(id);
    }

    private static Optional<String> name(String text) {
        return text.length() > Account.USERNAME_MAX
                ? Optional.empty()
                : Optional.of(text.toLowerCase(Locale.ROOT)).filter(Account::isUsername);
    }
}
