package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Operations.Target;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** Bodies whose structure is dear, for operations that take a body and for those that take none. */
final class Bodies implements Generator {
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String PARTS = "multipart/form-data; boundary=b";

    /** A structure. */
    record Structure(String name, String type, IntFunction<String> text) {}

    static final List<Structure> STRUCTURES = List.of(
            new Structure("an object with a long name around many fields", JSON, Bodies::longName),
            new Structure("objects with long names in each other", JSON, Bodies::nested),
            new Structure("objects in each other, many fields in each", JSON, Bodies::nestedWide),
            new Structure("many fields", JSON, n -> "{" + numbered(n, 14, i -> "\"f" + i + "\":" + i, ",") + "}"),
            new Structure("one name many times", JSON, n -> "{" + numbered(n, 8, i -> "\"id\":1", ",") + "}"),
            new Structure("a long array", JSON, n -> "{\"id\":[" + "1,".repeat(n / 2) + "1]}"),
            new Structure("an array of nothing", JSON, n -> "{\"id\":[" + "null,".repeat(n / 5) + "null]}"),
            new Structure("an array of objects", JSON, n -> "{\"id\":[" + "{\"a\":1},".repeat(n / 8) + "{}]}"),
            new Structure("an array of arrays", JSON, n -> "{\"id\":[" + "[[]],".repeat(n / 5) + "[]]}"),
            new Structure("deep arrays", JSON, n -> "{\"id\":" + "[".repeat(n / 2) + "]".repeat(n / 2) + "}"),
            new Structure("deep arrays without an end", JSON, n -> "{\"id\":" + "[".repeat(n)),
            new Structure("deep objects without an end", JSON, n -> "{\"a\":".repeat(n / 5)),
            new Structure("a list of fields for a profile", JSON, Bodies::profileFields),
            new Structure("a huge number", JSON, n -> "{\"limit\":" + "9".repeat(n) + "}"),
            new Structure("a huge exponent", JSON, n -> "{\"limit\":1e" + "9".repeat(Math.min(n, 30)) + "}"),
            new Structure("a long fraction", JSON, n -> "{\"limit\":0." + "0".repeat(n) + "1}"),
            new Structure("a long name", JSON, n -> "{\"" + "n".repeat(n) + "\":1}"),
            new Structure("escapes", JSON, n -> "{\"status\":\"" + "\\u0041".repeat(n / 6) + "\"}"),
            new Structure("escaped names", JSON, n -> "{\"" + "\\u005b".repeat(n / 6) + "\":1}"),
            new Structure("half surrogate pairs", JSON, n -> "{\"status\":\"" + "\\ud800".repeat(n / 6) + "\"}"),
            new Structure("spaces", JSON, n -> "{" + " ".repeat(n) + "}"),
            new Structure("no JSON", JSON, n -> "x".repeat(n)),
            new Structure("many fields", FORM, n -> numbered(n, 10, i -> "f" + i + "=" + i, "&")),
            new Structure("one name many times", FORM, n -> numbered(n, 5, i -> "id=1", "&")),
            new Structure("names with brackets", FORM, n -> "a" + "[a]".repeat(n / 3) + "=1"),
            new Structure("many names with brackets", FORM, n -> numbered(n, 30, Bodies::bracketed, "&")),
            new Structure("names of open brackets", FORM, n -> numbered(n, 300, i -> "[".repeat(290) + i + "=", "&")),
            new Structure(
                    "a list of fields for a profile",
                    FORM,
                    n -> numbered(n, 44, i -> "fields_attributes[" + i + "][name]=" + i, "&")),
            new Structure("separators", FORM, n -> "&".repeat(n)),
            new Structure("signs of equality", FORM, n -> "=&".repeat(n / 2)),
            new Structure("escapes", FORM, n -> "status=" + "%41".repeat(n / 3)),
            new Structure("escapes of bytes that are no text", FORM, n -> "status=" + "%ff".repeat(n / 3)),
            new Structure("half escapes", FORM, n -> "status=" + "%4".repeat(n / 2)),
            new Structure("many parts", PARTS, n -> numbered(n, 60, Bodies::part, "") + "--b--\r\n"),
            new Structure("many empty parts", PARTS, n -> "--b\r\n\r\n\r\n".repeat(n / 9) + "--b--\r\n"),
            new Structure("parts without an end", PARTS, n -> numbered(n, 60, Bodies::part, "")),
            new Structure("boundaries", PARTS, n -> "--b\r\n".repeat(n / 5)),
            new Structure("half boundaries", PARTS, n -> part(1) + "\r\n--".repeat(n / 4)),
            new Structure("files", PARTS, n -> numbered(n, 80, Bodies::file, "") + "--b--\r\n"),
            new Structure(
                    "a part with long headers",
                    PARTS,
                    n -> "--b\r\nContent-Disposition: form-data; name=\"a\"" + "; x=y".repeat(n / 5)
                            + "\r\n\r\n1\r\n--b--\r\n"),
            new Structure("a part with many headers", PARTS, n -> "--b\r\n" + "X: y\r\n".repeat(n / 6) + "\r\n"),
            new Structure("a long boundary", "multipart/form-data; boundary=" + "b".repeat(4000), n -> "b".repeat(n)),
            new Structure("of no type", "", n -> "{" + "\"a\":1,".repeat(n / 6) + "\"b\":1}"),
            new Structure("of a strange type", "text/plain", n -> "x".repeat(n)),
            new Structure("of a long type", "application/json" + ";a=b".repeat(2000), n -> "{}"));

