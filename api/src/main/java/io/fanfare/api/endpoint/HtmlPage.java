package io.fanfare.api.endpoint;

import io.fanfare.common.text.Html;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The frame of all pages for people: one style, no script, nothing from elsewhere. */
public final class HtmlPage {
    private static final String STYLE = "body{font:1rem/1.5 sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}"
            + "form{max-width:24rem}input,button{font:inherit;display:block;width:100%;box-sizing:border-box;margin:.25rem 0 1rem;padding:.5rem}"
            + "code{word-break:break-all}[role=alert]{color:#b00020}article{border-top:1px solid #ccc;overflow-wrap:anywhere}.invisible{display:none}";

    /** Add {@code form-action} to it. */
    public static final String POLICY = "default-src 'none'; style-src 'sha256-" + digest(STYLE)
            + "'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

    private HtmlPage() {}

    /**
     * A page with the common frame.
     *
     * @param title plain text
     * @param body HTML
     */
    public static Answer of(String title, String body) {
        return of("en", title, body);
    }

    /**
     * The same in another language.
     *
     * @param language its tag
     */
    public static Answer of(String language, String title, String body) {
        String html = "<!doctype html><html lang=\"" + language + "\"><head><meta charset=\"utf-8\"><title>"
                + Html.escaped(title)
                + "</title><meta name=\"viewport\" content=\"width=device-width\"><style>" + STYLE
                + "</style></head><body>" + body + "</body></html>";
        return Answer.page(html).header("Content-Security-Policy", POLICY);
    }

    private static String digest(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
