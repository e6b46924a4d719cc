package io.fanfare.vertx;

import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/**
 * Vert.x's decoder, which knows a common header by a part of its name: up to 5.0.12 it reads {@code Content-Xength: 80}
 * as a length (CVE-2026-102479), where a reverse proxy sees a header of no meaning and no body, and so takes what
 * follows for requests of others. Here a name is what it says. To be dropped with a Vert.x that compares names.
 */
public class ExactRequestDecoder extends VertxHttpRequestDecoder {
    public ExactRequestDecoder(HttpServerOptions options) {
        super(options);
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        AsciiString name = super.splitHeaderName(line, start, length);
        AsciiString written = new AsciiString(line, start, length, /* copy= */ false);
        return name.contentEqualsIgnoreCase(written) ? name : new AsciiString(line, start, length, /* copy= */ true);
    }
}
