package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Operations.Target;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Request lines and headers that are dear, or none at all. */
final class Heads implements Generator {
    /** Short of the limits of the line and of the headers. */
    private static final int HEAD_BYTES = 14 << 10;

    private static final List<String> NAMES = List.of(
            "Authorization",
            "Cookie",
            "Accept",
            "Accept-Encoding",
            "Accept-Language",
            "Content-Type",
            "Last-Event-ID",
            "Idempotency-Key",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Request-Id",
            "Forwarded",
            "Origin",
            "Host",
            "Range",
            "If-None-Match",
            "If-Modified-Since",
            "Connection",
            "Upgrade",
            "Expect",
            "TE",
            "Transfer-Encoding",
            "Content-Encoding",
            "Content-Length",
            "Access-Control-Request-Method",
            "Access-Control-Request-Headers",
            "Sec-WebSocket-Protocol",
            "Sec-WebSocket-Extensions",
            "Sec-Fetch-Site");

    private static final List<String> UNITS = List.of(
            "a",
            "a, ",
            "a;q=0.1, ",
            "a=b; ",
            "10.0.0.1, ",
            "::1, ",
            "Bearer ",
            "eyJhIjoi.",
            "Basic YTph",
            "0-1,",
            "\"a\", ",
            "gzip, ",
            "%",
            "\u00e9",
            ",",
            ";",
            " ",
            "9");

    private static final List<String> METHODS = List.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "PRI",
            "PROPFIND",
            "x",
            "M".repeat(4000));

    private static final List<String> UNITS_OF_PATHS = List.of(
            "/",
            "/.",
            "/..",
            "/a",
            "//",
            "%2f",
            "%e9",
            "%c3",
            "%ed%a0%80",
            "%f0%9f%98%80",
            "%2e%2e/",
            ";a=b",
            "a",
            "%25",
            "%00",
            "%f0%9f%92%a9",
            "%",
            "?",
            "?a",
            "&a",
            "&a=b",
            "&id[]=1",
            "&a[b]=c",
            "=",
            "#",
            "@",
            "%cc%81%cc%a3",
            "+");

    private final Operations operations;
    private final Tokens tokens;

    Heads(Operations operations, Tokens tokens) {
        this.operations = operations;
        this.tokens = tokens;
    }

    @Override
    public String name() {
        return "heads";
    }

    @Override
    public int kinds() {
        return 6;
    }

    @Override
    public Attack attack(int kind, RandomGenerator random, int bytes) {
        Target target =
                operations.targets().get(random.nextInt(operations.targets().size()));
        int length = Math.min(bytes, HEAD_BYTES);
        return switch (kind) {
            case 0 -> manyHeaders(random, target, length);
            case 1 -> path(random, length);
            case 2 -> method(random, target);
            case 3 -> line(random, target);
            default -> header(random, target, length);
        };
    }

    private Attack header(RandomGenerator random, Target target, int length) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String unit = UNITS.get(random.nextInt(UNITS.size()));
        String value = unit.repeat(Math.max(1, length / unit.length()));
        if (random.nextInt(4) == 0) {
            value = value.substring(0, Math.min(value.length(), 40));
        }
        boolean ofBody = name.equals("Content-Length") || name.equals("Transfer-Encoding") || name.equals("Expect");
        RawRequest request = new RawRequest(target.method(), target.target(target.query()))
                .token(tokens.draw(random, target))
                .header(name, value);
        return attack("a header", target + ": " + name + " of " + shown(unit), request.bytes(), target, ofBody);
    }

    private Attack manyHeaders(RandomGenerator random, Target target, int length) {
        boolean same = random.nextBoolean();
        String name = same ? NAMES.get(random.nextInt(NAMES.size())) : "X-";
        boolean ofBody = name.equals("Content-Length") || name.equals("Transfer-Encoding") || name.equals("Expect");
        StringBuilder head = new StringBuilder(target.method() + " " + target.path() + " HTTP/1.1\r\nHost: a\r\n");
        for (int i = 0; head.length() < length; i++) {
            head.append(name)
                    .append(same ? "" : Integer.toString(i))
                    .append(": ")
                    .append(i)
                    .append("\r\n");
        }
        byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        return attack("many headers", target + ": many headers " + name, bytes, target, ofBody);
    }

    private Attack path(RandomGenerator random, int length) {
        String unit = UNITS_OF_PATHS.get(random.nextInt(UNITS_OF_PATHS.size()));
        List<Target> targets = operations.targets();
        String beginning = random.nextBoolean()
                ? targets.get(random.nextInt(targets.size())).path()
                : "/";
        String path = beginning + unit.repeat(Math.max(1, length / unit.length()));
        return new Attack(
                name() + ": a path",
                "GET " + beginning + " and " + unit + " many times",
                List.of(new Attack.Send(
                        new RawRequest("GET", path)
                                .token(random.nextBoolean() ? tokens.user() : null)
                                .bytes(),
                        Integer.MAX_VALUE)),
                Expectation.HEAD);
    }

    private Attack method(RandomGenerator random, Target target) {
        String method = METHODS.get(random.nextInt(METHODS.size()));
        RawRequest request = new RawRequest(method, target.target(target.query())).token(tokens.draw(random, target));
        if (random.nextBoolean()) {
            request.header("Access-Control-Request-Method", "POST").header("Origin", "https://elsewhere.example");
        }
        return attack(
                "a method",
                shown(method) + " " + target.path(),
                request.bytes(),
                target,
                method.equals("HEAD") || method.equals("CONNECT"));
    }

    private Attack line(RandomGenerator random, Target target) {
        Map<String, String> lines = new LinkedHashMap<>();
        String path = target.path();
        lines.put("an absolute address", target.method() + " http://social.example" + path + " HTTP/1.1\r\n");
        lines.put(
                "an address of elsewhere",
                target.method() + " http://elsewhere.example:99999" + path + " HTTP/1.1\r\n");
        lines.put("an authority", "CONNECT social.example:443 HTTP/1.1\r\n");
        lines.put("an asterisk", "OPTIONS * HTTP/1.1\r\n");
        lines.put("HTTP/1.0", target.method() + " " + path + " HTTP/1.0\r\n");
        lines.put("HTTP/0.9", "GET " + path + "\r\n");
        lines.put("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        lines.put("HTTP/9.9", target.method() + " " + path + " HTTP/9.9\r\n");
        lines.put("no version", target.method() + " " + path + " x\r\n");
        lines.put("spaces", target.method() + "   " + path + "   HTTP/1.1\r\n");
        lines.put("empty lines", "\r\n".repeat(5000) + target.method() + " " + path + " HTTP/1.1\r\n");
        lines.put("TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003");
        lines.put("no line", "\u0000".repeat(4000) + "\r\n");
        List<String> names = List.copyOf(lines.keySet());
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = (lines.get(name) + "Host: social.example\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return attack("a line", name + " for " + target, bytes, target, /* unanswered= */ true);
    }

    private Attack attack(String kind, String what, byte[] bytes, Target target, boolean unanswered) {
        Expectation expectation =
                unanswered ? Expectation.NOTHING : target.endless() ? Expectation.HEAD : Expectation.ANSWER;
        return Attack.of(name() + ": " + kind, what, expectation, bytes);
    }

    private static String shown(String text) {
        return text.length() > 20 ? text.substring(0, 20) + "..." : text;
    }
}
