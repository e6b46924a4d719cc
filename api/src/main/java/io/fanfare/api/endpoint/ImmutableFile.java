package io.fanfare.api.endpoint;

import io.vertx.core.http.HttpHeaders;
import java.util.function.Supplier;

/** Answers with a file that never changes, and whose name no other file gets. */
public final class ImmutableFile {
    /** A file runs nothing and loads nothing, should a browser take it for a page all the same. */
    public static final String POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox";

    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    private ImmutableFile() {}

    /** The answer with the headers of such a file. */
    public static Answer cached(Answer answer, String tag) {
        return answer.header("ETag", tag)
                .header("Cache-Control", FOR_EVER)
                .header("Content-Security-Policy", POLICY)
                .header("Cross-Origin-Resource-Policy", "cross-origin");
    }

    /**
     * A picture that never changes, or 304 for who has it.
     *
     * @param name no other picture has it
     * @param picture asked for when it is sent only
     */
    public static Answer kept(Call call, String name, String type, Supplier<Answer> picture) {
        String tag = '"' + name + '"';
        boolean known = isKnown(call.request().getHeader(HttpHeaders.IF_NONE_MATCH), tag);
        Answer answer = known ? Answer.file(type, new byte[0]).status(304) : picture.get();
        return cached(answer, tag);
    }

    /**
     * Whether a client has the file already.
     *
     * @param header the {@code If-None-Match} of a request; null = none
     */
    public static boolean isKnown(String header, String tag) {
        return header != null && (header.strip().equals("*") || header.contains(tag));
    }
}
