package io.fanfare.common.embedded;

import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.RespDecoder;
import io.fanfare.common.settings.Secret;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A blocking connection to a server of our own, for starting it and asking it about itself; answers within {@link #ANSWER_MAX} or fails. */
final class AdminConnection implements AutoCloseable {
    static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final Socket socket = new Socket();
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final RespDecoder decoder = new RespDecoder(replies::add);

    AdminConnection(int port, Secret password) throws IOException {
        try {
            int millis = (int) ANSWER_MAX.toMillis();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            if (password.isSet() && ask("AUTH", password.reveal()) instanceof Reply.Failure refused) {
                throw new IOException(refused.error().getMessage());
            }
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    Reply ask(String... command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String argument : command) {
            byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ascii("$" + bytes.length + "\r\n"));
            out.writeBytes(bytes);
            out.writeBytes(ascii("\r\n"));
        }
        socket.getOutputStream().write(out.toByteArray());
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[16 << 10];
        while (replies.isEmpty()) {
            int read = in.read(chunk);
            if (read < 0) {
                throw new EOFException("the server closed the connection");
            }
            decoder.feed(chunk, 0, read);
        }
        return replies.remove();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
