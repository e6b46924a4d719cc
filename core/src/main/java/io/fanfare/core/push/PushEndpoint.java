package io.fanfare.core.push;

import io.fanfare.common.model.Refusal;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The address of a push service for one client: https, on a host that is not known to be inside of a network. The
 * address allows sending to the client, so it is never printed. Immutable.
 */
public final class PushEndpoint {
    static final int CHARS_MAX = 2000;
    private static final int HTTPS_PORT = 443;

    /** Names that no public server of names knows. */
    private static final Pattern LOCAL_NAME =
            Pattern.compile("[^.]+|.*[.](localhost|local|internal|intranet|lan|home|corp|private|test|invalid|arpa)");

    /** Texts that programs take for an IPv4 address, though it may not be written as one. */
    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*[.])?(\\d+|0x[0-9a-f]*)");

    private final URI uri;
    private final String host;

    private PushEndpoint(URI uri, String host) {
        this.uri = uri;
        this.host = host;
    }

    /**
     * Reads it; throws a {@code Refusal(INVALID)} that says what is wrong. A name that leads to a private address is
     * found when it is connected to.
     *
     * @param privates whether hosts inside of a network are good, too
     */
    public static PushEndpoint of(String text, boolean privates) {
        if (text.isEmpty()) {
            throw invalid("Endpoint can't be blank");
        }
        if (text.length() > CHARS_MAX) {
            throw invalid("Endpoint is too long (maximum is " + CHARS_MAX + " characters)");
        }
        URI uri;
        try {
            uri = new URI(text).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw invalid("Endpoint is not a valid URL");
        }
        String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
        if (!"https".equalsIgnoreCase(uri.getScheme()) || host.isEmpty()) {
            throw invalid("Endpoint must be an https address");
        }
        if (uri.getRawUserInfo() != null
                || uri.getRawFragment() != null
                || uri.getPort() == 0
                || uri.getPort() > 65535) {
            throw invalid("Endpoint is not a valid URL");
        }
        if (!privates && !mayBePublic(host)) {
            throw invalid("Endpoint is a private address: this server sends push messages to public addresses only");
        }
        return new PushEndpoint(uri, host);
    }

    private static boolean mayBePublic(String host) {
        String plain = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (plain.startsWith("[") || NUMBER_AT_END.matcher(plain).matches()) {
            byte[] address = NetUtil.createByteArrayFromIpAddressString(plain.replaceAll("[\\[\\]]", ""));
            return address != null && isPublic(address);
        }
        return !LOCAL_NAME.matcher(plain).matches();
    }

    private static boolean isPublic(byte[] address) {
        try {
            return PublicAddresses.contain(InetAddress.getByAddress(address));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** As it is stored. */
    public String text() {
        return uri.toString();
    }

    /** A name, or an address; that of IPv6 in brackets. */
    public String host() {
        return host;
    }

    public int port() {
        return uri.getPort() < 0 ? HTTPS_PORT : uri.getPort();
    }

    /** Path and query. */
    public String path() {
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /** The push service, as RFC 8292 names it. */
    public String origin() {
        return "https://" + host + (port() == HTTPS_PORT ? "" : ":" + port());
    }

    @Override
    public String toString() {
        return "PushEndpoint[***]";
    }

    private static Refusal invalid(String what) {
        return new Refusal(Refusal.Reason.INVALID, "Validation failed: " + what);
    }
}
