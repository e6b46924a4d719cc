package io.fanfare.app.fuzz;

import io.fanfare.app.fuzz.Attack.AwaitHead;
import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Attack.Send;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** Messages and frames of a WebSocket: of a user's, since strangers get none. */
final class Sockets implements Generator {
    private static final int MESSAGE_BYTES = 15 << 10;

    private static final List<String> MESSAGES = List.of(
            "x",
            "{",
            "[]",
            "null",
            "{}",
            "{\"type\":\"subscribe\"}",
            "{\"type\":\"subscribe\",\"stream\":\"user\"}",
            "{\"type\":\"subscribe\",\"stream\":\"nothing\"}",
            "{\"type\":\"unsubscribe\",\"stream\":\"user\"}",
            "{\"type\":{\"a\":1},\"stream\":[1]}");

    private final Tokens tokens;

    Sockets(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public String name() {
        return "sockets";
    }

    @Override
    public int kinds() {
        return 20;
    }

    @Override
    public Attack attack(int kind, RandomGenerator random, int bytes) {
        int length = Math.min(bytes, MESSAGE_BYTES);
        Shape shape = random.nextBoolean()
                ? Shape.DEAR.get(random.nextInt(Shape.DEAR.size()))
                : Shape.OTHERS.get(random.nextInt(Shape.OTHERS.size()));
        String plain = shape.of(length).replaceAll("[\"\\\\\\x00-\\x1f]", "?");
        String message = MESSAGES.get(random.nextInt(MESSAGES.size()));
        return switch (kind) {
            case 0 -> attack("a tag of " + shape.name(), subscribe("hashtag", plain));
            case 1 -> attack("a stream of " + shape.name(), subscribe(plain, "x"));
            case 2 -> attack("deep JSON", Frames.text("[".repeat(length)));
            case 3 -> attack("deep objects", Frames.text("{\"a\":".repeat(length / 5)));
            case 4 -> attack("a long array", Frames.text("{\"a\":[" + "1,".repeat(length / 2 - 10) + "1]}"));
            case 5 -> attack("many fields", Frames.text(fields(length)));
            case 6 -> attack("a huge number", Frames.text("{\"type\":" + "9".repeat(length) + "}"));
            case 7 -> attack("messages " + message, Frames.repeated(Frames.text(message), 50));
            case 8 -> attack("fragments of one byte", fragments(length));
            case 9 -> attack("a message that is too long", Frames.text("x".repeat(1 << 15)));
            case 10 -> attack("bytes", Frames.frame(true, Frames.BINARY, plain.getBytes(StandardCharsets.UTF_8)));
            case 11 -> attack("no text", Frames.frame(true, Frames.TEXT, new byte[] {(byte) 0xc3, 0x28, (byte) 0xff}));
            case 12 -> subscriptions(random);
            case 13 -> attack("pings", Frames.repeated(Frames.frame(true, Frames.PING, new byte[125]), 50));
            case 14 -> attack("pongs", Frames.repeated(Frames.frame(true, Frames.PONG, new byte[125]), 50));
            case 15 -> attack("a long ping", Frames.frame(true, Frames.PING, new byte[5000]));
            case 16 -> attack("a ping in pieces", Frames.frame(false, Frames.PING, new byte[5]));
            case 17 -> attack("a close without a code", Frames.frame(true, Frames.CLOSE, new byte[1]));
            case 18 -> attack("an unknown frame", Frames.frame(true, 5, new byte[5]));
            default ->
                attack(
                        "a frame of 2^63 bytes",
                        new byte[] {(byte) 0x81, (byte) 0xff, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'x'});
        };
    }

    /** Many streams, taken and left. */
    private Attack subscriptions(RandomGenerator random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 60; i++) {
            String type = random.nextInt(3) == 0 ? "unsubscribe" : "subscribe";
            all.writeBytes(
                    Frames.text("{\"type\":\"" + type + "\",\"stream\":\"hashtag\",\"tag\":\"t" + i % 30 + "\"}"));
        }
        return attack("many subscriptions", all.toByteArray());
    }

    private static byte[] subscribe(String stream, String tag) {
        return Frames.text("{\"type\":\"subscribe\",\"stream\":\"" + stream + "\",\"tag\":\"" + tag + "\"}");
    }

    private static String fields(int length) {
        StringBuilder fields = new StringBuilder("{\"type\":1");
        for (int i = 0; fields.length() < length - 20; i++) {
            fields.append(",\"f").append(i).append("\":1");
        }
        return fields.append('}').toString();
    }

    private static byte[] fragments(int length) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Frames.frame(false, Frames.TEXT, new byte[] {'x'}));
        for (int i = 0; i < length; i++) {
            all.writeBytes(Frames.frame(false, Frames.CONTINUATION, new byte[] {'x'}));
        }
        all.writeBytes(Frames.frame(true, Frames.CONTINUATION, new byte[0]));
        return all.toByteArray();
    }

    private Attack attack(String what, byte[] frames) {
        return new Attack(
                name() + ": " + what.split(" of ", 2)[0],
                what,
                List.of(
                        new Send(Frames.handshake("/api/v1/streaming", tokens.user()), Integer.MAX_VALUE),
                        new AwaitHead(),
                        new Send(frames, 1 << 20),
                        new Send(Frames.frame(true, Frames.CLOSE, new byte[] {3, (byte) 0xe8}), 100)),
                Expectation.NOTHING);
    }
}
