package io.fanfare.worker.mail;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.Settings.Mail.MailTls;
import io.fanfare.common.text.ControlCharacters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Date;
import java.util.Properties;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * Sends mails to the mail server of {@code mail.host} and connects to no other (RFC 5321, RFC 3207). Each mail has a
 * connection of its own, on a thread of its own: a few for all event loops of a process. What the mail server sends is
 * bounded in bytes, and a connection is closed after {@code mail.timeout}, whatever it does ({@link SmtpConnection}).
 * Texts of the mail server may quote an address, so results have its numbers only. One event loop.
 */
public final class SmtpSender {
    private static final int THREADS = 4;

    private static final String UTF_8 = StandardCharsets.UTF_8.name();

    private final Vertx vertx;
    private final Settings.Mail settings;
    private final String sender;
    private final InstantSource clock;
    private final SSLSocketFactory tls;
    private final WorkerExecutor threads;

    /** The result of a mail. */
    public enum Verdict {
        /** The mail server has accepted it. */
        SENT,
        /** The mail server refuses it for good: a reply 5xx. */
        REFUSED,
        /** The mail server may accept it later: a reply 4xx. */
        PUT_OFF,
        /** No mail can be sent for now: the mail server is away, or a setting is wrong. */
        AWAY
    }

    /**
     * The result of a mail.
     *
     * @param reason a sentence without addresses; empty when the mail was sent
     */
    public record Result(Verdict verdict, String reason) {
        private static Result of(Verdict verdict, String reason) {
            return new Result(verdict, reason);
        }
    }

    /**
     * @param sender the name that mails come from
     * @param tls decides which certificates of the mail server are good
     */
    public SmtpSender(Vertx vertx, Settings.Mail settings, String sender, InstantSource clock, SSLSocketFactory tls) {
        this.vertx = vertx;
        this.settings = settings;
        this.sender = sender;
        this.clock = clock;
        this.tls = tls;
        this.threads = vertx.createSharedWorkerExecutor("mail", THREADS);
    }

    /** Sends a mail; never fails. An accepted mail whose reply is lost counts as {@link Verdict#AWAY}. */
    Future<Result> send(Mail mail) {
        return bounded(connection -> attempt(mail, connection));
    }

    /**
     * Sends a mail by which an operator tests the settings; never fails.
     *
     * @param id the left half of its Message-ID
     * @param publicUrl the address of this server, which the mail names
     */
    public Future<Result> sendTest(String id, String address, String publicUrl) {
        return send(new MailTexts(sender, publicUrl).test(id, address));
    }

    /** Begins a session, with encryption and log-in as mails have them, and ends it; never fails. */
    public Future<Result> check() {
        return bounded(connection -> session(connection, transport -> {}));
    }

    private Future<Result> bounded(Function<SmtpConnection, Result> attempt) {
        Promise<Result> result = Promise.promise();
        SmtpConnection connection = new SmtpConnection();
        long millis = settings.timeout().toMillis();
        long timer = vertx.setTimer(millis, late -> {
            connection.abort();
            result.tryComplete(Result.of(Verdict.AWAY, "the mail server did not answer within " + millis + " ms"));
        });
        threads.executeBlocking(() -> attempt.apply(connection), /* ordered= */ false)
                .otherwise(cause -> Result.of(
                        Verdict.AWAY,
                        "the mail was not sent: " + cause.getClass().getName()))
                .onComplete(ended -> {
                    vertx.cancelTimer(timer);
                    result.tryComplete(ended.result());
                });
        return result.future();
    }

    /** Waits for no mail that is on its way. */
    public Future<Void> close() {
        return threads.close();
    }

    /** On a thread that may block. */
    private Result attempt(Mail mail, SmtpConnection connection) {
        Message message;
        Address[] to;
        try {
            to = new Address[] {recipient(mail.to())};
            message = message(mail, to[0]);
        } catch (MessagingException | UnsupportedEncodingException | IllegalArgumentException e) {
            return Result.of(Verdict.REFUSED, "the address of the account cannot be used in mails");
        }
        return session(connection, transport -> transport.sendMessage(message, to));
    }

    /** The part of a session that follows its log-in. */
    @FunctionalInterface
    private interface Step {
        void run(SMTPTransport transport) throws MessagingException;
    }

    private Result session(SmtpConnection connection, Step step) {
        try (connection) {
            connect(connection);
            run(settings.tls() == MailTls.IMPLICIT ? encrypted(connection) : connection, step);
            return Result.of(Verdict.SENT, "");
        } catch (IOException e) {
            return failed(e);
        } catch (MessagingException e) {
            return failed(e);
        }
    }

    private void connect(Socket plain) throws IOException {
        int millis = (int) settings.timeout().toMillis();
        plain.setSoTimeout(millis);
        // With the name of the setting, which the certificate has to have: an address is not looked up backwards.
        InetAddress address = InetAddress.getByAddress(
                settings.host(), InetAddress.getByName(settings.host()).getAddress());
        plain.connect(new InetSocketAddress(address, settings.port()), millis);
    }

