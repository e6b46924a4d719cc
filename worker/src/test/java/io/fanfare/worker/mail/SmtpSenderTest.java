package io.fanfare.worker.mail;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.testing.SmtpStub;
import io.fanfare.common.testing.SmtpStub.Fault;
import io.fanfare.common.testing.SmtpStub.Received;
import io.fanfare.redis.testing.Stopwatch;
import io.fanfare.redis.testing.TestCertificate;
import io.fanfare.worker.mail.SmtpSender.Result;
import io.fanfare.worker.mail.SmtpSender.Verdict;
import io.vertx.core.Vertx;
import jakarta.mail.Multipart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A mail server receives mails, and has each of its faults. */
class SmtpSenderTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-30T10:00:00Z"));

    @TempDir
    static Path dir;

    private static TestCertificate certificate;
    private static TestCertificate ofAnotherName;
    private static Vertx vertx;

    @BeforeAll
    static void start() throws IOException {
        certificate = TestCertificate.in(Files.createDirectory(dir.resolve("right")));
        ofAnotherName = TestCertificate.in(Files.createDirectory(dir.resolve("other")), "dns:mail.example.org");
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
    }

    private static Settings.Mail settings(SmtpStub server, String tls, String... more) {
        return SettingsLoader.defaultsWith(Stream.concat(
                                Stream.of(
                                        "http.public-url=https://example.org",
                                        "mail.host=localhost",
                                        "mail.port=" + server.port(),
                                        "mail.tls=" + tls,
                                        "mail.from=fanfare@example.org"),
                                Stream.of(more))
                        .toArray(String[]::new))
                .mail();
    }

    private static SmtpSender sender(Settings.Mail settings, TestCertificate trusted) {
        SSLSocketFactory tls = SmtpStub.context(trusted).getSocketFactory();
        return new SmtpSender(vertx, settings, "Fanfare 社区", CLOCK, tls);
    }

    private static Mail mail(String to) {
        return new Mail(
                "reset.7.0.1",
                to,
                "重设你在一个名字很长很长的服务器上的密码：这一行要折叠",
                "Hello\r\n.\r\nhttps://example.org/x?token=1.abc\r\n你好\r\n",
                "<p>Hello</p>",
                "zh");
    }

    private static Result send(Settings.Mail settings) {
        return send(settings, certificate, mail("ann@example.org"));
    }

    private static Result send(Settings.Mail settings, TestCertificate trusted, Mail mail) {
        SmtpSender sender = sender(settings, trusted);
        Result result = await(sender.send(mail));
        await(sender.close());
        return result;
    }

    @Test
    void aMailArrivesAsTextAndAsHtmlInEveryScript() throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            assertThat(send(settings(server, "off"))).isEqualTo(new Result(Verdict.SENT, ""));

            Received received = server.next();
            assertThat(received.from()).isEqualTo("fanfare@example.org");
            assertThat(received.to()).isEqualTo("ann@example.org");
            assertThat(received.header("Message-ID")).isEqualTo("<reset.7.0.1@example.org>");
            assertThat(received.header("Auto-Submitted")).isEqualTo("auto-generated");
            assertThat(received.lines())
                    .allMatch(line -> line.length() <= 998 && line.chars().allMatch(c -> c < 0x80));
            MimeMessage read = new MimeMessage(
                    Session.getInstance(new Properties()),
                    new ByteArrayInputStream(received.source().getBytes(StandardCharsets.US_ASCII)));
            assertThat(read.getSubject()).isEqualTo("重设你在一个名字很长很长的服务器上的密码：这一行要折叠");
            assertThat(read.getFrom()[0].toString()).contains("<fanfare@example.org>");
            assertThat(read.getSentDate().toInstant()).isEqualTo(CLOCK.instant());
            Multipart parts = (Multipart) read.getContent();
            assertThat(parts.getContentType()).startsWith("multipart/alternative");
            assertThat(parts.getBodyPart(0).getContent())
                    .asString()
                    .contains("https://example.org/x?token=1.abc", "你好", "\r\n.\r\n");
            assertThat(parts.getBodyPart(1).getContentType()).startsWith("text/html");
            assertThat(parts.getBodyPart(1).getContent()).isEqualTo("<p>Hello</p>");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"starttls", "implicit"})
    void anEncryptedConnectionCarriesTheLogInAndTheMail(String tls) throws Exception {
        try (SmtpStub server =
                tls.equals("implicit") ? SmtpStub.withTls(certificate) : SmtpStub.withStartTls(certificate)) {
            Settings.Mail settings = settings(server, tls, "mail.username=relay", "mail.password=secret-of-the-relay");

            assertThat(send(settings).verdict()).isEqualTo(Verdict.SENT);

            Received received = server.next();
            assertThat(received.encrypted()).isTrue();
            assertThat(received.credentials()).isEqualTo("\0relay\0secret-of-the-relay");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"starttls", "implicit"})
    void aCertificateOfAnotherNameOrOfNobodyGetsNoMail(String tls) throws Exception {
        for (TestCertificate shown : new TestCertificate[] {ofAnotherName, certificate}) {
            try (SmtpStub server = tls.equals("implicit") ? SmtpStub.withTls(shown) : SmtpStub.withStartTls(shown)) {
                Settings.Mail settings = settings(server, tls, "mail.username=relay", "mail.password=secret");
                Result result = send(settings, ofAnotherName, mail("ann@example.org"));

                assertThat(result.verdict()).isEqualTo(Verdict.AWAY);
                assertThat(result.reason()).contains("certificate");
                assertThat(server.waiting()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OFFERS_NO_STARTTLS", "REFUSES_STARTTLS"})
    void aConnectionThatDoesNotBecomeEncryptedGetsNoMail(Fault fault) throws Exception {
        try (SmtpStub server = SmtpStub.withStartTls(certificate)) {
            server.have(fault);

            assertThat(send(settings(server, "starttls")).verdict()).isEqualTo(Verdict.AWAY);
            assertThat(server.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GREETS_WITH_421, AWAY",
        "GREETS_WITH_554, AWAY",
        "WANTS_A_LOG_IN, AWAY",
        "REFUSES_THE_RECIPIENT_WITH_550, REFUSED",
        "PUTS_THE_RECIPIENT_OFF_WITH_451, PUT_OFF",
        "PUTS_THE_MAIL_OFF_WITH_421, AWAY",
        "REFUSES_THE_MAIL_WITH_554, REFUSED",
        "CLOSES_AFTER_DATA, AWAY",
        "CLOSES_AFTER_THE_MAIL, AWAY"
    })
    void everyReplyHasItsVerdictAndNoReasonNamesTheRecipient(Fault fault, Verdict verdict) throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            server.have(fault);

            Result result = send(settings(server, "off"));

            assertThat(result.verdict()).isEqualTo(verdict);
            assertThat(result.reason()).isNotEmpty().doesNotContain("@", "example");
        }
    }

    @Test
    void aRefusedLogInIsReportedAsSuch() throws Exception {
        try (SmtpStub server = SmtpStub.withTls(certificate)) {
            server.have(Fault.REFUSES_THE_PASSWORD);

            Result result =
                    send(settings(server, "implicit", "mail.username=relay", "mail.password=secret-of-the-relay"));

            assertThat(result)
                    .isEqualTo(new Result(Verdict.AWAY, "the mail server refuses mail.username and mail.password"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SAYS_NOTHING", "SENDS_A_BYTE_NOW_AND_THEN"})
    void aMailServerThatTakesItsTimeIsLeft(Fault fault) throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            server.have(fault);
            Stopwatch began = Stopwatch.start();

            Result result = send(settings(server, "off", "mail.timeout=300ms"));

            assertThat(result.verdict()).isEqualTo(Verdict.AWAY);
            assertThat(began.elapsed()).isLessThan(Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SENDS_A_LINE_WITHOUT_END", "SENDS_LINES_WITHOUT_END"})
    void ofRepliesWithoutEndFewBytesAreRead(Fault fault) throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            server.have(fault);
            Stopwatch began = Stopwatch.start();

            Result result = send(settings(server, "off", "mail.timeout=20s"));

            assertThat(result.verdict()).isEqualTo(Verdict.AWAY);
            assertThat(began.elapsed())
                    .as("the end is that of the bytes, not that of the time")
                    .isLessThan(Duration.ofSeconds(15));
        }
    }

    @Test
    void withoutAMailServerTheVerdictComesAtOnce() throws Exception {
        Settings.Mail settings;
        try (SmtpStub server = SmtpStub.plain()) {
            settings = settings(server, "off");
        }

        assertThat(send(settings).verdict()).isEqualTo(Verdict.AWAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann@example.org\r\nBcc: eve@example.org",
                "ann@example.org>\r\nRCPT TO:<eve@example.org",
                "ann@example.org, eve@example.org",
                "ann",
                "@example.org",
                "安@example.org",
                "ann bob@example.org"
            })
    void anAddressThatIsNoneReachesNoMailServer(String address) throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            assertThat(send(settings(server, "off"), certificate, mail(address)).verdict())
                    .isEqualTo(Verdict.REFUSED);
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void aDomainOfAnyScriptIsSentAsAscii() throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            assertThat(send(settings(server, "off"), certificate, mail("ann@例子.cn"))
                            .verdict())
                    .isEqualTo(Verdict.SENT);
            assertThat(server.next().to()).isEqualTo("ann@xn--fsqu00a.cn");
        }
    }

    @Test
    void aLineBreakInASubjectOrANameMakesNoHeader() throws Exception {
        try (SmtpStub server = SmtpStub.plain()) {
            SmtpSender sender = new SmtpSender(
                    vertx,
                    settings(server, "off"),
                    "Site\r\nBcc: eve@example.org",
                    CLOCK,
                    SmtpStub.context(certificate).getSocketFactory());
            Mail mail =
                    new Mail("id", "ann@example.org", "Hi\r\nBcc: eve@example.org\r\n\r\nbody", "t", "<p>t</p>", "en");

            assertThat(await(sender.send(mail)).verdict()).isEqualTo(Verdict.SENT);
            await(sender.close());

            Received received = server.next();
            assertThat(received.header("Bcc")).isEmpty();
            assertThat(received.header("Subject")).startsWith("Hi Bcc:");
            assertThat(received.to()).isEqualTo("ann@example.org");
        }
    }

    @Test
    void noPrintedFormHasAnAddressOrALink() {
        assertThat(mail("ann@example.org").toString()).doesNotContain("ann", "token");
    }
}
