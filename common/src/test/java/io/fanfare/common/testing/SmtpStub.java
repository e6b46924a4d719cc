package io.fanfare.common.testing;

import io.fanfare.redis.testing.TestCertificate;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A mail server that keeps what it accepts, and can have a fault. Thread-safe. */
public final class SmtpStub implements AutoCloseable {
    /** The fault of a mail server. */
    public enum Fault {
        NONE,
        GREETS_WITH_421,
        GREETS_WITH_554,
        SAYS_NOTHING,
        SENDS_A_BYTE_NOW_AND_THEN,
        SENDS_A_LINE_WITHOUT_END,
        SENDS_LINES_WITHOUT_END,
        OFFERS_NO_STARTTLS,
        REFUSES_STARTTLS,
        REFUSES_THE_PASSWORD,
        WANTS_A_LOG_IN,
        REFUSES_THE_RECIPIENT_WITH_550,
        PUTS_THE_RECIPIENT_OFF_WITH_451,
        PUTS_THE_MAIL_OFF_WITH_421,
        REFUSES_THE_MAIL_WITH_554,
        CLOSES_AFTER_DATA,
        CLOSES_AFTER_THE_MAIL
    }

    /** A mail that was accepted: its envelope, its lines, and whether it came encrypted. */
    public record Received(String from, String to, List<String> lines, boolean encrypted, String credentials) {
        /** The value of a header that is not folded; empty if there is none. */
        public String header(String name) {
            return lines.stream()
                    .takeWhile(line -> !line.isEmpty())
                    .filter(line -> line.toLowerCase(java.util.Locale.ROOT)
                            .startsWith(name.toLowerCase(java.util.Locale.ROOT) + ": "))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElse("");
        }

        /** All of it. */
        public String source() {
            return String.join("\r\n", lines);
        }
    }

    private final ServerSocket listener;
    private final SSLSocketFactory tls;
    private final boolean implicit;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Fault fault = Fault.NONE;