    private Socket encrypted(Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, settings.host(), settings.port(), /* autoClose= */ true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.put("mail.smtp.auth", Boolean.toString(!settings.username().isEmpty()));
        properties.put("mail.smtp.starttls.enable", Boolean.toString(settings.tls() == MailTls.STARTTLS));
        properties.put("mail.smtp.starttls.required", Boolean.toString(settings.tls() == MailTls.STARTTLS));
        properties.put("mail.smtp.ssl.socketFactory", tls);
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put("mail.smtp.localhost", domain(settings.from()));
        properties.put("mail.smtp.from", settings.from());
        // The reply to the mail is all that counts.
        properties.put("mail.smtp.quitwait", "false");
        return properties;
    }

    private void run(Socket socket, Step step) throws MessagingException {
        boolean logsIn = !settings.username().isEmpty();
        URLName server = new URLName(
                "smtp",
                settings.host(),
                settings.port(),
                null,
                logsIn ? settings.username() : null,
                logsIn ? settings.password().reveal() : null);
        SMTPTransport transport = new SMTPTransport(Session.getInstance(properties()), server);
        try {
            transport.connect(socket);
            step.run(transport);
        } finally {
            quit(transport);
        }
    }

    /** The result is known before. */
    private static void quit(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            return;
        }
    }

    private static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1);
    }

    /** An address as mail servers without SMTPUTF8 take it; throws when it has no such form. */
    private static InternetAddress recipient(String address) throws AddressException {
        int at = address.lastIndexOf('@');
        if (at < 1 || !address.chars().limit(at).allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new AddressException("not an address of ASCII");
        }
        String ascii = address.substring(0, at + 1) + IDN.toASCII(address.substring(at + 1));
        return new InternetAddress(ascii, /* strict= */ true);
    }

    private Message message(Mail mail, Address to) throws MessagingException, UnsupportedEncodingException {
        String id = "<" + mail.id() + "@" + domain(settings.from()) + ">";
        MimeMessage message = new MimeMessage(Session.getInstance(new Properties())) {
            @Override
            protected void updateMessageID() throws MessagingException {
                setHeader("Message-ID", id);
            }
        };
        message.setFrom(new InternetAddress(settings.from(), ControlCharacters.oneLine(sender), UTF_8));
        message.setRecipient(Message.RecipientType.TO, to);
        message.setSubject(ControlCharacters.oneLine(mail.subject()), UTF_8);
        message.setSentDate(Date.from(clock.instant()));
        message.setHeader("Content-Language", mail.language());
        // Nobody's absence is answered, and lists do not send it on (RFC 3834).
        message.setHeader("Auto-Submitted", "auto-generated");
        MimeBodyPart text = new MimeBodyPart();
        text.setText(mail.text(), UTF_8, "plain");
        MimeBodyPart html = new MimeBodyPart();
        html.setText(mail.html(), UTF_8, "html");
        message.setContent(new MimeMultipart("alternative", text, html));
        message.saveChanges();
        return message;
    }

    private static Result failed(IOException e) {
        return e instanceof SSLException
                ? Result.of(Verdict.AWAY, "the encryption failed, as for a certificate that is not good for mail.host")
                : Result.of(Verdict.AWAY, "the mail server cannot be reached, or has closed the connection");
    }

    private static Result failed(MessagingException e) {
        if (e instanceof AuthenticationFailedException) {
            return Result.of(Verdict.AWAY, "the mail server refuses mail.username and mail.password");
        }
        int code = code(e);
        if (code >= 530 && code <= 538) {
            return Result.of(Verdict.AWAY, "the mail server wants another log-in or encryption: " + code);
        }
        if (code >= 500 && code <= 599) {
            return Result.of(Verdict.REFUSED, "the mail server refused the mail with " + code);
        }
        if (code >= 400 && code <= 499) {
            // 421 announces that the mail server closes the connection.
            return Result.of(
                    code == 421 ? Verdict.AWAY : Verdict.PUT_OFF, "the mail server put the mail off with " + code);
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException io) {
                return failed(io);
            }
        }
        return Result.of(Verdict.AWAY, "the mail server did not begin the session, or offers no STARTTLS for mail.tls");
    }

    /** The code of the reply about the recipient, the sender or the whole mail; 0 if there is none. */
    private static int code(MessagingException first) {
        Exception cause = first;
        int code = 0;
        while (cause != null) {
            if (cause instanceof SMTPAddressFailedException address) {
                return address.getReturnCode();
            }
            if (cause instanceof SMTPSenderFailedException refused) {
                code = refused.getReturnCode();
            } else if (cause instanceof SMTPSendFailedException failed) {
                code = failed.getReturnCode();
            }
            cause = cause instanceof MessagingException chained ? chained.getNextException() : null;
        }
        return code;
    }
}