    private final Operations operations;
    private final Tokens tokens;

    Bodies(Operations operations, Tokens tokens) {
        this.operations = operations;
        this.tokens = tokens;
    }

    @Override
    public String name() {
        return "bodies";
    }

    @Override
    public int kinds() {
        return STRUCTURES.size();
    }

    @Override
    public Attack attack(int kind, RandomGenerator random, int bytes) {
        List<Target> targets = operations.targets();
        Target target = targets.get(random.nextInt(targets.size()));
        Structure structure = STRUCTURES.get(kind);
        String token = tokens.draw(random, target);
        RawRequest request = new RawRequest(target.method(), target.target(target.query()))
                .token(token)
                .body(structure.type(), structure.text().apply(bytes));
        if (random.nextInt(20) == 0) {
            request.header("Content-Encoding", "gzip");
        }
        String what = target + ": " + structure.name() + " as "
                + structure.type().split(";", 2)[0] + (token == null ? "" : ", with a token");
        return Attack.of(
                name() + ": " + structure.name(),
                what,
                target.endless() ? Expectation.HEAD : Expectation.ANSWER,
                request.bytes());
    }

    private static String longName(int n) {
        String name = "n".repeat(n / 2);
        return "{\"" + name + "\":{" + numbered(n / 2, 9, i -> "\"" + i + "\":1", ",") + "}}";
    }

    private static String nested(int n) {
        int depth = 30;
        String name = "n".repeat(Math.max(1, n / depth - 20));
        return ("{\"" + name + "\":").repeat(depth) + "{\"a\":1,\"b\":2}" + "}".repeat(depth);
    }

    private static String nestedWide(int n) {
        int depth = 20;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            text.append('{')
                    .append(numbered(n / depth / 2, 10, f -> "\"f" + f + "\":1", ","))
                    .append(",\"")
                    .append("n".repeat(n / depth / 2))
                    .append("\":");
        }
        return text.append("1").append("}".repeat(depth)).toString();
    }

    private static String profileFields(int n) {
        return "{\"fields_attributes\":["
                + numbered(n, 26, i -> "{\"name\":\"" + i + "\",\"value\":\"" + i + "\"}", ",") + "]}";
    }

    private static String bracketed(int i) {
        return "a[" + i + "][b][c][]=" + i;
    }

    private static String part(int i) {
        return "--b\r\nContent-Disposition: form-data; name=\"f" + i + "\"\r\n\r\n" + i + "\r\n";
    }

    private static String file(int i) {
        return "--b\r\nContent-Disposition: form-data; name=\"f" + i + "\"; filename=\"" + i + "\"\r\n\r\nx\r\n";
    }

    /** As many as fit, each about so long, at least one. */
    private static String numbered(int bytes, int each, IntFunction<String> text, String separator) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < Math.max(1, bytes / each); i++) {
            all.append(i == 0 ? "" : separator).append(text.apply(i));
        }
        return all.toString();
    }
}
