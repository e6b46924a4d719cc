package io.fanfare.common.view;

import java.net.URI;

/** The name of this server, as people write it behind a user name. Immutable. */
public record OwnHost(String host, String authority) {
    /** The host of the public URL. */
    public static OwnHost of(String publicUrl) {
        URI here = URI.create(publicUrl);
        return new OwnHost(here.getHost(), here.getAuthority());
    }

    /** The {@code domain} of the instance document has the port, if there is one; a handle that people write down may not. */
    public boolean is(String domain) {
        return domain.equalsIgnoreCase(host) || domain.equalsIgnoreCase(authority);
    }
}
