package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.testing.SmtpStub;
import io.fanfare.common.testing.SmtpStub.Fault;
import io.fanfare.common.testing.SmtpStub.Received;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mails of a whole service, from a request to the mail server and back by the link. */
@Timeout(120)
class MailTest {
    @TempDir
    Path dir;

    private final TestRedis redis = TestRedis.standalone();
    private final HttpClient http = HttpClient.newHttpClient();
    private SmtpStub server;

    @BeforeEach
    void open() throws IOException {
        redis.flush();
        server = SmtpStub.plain();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private String[] settings() {
        return new String[] {
            "mail.host=127.0.0.1",
            "mail.port=" + server.port(),
            "mail.tls=off",
            "mail.from=fanfare@example.org",
            "limits.enabled=false"
        };
    }

    @CanIgnoreReturnValue
    private HttpResponse<String> post(InProcessServer service, String path, String form, String... headers)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
                        .headers(Stream.concat(
                                        Stream.of("Content-Type", "application/x-www-form-urlencoded"),
                                        Stream.of(headers))
                                .toArray(String[]::new))
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void anAddressIsConfirmedAndAForgottenPasswordResetByMailedLinksAndANoticeFollows() throws Exception {
        try (InProcessServer service = new InProcessServer(redis, settings())) {
            service.startWorker();
            HttpResponse<String> account = post(
                    service,
                    "/api/v1/accounts",
                    "username=ann&email=ann%40example.org&password=correct+horse+battery&agreement=true");
            assertThat(account.statusCode()).isEqualTo(200);

            String confirmation = token(server.next(), "http://social.example/auth/confirmation?token=");
            assertThat(post(service, "/auth/confirmation", "token=" + confirmation)
                            .statusCode())
                    .isEqualTo(200);

            assertThat(post(service, "/auth/password", "email=ann%40example.org")
                            .statusCode())
                    .isEqualTo(200);

            Received mail = server.next();
            assertThat(mail.to()).isEqualTo("ann@example.org");
            String token = token(mail, "http://social.example/auth/password/edit?token=");
            assertThat(post(service, "/auth/password/edit", "token=" + token + "&password=another+good+password")
                            .statusCode())
                    .isEqualTo(200);

            Received notice = server.next();
            assertThat(notice.header("Subject")).contains("was changed");
            HttpResponse<String> old = http.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://127.0.0.1:" + service.port() + "/api/v1/accounts/verify_credentials"))
                            .header(
                                    "Authorization",
                                    "Bearer " + new JsonObject(account.body()).getString("access_token"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(old.statusCode()).isEqualTo(401);
        }
    }

    @Test
    void anAddressIsChangedByAMailedLinkRestoredByItsNoticeAndChangedByTheOperator() throws Exception {
        try (InProcessServer service = new InProcessServer(redis, settings())) {
            service.startWorker();
            String token = new JsonObject(post(
                                    service,
                                    "/api/v1/accounts",
                                    "username=ann&email=ann%40example.org&password=correct+horse+battery&agreement=true")
                            .body())
                    .getString("access_token");
            post(service, "/auth/confirmation", "token=" + token(server.next(), "/auth/confirmation?token="));

            assertThat(post(
                                    service,
                                    "/api/v1/accounts/email",
                                    "email=new%40example.org&current_password=correct+horse+battery",
                                    "Authorization",
                                    "Bearer " + token)
                            .statusCode())
                    .isEqualTo(200);
            Received wanted = server.next();
            assertThat(wanted.to()).isEqualTo("new@example.org");
            post(service, "/auth/confirmation", "token=" + token(wanted, "/auth/confirmation?token="));

            Received notice = server.next();
            assertThat(notice.to()).isEqualTo("ann@example.org");
            post(service, "/auth/address", "token=" + token(notice, "http://social.example/auth/address?token="));
            Received reset = server.next();
            assertThat(reset.to()).as("the restored address").isEqualTo("ann@example.org");
            assertThat(post(
                                    service,
                                    "/auth/password/edit",
                                    "password=another+good+password&token="
                                            + token(reset, "/auth/password/edit?token="))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(server.next().header("Subject")).contains("was changed");

            assertThat(CommandRun.admin(redis, "accounts", "mail", "ann", "third@example.org", "--why", "called"))
                    .contains("ann has another e-mail address");
            assertThat(CommandRun.admin(redis, "audit", "--json")).contains("accounts.mail", "called");
            post(service, "/auth/password", "email=third%40example.org");
            assertThat(server.next().to()).isEqualTo("third@example.org");
        }
    }

    private static String token(Received mail, String link) {
        String text = mail.source().replace("=\r\n", "").replace("=3D", "=");
        assertThat(text).contains(link);
        return text.replaceAll("(?s).*\\?token=([0-9]+\\.[A-Za-z0-9_-]{43}).*", "$1");
    }

    private CommandRun run(String... words) {
        List<String> line = new ArrayList<>(List.of(words));
        for (String setting : settings()) {
            line.addAll(List.of("--set", setting));
        }
        line.addAll(List.of("--set", "http.public-url=https://example.org", "--data", dir.toString()));
        return CommandRun.of(line);
    }

    @Test
    void anOperatorTriesTheMailServerFromTheCommandLine() throws Exception {
        CommandRun sent = run("admin", "mail", "test", "me@example.org");

        assertThat(sent.status()).as(sent.err()).isZero();
        assertThat(sent.out()).contains("accepted by 127.0.0.1:" + server.port());
        assertThat(server.next().to()).isEqualTo("me@example.org");
        assertThat(run("doctor").out()).contains("the mail server 127.0.0.1:" + server.port() + " accepts a session");
        assertThat(server.waiting()).as("mails of the doctor").isZero();

        server.have(Fault.REFUSES_THE_RECIPIENT_WITH_550);
        CommandRun refused = run("admin", "mail", "test", "me@example.org");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("the mail server refused the mail with 550");

        server.have(Fault.GREETS_WITH_421);
        CommandRun doctor = run("doctor");
        assertThat(doctor.status()).isEqualTo(2);
        assertThat(doctor.out()).contains("no mails can be sent by 127.0.0.1");
    }

    @Test
    void withoutTheSettingTheCommandSaysWhatToSet() {
        CommandRun run = CommandRun.of(List.of("admin", "mail", "test", "me@example.org", "--data", dir.toString()));

        assertThat(run.status()).isNotZero();
        assertThat(run.err()).contains("mail.host is empty");
        assertThat(server.connections()).isZero();
    }
}
