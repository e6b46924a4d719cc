package io.fanfare.stream.access;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Scopes;
import io.fanfare.common.auth.Secrets;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The cookie that a browser shows beside a ticket that it has used before: an EventSource reconnects to the address
 * that it was given, which contains the ticket, and would be refused for good. The cookie names the token behind the
 * ticket, signed with a key of its own. It is no token, opens nothing without a ticket of the same token, and is good
 * for as long as the token is, which is checked each time. So the server keeps nothing of it. Immutable.
 *
 * <pre>{@code
 * fanfare_stream_1f0c2a9b = base64url(user token until client scopes) . base64url(HMAC-SHA256)
 * }</pre>
 */
final class TicketCookie {
    private static final String NAME = "fanfare_stream_";
    private static final String PATH = "/api/v1/streaming";
    private static final int TAG_CHARS = 8;

    /** Goes before what a ticket's record is signed with; a cookie's begins with a digit. */
    private static final String RECORD = "ticket ";

    private final List<SecretKey> keys;
    private final String name;
    private final String attributes;

    /**
     * @param keys the first signs
     * @param publicUrl empty = not known
     */
    TicketCookie(List<SecretKey> keys, String publicUrl) {
        this.keys = List.copyOf(keys);
        String base = publicUrl.isEmpty() ? "" : URI.create(publicUrl).getRawPath();
        boolean https = publicUrl.startsWith("https:");
        // Not __Host-, which wants the path /: a browser with several accounts would send all their cookies with
        // every request. Another host of the domain that sets one gains nothing, since it cannot sign it.
        this.name = (https ? "__Secure-" : "") + NAME;
        this.attributes = "; Path=" + base + PATH + "; HttpOnly; SameSite=Strict" + (https ? "; Secure" : "");
    }

    /**
     * The prefix of a token's tickets, which also names their cookie: several accounts of one browser do not get in
     * each other's way.
     */
    static String tag(Principal principal) {
        return Secrets.digest(principal.tokenId()).substring(0, TAG_CHARS);
    }

    /** The {@code Set-Cookie} of somebody who is given a ticket. */
    String of(StreamAdmission.Listener listener) {
        return name + tag(listener.principal()) + "=" + signed("", payload(listener)) + attributes;
    }

    /** The stored record of a ticket: the same fields, signed for this use alone, so that it is no cookie. */
    String record(StreamAdmission.Listener listener) {
        return signed(RECORD, payload(listener));
    }

    private static String payload(StreamAdmission.Listener listener) {
        Principal who = listener.principal();
        long until = listener.until() == null ? 0 : listener.until().toEpochMilli();
        return who.userId() + " " + who.tokenId() + " " + until + " " + who.clientId() + " "
                + String.join(" ", who.scopes());
    }

    private String signed(String purpose, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return text(bytes) + "." + text(mac(keys.get(0), purpose, bytes));
    }

    /**
     * The listener of a {@link #record}; empty when it was signed with a key that is no longer good, or for another
     * use.
     */
    Optional<StreamAdmission.Listener> readRecord(String record) {
        return read(RECORD, record);
    }

    /**
     * The owner of the ticket, by the cookie of its token; empty when there is no cookie, it is forged, or the request
     * comes from another site.
     */
    Optional<StreamAdmission.Listener> read(HttpServerRequest request, String ticket) {
        String site = request.getHeader("Sec-Fetch-Site");
        Cookie cookie = ticket.length() < TAG_CHARS ? null : request.getCookie(name + ticket.substring(0, TAG_CHARS));
        if (cookie == null || (site != null && !site.equals("same-origin"))) {
            return Optional.empty();
        }
        return read("", cookie.getValue()).filter(who -> ticket.startsWith(tag(who.principal())));
    }

    private Optional<StreamAdmission.Listener> read(String purpose, String value) {
        String[] parts = value.split("\\.", -1);
        try {
            byte[] payload = parts.length == 2 ? Secrets.decode(parts[0]) : new byte[0];
            boolean ours = parts.length == 2 && isSigned(purpose, payload, Secrets.decode(parts[1]));
            return ours ? Optional.of(listener(new String(payload, StandardCharsets.UTF_8))) : Optional.empty();
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** Parses a text that was signed here. */
    private static StreamAdmission.Listener listener(String payload) {
        String[] parts = payload.split(" ", 5);
        Principal who = new Principal(Long.parseLong(parts[0]), parts[1], parts[3], "", Scopes.parse(parts[4]));
        long until = Long.parseLong(parts[2]);
        return new StreamAdmission.Listener(who, until == 0 ? null : Instant.ofEpochMilli(until));
    }

    private boolean isSigned(String purpose, byte[] payload, byte[] signature) {
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(mac(key, purpose, payload), signature));
    }

    private static byte[] mac(SecretKey key, String purpose, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            // Every JDK has it, and the key is one of its kind.
            throw new IllegalStateException(e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
