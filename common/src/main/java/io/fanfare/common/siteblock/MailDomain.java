package io.fanfare.common.siteblock;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Spells domains of mail addresses so that they can be compared: ASCII (RFC 5891), lower case, no final dot. */
final class MailDomain {
    /** Characters of a domain in ASCII, by RFC 1035. */
    private static final int CHARS_MAX = 253;

    private static final Pattern DOMAIN =
            Pattern.compile("(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)*" + "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    private MailDomain() {}

    /** The domain of a text; empty if the text is not a domain. */
    static Optional<String> of(String text) {
        String bare = text.strip();
        if (bare.isEmpty() || bare.length() > CHARS_MAX + 1) {
            return Optional.empty();
        }
        try {
            String ascii = IDN.toASCII(bare, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
            String domain = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
            return domain.length() <= CHARS_MAX && DOMAIN.matcher(domain).matches()
                    ? Optional.of(domain)
                    : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /** The domain of a mail address; empty when it has none that can be spelled. */
    static Optional<String> ofAddress(String email) {
        int at = email.lastIndexOf('@');
        return at < 0 ? Optional.empty() : of(email.substring(at + 1));
    }

    /** The domain above; empty for a name of one label. */
    static String above(String domain) {
        int dot = domain.indexOf('.');
        return dot < 0 ? "" : domain.substring(dot + 1);
    }
}
