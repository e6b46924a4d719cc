package io.fanfare.app.fuzz;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A request as bytes, put together without any of the care that an HTTP client takes. */
final class RawRequest {
    private final String method;
    private final String target;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private byte[] body;

    RawRequest(String method, String target) {
        this.method = method;
        this.target = target;
        headers.put("Host", "social.example");
    }

    /** @param token null = none */
    @CanIgnoreReturnValue
    RawRequest token(String token) {
        return token == null ? this : header("Authorization", "Bearer " + token);
    }

    @CanIgnoreReturnValue
    RawRequest header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    @CanIgnoreReturnValue
    RawRequest body(String type, String text) {
        return body(type, text.getBytes(StandardCharsets.UTF_8));
    }

    @CanIgnoreReturnValue
    RawRequest body(String type, byte[] bytes) {
        body = bytes.clone();
        return header("Content-Type", type).header("Content-Length", Integer.toString(bytes.length));
    }

    /** The head alone, with its empty line. */
    byte[] head() {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head());
        if (body != null) {
            all.writeBytes(body);
        }
        return all.toByteArray();
    }
}
