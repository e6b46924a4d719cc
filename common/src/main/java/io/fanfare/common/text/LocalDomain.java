package io.fanfare.common.text;

import java.net.URI;

/** The name of this server, as people write it behind a user name. Immutable. */
public record LocalDomain(String host, String authority) {
    /** The host of the public URL. */
    public static LocalDomain of(String publicUrl) {
        URI here = URI.create(publicUrl);
        return new LocalDomain(here.getHost(), here.getAuthority());
    }

    /**
     * The {@code domain} of the instance document has the port, if there is one; a handle that people write down may
     * not.
     */
    public boolean is(String domain) {
        return domain.equalsIgnoreCase(host) || domain.equalsIgnoreCase(authority);
    }
}
