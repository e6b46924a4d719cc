package io.fanfare.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;

/** The content codings that a client accepts (RFC 9110, section 12.5.3). */
public final class AcceptedCodings {
    public static final CharSequence GZIP = HttpHeaders.createOptimized("gzip");

    /** Codings that are looked at; those behind them do not count. */
    private static final int CODINGS_MAX = 32;

    private static final Pattern ZERO = Pattern.compile("[qQ]=0(\\.0{0,3})?");

    private AcceptedCodings() {}

    /** Whether the client takes gzip: by its name or as {@code *}, and not with a weight of 0. */
    public static boolean gzip(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
        if (header == null) {
            return false;
        }
        boolean any = false;
        String[] codings = header.split(",", CODINGS_MAX + 1);
        for (int i = 0; i < Math.min(codings.length, CODINGS_MAX); i++) {
            String coding = codings[i];
            int semicolon = coding.indexOf(';');
            String name = (semicolon < 0 ? coding : coding.substring(0, semicolon)).strip();
            boolean wanted = semicolon < 0 || !isZero(coding.substring(semicolon + 1));
            if (name.equalsIgnoreCase("gzip") || name.equalsIgnoreCase("x-gzip")) {
                return wanted;
            }
            any |= name.equals("*") && wanted;
        }
        return any;
    }

    private static boolean isZero(String weight) {
        String bare = weight.strip().replace(" ", "");
        return ZERO.matcher(bare).matches();
    }
}