    private SmtpStub(SSLSocketFactory tls, boolean implicit) throws IOException {
        this.tls = tls;
        this.implicit = implicit;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** One without encryption. */
    public static SmtpStub plain() throws IOException {
        return new SmtpStub(null, /* implicit= */ false);
    }

    /** One that offers STARTTLS. */
    public static SmtpStub withStartTls(TestCertificate certificate) throws IOException {
        return new SmtpStub(context(certificate).getSocketFactory(), /* implicit= */ false);
    }

    /** One that is encrypted from the first byte. */
    public static SmtpStub withTls(TestCertificate certificate) throws IOException {
        return new SmtpStub(context(certificate).getSocketFactory(), /* implicit= */ true);
    }

    /** A context that shows this certificate, and trusts it alone. */
    public static SSLContext context(TestCertificate certificate) {
        try {
            char[] password = TestCertificate.PASSWORD.toCharArray();
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store("PKCS12", certificate.keys(), password), password);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store("JKS", certificate.trust(), password));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyStore store(String type, Path file, char[] password)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(type);
        try (InputStream in = new FileInputStream(file.toFile())) {
            store.load(in, password);
        }
        return store;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The fault of connections from now on. */
    public void have(Fault other) {
        fault = other;
    }

    /** How many connections there have been. */
    public int connections() {
        return connections.get();
    }

    /** The next mail; fails if none comes within 20 s. */
    public Received next() throws InterruptedException {
        Received next = received.poll(20, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no mail came");
        }
        return next;
    }

    /** The mails that nobody has taken yet. */
    public int waiting() {
        return received.size();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "smtp-stub");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                connections.incrementAndGet();
                start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            new Session(implicit ? secured(socket) : socket).run();
        } catch (IOException e) {
            // The client has left, or the test has ended.
            open.remove(socket);
        }
        open.remove(socket);
    }

    private Socket secured(Socket socket) throws IOException {
        SSLSocket secured = (SSLSocket) tls.createSocket(socket, null, socket.getPort(), true);
        secured.setUseClientMode(false);
        secured.startHandshake();
        return secured;
    }

    /** The dialogue on one connection. */
    private final class Session {
        private final Fault mine = fault;
        private Socket socket;
        private BufferedReader in;
        private OutputStream out;
        private String from = "";
        private String to = "";
        private String credentials = "";

        Session(Socket socket) throws IOException {
            use(socket);
        }

        private void use(Socket other) throws IOException {
            socket = other;
            in = new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8));
            out = other.getOutputStream();
        }

        private void say(String reply) throws IOException {
            out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }

        void run() throws IOException {
            if (!greet()) {
                return;
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!answer(line)) {
                    return;
                }
            }
        }

        private boolean greet() throws IOException {
            switch (mine) {
                case GREETS_WITH_421 -> say("421 4.3.2 too busy");
                case GREETS_WITH_554 -> say("554 5.7.1 go away");
                case SAYS_NOTHING -> untilTheClientLeaves();
                case SENDS_A_BYTE_NOW_AND_THEN -> {
                    out.write('2');
                    out.flush();
                    trickle();
                }
                case SENDS_A_LINE_WITHOUT_END -> flood("2");
                case SENDS_LINES_WITHOUT_END -> flood("220-more\r\n");
                default -> {
                    say("220 localhost ESMTP");
                    return true;
                }
            }
            return false;
        }

        private void untilTheClientLeaves() throws IOException {
            int read = in.read();
            while (read >= 0) {
                read = in.read();
            }
        }

        private void trickle() throws IOException {
            socket.setSoTimeout(50);
            while (true) {
                try {
                    if (in.read() < 0) {
                        return;
                    }
                } catch (java.net.SocketTimeoutException e) {
                    out.write('2');
                    out.flush();
                }
            }
        }

        private void flood(String text) throws IOException {
            byte[] bytes = text.repeat(1000).getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(bytes);
            }
        }

        private boolean answer(String line) throws IOException {
            String command = line.toUpperCase(java.util.Locale.ROOT);
            if (command.startsWith("EHLO")) {
                say("250-localhost");
                if (tls != null && !(socket instanceof SSLSocket) && mine != Fault.OFFERS_NO_STARTTLS) {
                    say("250-STARTTLS");
                }
                say("250 AUTH PLAIN LOGIN");
            } else if (command.equals("STARTTLS")) {
                if (mine == Fault.REFUSES_STARTTLS) {
                    say("454 4.7.0 TLS not available");
                } else {
                    say("220 go ahead");
                    use(secured(socket));
                }
            } else if (command.startsWith("AUTH ")) {
                logIn(line);
            } else if (command.startsWith("MAIL FROM:")) {
                from = between(line);
                say(mine == Fault.WANTS_A_LOG_IN ? "530 5.7.0 authentication required" : "250 ok");
            } else if (command.startsWith("RCPT TO:")) {
                to = between(line);
                say(
                        mine == Fault.REFUSES_THE_RECIPIENT_WITH_550
                                ? "550 5.1.1 no <" + to + "> here"
                                : mine == Fault.PUTS_THE_RECIPIENT_OFF_WITH_451
                                        ? "451 4.7.1 <" + to + "> greylisted"
                                        : "250 ok");
            } else if (command.equals("DATA")) {
                say("354 go on");
                return mine != Fault.CLOSES_AFTER_DATA && data();
            } else if (command.equals("QUIT")) {
                say("221 bye");
                return false;
            } else {
                say(command.equals("RSET") || command.equals("NOOP") ? "250 ok" : "502 unknown");
            }
            return true;
        }

        private void logIn(String line) throws IOException {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && words[1].equalsIgnoreCase("PLAIN")) {
                credentials = new String(Base64.getDecoder().decode(words[2]), StandardCharsets.UTF_8);
            } else {
                say("334 VXNlcm5hbWU6");
                String user = new String(Base64.getDecoder().decode(in.readLine()), StandardCharsets.UTF_8);
                say("334 UGFzc3dvcmQ6");
                String password = new String(Base64.getDecoder().decode(in.readLine()), StandardCharsets.UTF_8);
                credentials = "\0" + user + "\0" + password;
            }
            say(mine == Fault.REFUSES_THE_PASSWORD ? "535 5.7.8 wrong password" : "235 ok");
        }

        private static String between(String line) {
            return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
        }

        private boolean data() throws IOException {
            List<String> lines = new java.util.ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(".")) {
                    return end(lines);
                }
                lines.add(line.startsWith(".") ? line.substring(1) : line);
            }
            return false;
        }

        private boolean end(List<String> lines) throws IOException {
            switch (mine) {
                case PUTS_THE_MAIL_OFF_WITH_421 -> say("421 4.3.0 closing");
                case REFUSES_THE_MAIL_WITH_554 -> say("554 5.6.0 no");
                case CLOSES_AFTER_THE_MAIL -> {
                    received.add(new Received(from, to, lines, socket instanceof SSLSocket, credentials));
                    return false;
                }
                default -> {
                    received.add(new Received(from, to, lines, socket instanceof SSLSocket, credentials));
                    say("250 2.0.0 accepted");
                }
            }
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
