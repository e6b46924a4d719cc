package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Attack.HalfClose;
import io.fanfare.app.fuzz.Attack.Pause;
import io.fanfare.app.fuzz.Attack.Reset;
import io.fanfare.app.fuzz.Attack.Send;
import io.fanfare.app.fuzz.Attack.Step;
import io.fanfare.app.fuzz.Operations.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** Bodies that come in strange portions, with strange lengths, slowly, or not at all. */
final class Framing implements Generator {
    private static final long SHORT_MILLIS = 5;

    private final Operations operations;
    private final Tokens tokens;

    Framing(Operations operations, Tokens tokens) {
        this.operations = operations;
        this.tokens = tokens;
    }

    @Override
    public String name() {
        return "framing";
    }

    @Override
    public int kinds() {
        return 18;
    }

    @Override
    public Attack attack(int kind, RandomGenerator random, int bytes) {
        List<Target> targets = operations.targets();
        Target target = targets.get(random.nextInt(targets.size()));
        String token = tokens.draw(random, target);
        RawRequest request = new RawRequest(target.method(), target.target(target.query())).token(token);
        int length = Math.min(bytes, 60 << 10);
        String body = "status=" + "x".repeat(Math.max(1, length - 7));
        return switch (kind) {
            case 0 -> chunks(target, "chunks of one byte", request, "1\r\nx\r\n".repeat(length / 6) + "0\r\n\r\n");
            case 1 ->
                chunks(
                        target,
                        "chunks with extensions",
                        request,
                        ("1;" + "e=f;".repeat(50) + "\r\nx\r\n").repeat(Math.max(1, length / 207)) + "0\r\n\r\n");
            case 2 ->
                chunks(
                        target,
                        "a chunk with a long extension",
                        request,
                        "1;" + "e".repeat(length) + "\r\nx\r\n0\r\n\r\n");
            case 3 -> chunks(target, "a chunk size that is no number", request, "xyz\r\nx\r\n0\r\n\r\n");
            case 4 -> chunks(target, "a huge chunk size", request, "ffffffffffffffff\r\nx\r\n");
            case 5 -> chunks(target, "a large chunk size", request, "7fffffff\r\nx\r\n");
            case 6 -> chunks(target, "a negative chunk size", request, "-1\r\nx\r\n0\r\n\r\n");
            case 7 -> chunks(target, "a chunk size of zeros", request, "0".repeat(length) + "1\r\nx\r\n0\r\n\r\n");
            case 8 ->
                chunks(target, "many trailers", request, "0\r\n" + "X: y\r\n".repeat(Math.max(1, length / 6)) + "\r\n");
            case 9 -> lengths(target, "a length that is too large", request, "99999999999", body);
            case 10 -> lengths(target, "a length that is no number", request, "9".repeat(40), body);
            case 11 -> lengths(target, "a negative length", request, "-1", body);
            case 12 -> lengths(target, "a length that is too small", request, "1", body);
            case 13 ->
                steps(
                        target,
                        "a body of single bytes",
                        Expectation.ANSWER,
                        new Send(form(request, body.substring(0, Math.min(body.length(), 2000))), 1));
            case 14 ->
                steps(
                        target,
                        "a reset in the body",
                        Expectation.NOTHING,
                        new Send(half(form(request, body)), 1 << 20),
                        new Pause(SHORT_MILLIS),
                        new Reset());
            case 15 ->
                steps(
                        target,
                        "a closed half in the body",
                        Expectation.NOTHING,
                        new Send(half(form(request, body)), 1 << 20),
                        new HalfClose());
            case 16 ->
                steps(
                        target,
                        "Expect: 100-continue",
                        Expectation.NOTHING,
                        new Send(form(request.header("Expect", "100-continue"), body), 1 << 20));
            default -> pipelined(target, request, length);
        };
    }

    private Attack pipelined(Target target, RawRequest request, int length) {
        String one = new String(request.bytes(), StandardCharsets.ISO_8859_1);
        byte[] all =
                one.repeat(Math.max(2, Math.min(10, length / one.length()))).getBytes(StandardCharsets.ISO_8859_1);
        return steps(target, "pipelined requests", Expectation.HEAD, new Send(all, 1 << 20));
    }

    private Attack chunks(Target target, String what, RawRequest request, String chunks) {
        RawRequest chunked = request.header("Transfer-Encoding", "chunked")
                .header("Content-Type", "application/x-www-form-urlencoded");
        byte[] head = chunked.head();
        byte[] body = chunks.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return steps(
                target,
                what,
                what.contains("large chunk") || target.endless() ? Expectation.NOTHING : Expectation.ANSWER,
                new Send(all, 1 << 20));
    }

    private Attack lengths(Target target, String what, RawRequest request, String length, String body) {
        RawRequest wrong =
                request.body("application/x-www-form-urlencoded", body).header("Content-Length", length);
        return steps(target, what, Expectation.NOTHING, new Send(wrong.bytes(), 1 << 20));
    }

    private static byte[] form(RawRequest request, String body) {
        return request.body("application/x-www-form-urlencoded", body).bytes();
    }

    private static byte[] half(byte[] bytes) {
        return java.util.Arrays.copyOf(bytes, bytes.length / 2 + 1);
    }

    private Attack steps(Target target, String what, Expectation expectation, Step... steps) {
        Expectation owed = expectation == Expectation.ANSWER && target.endless() ? Expectation.HEAD : expectation;
        return new Attack(name() + ": " + what, target + ": " + what, List.of(steps), owed);
    }
}
