package io.fanfare.app.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One way to make a text dear: which letters, and how they follow each other.
 *
 * @param text makes one of about so many bytes of UTF-8; may have lone surrogates
 */
record Shape(String name, IntFunction<String> text) {
    /** The shapes that have cost servers most: each parameter is tried with all of these. */
    static final List<Shape> DEAR = List.of(
            // Each mark of the second class moves past all of the first when it is normalised.
            new Shape("marks out of order", n -> "a" + "\u0301".repeat(n / 4) + "\u0323".repeat(n / 4)),
            repeated("marks that alternate", "\u0301\u0323"),
            repeated("one character", "x"),
            repeated("a phrase without spaces", "\u4e00"),
            repeated("words", "a b,"),
            repeated("mentions", "@a@a.a "));

    /** The rest: drawn from. */
    static final List<Shape> OTHERS = List.of(
            repeated("letters with marks", "z\u0335\u0321\u0322\u0327"),
            repeated("Hangul letters", "\u1100\u1161\u11a8"),
            repeated("characters that unfold", "\ufdfa"),
            repeated("capitals that unfold", "\u0130\u1e9e"),
            repeated("sigmas", "\u03a3'.\u0301"),
            repeated("bidirectional controls", "\u202e\u2066\u2069a"),
            repeated("half surrogate pairs", "\ud800x\udc00"),
            repeated("joined emoji", "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d"),
            repeated("flags", "\ud83c\udde6\ud83c\udde8"),
            repeated("variation selectors", "\u2764\ufe0f"),
            repeated("at signs", "@"),
            repeated("hash signs", "#"),
            repeated("tags", "#a#a "),
            repeated("dollar signs", "$a$"),
            repeated("beginnings of addresses", "http://"),
            repeated("www", "www."),
            repeated("dots", "a."),
            new Shape("brackets in an address", n -> "http://a.de/" + "(".repeat(n)),
            repeated("addresses", "http://a.de/( "),
            repeated("full-width commas", "\u4e00\uff0c"),
            repeated("phrases", "\u4e00\u4e8c\u4e09,\u4e00\u4e8c,"),
            repeated("boxes", "-10,-10,10,10,"),
            repeated("large boxes", "-180,-90,180,90,"),
            repeated("numbers", "1,2,3,"),
            repeated("digits", "9"),
            repeated("digits of other scripts", "\u0663\uff19"),
            new Shape("an exponent", n -> "1e" + "9".repeat(n)),
            new Shape("a fraction", n -> "0." + "0".repeat(n) + "1"),
            repeated("names", "owner,stranger,"),
            repeated("commas", ","),
            repeated("spaces", " "),
            repeated("line feeds", "\n"),
            repeated("carriage returns", "\r\n"),
            repeated("controls", "\u0001"),
            repeated("zeros", "\u0000"),
            repeated("quotes", "\"\\"),
            repeated("HTML", "<&'\">"),
            repeated("brackets", "["),
            repeated("percent signs", "%"),
            repeated("braces", "{}"),
            repeated("dots of a token", "eyJ."),
            repeated("tildes", "~1"),
            repeated("Thai", "\u0e01\u0e33\u0e49"),
            repeated("Tibetan", "\u0f40\u0f74\u0f71"),
            repeated("soft hyphens", "a\u00ad"),
            repeated("slashes", "/.."));

    private static Shape repeated(String name, String unit) {
        int bytes = unit.getBytes(StandardCharsets.UTF_8).length;
        return new Shape(name, n -> unit.repeat(Math.max(1, n / bytes)));
    }

    String of(int bytes) {
        return text.apply(bytes);
    }
}
