package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.core.testing.Authenticator;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The requests that leave an audit event, and how often each is counted. */
class AuditTest {
    private static final String OOB = "urn:ietf:wg:oauth:2.0:oob";
    private static final Pattern FIELDS = Pattern.compile(
            "event=[a-z-]+ reason=[a-z-]+ account=(\\d+|-) token=[\\w-]+ app=[\\w-]+ address=[0-9a-f.]+ request=[\\w-]+");

    private final Logger logger = (Logger) LoggerFactory.getLogger("fanfare.audit");
    private final Lines lines = new Lines();
    private TestRedis redis;
    private ApiServer api;
    private User ann;
    private Response app;

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final Queue<String> all = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            all.add(event.getFormattedMessage());
        }
    }

    @BeforeEach
    void start() {
        redis = TestRedis.standalone();
        redis.flush();
        api = new ApiServer(redis, "limits.enabled=true", "limits.rates.logins=6", "log.audit-addresses=full");
        lines.start();
        logger.addAppender(lines);
        ann = api.signUp("ann");
        app = api.post("/api/v1/apps", null, "client_name", "Tester", "redirect_uris", OOB, "scopes", "read write");
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        api.close();
    }

    @Test
    void secondFactorsAreLoggedWithoutTheirCodes() {
        String secret = api.post("/api/v1/factor", ann.token(), "current_password", ApiServer.PASSWORD)
                .text("/secret");
        String code = Authenticator.code(secret, Instant.now());
        Response enabled = api.post("/api/v1/factor/enable", ann.token(), "code", code);
        String recovery = enabled.text("/recovery_codes/0");
        answered(422, api.post("/api/v1/factor/confirm", ann.token(), "code", "x"));
        answered(400, api.logIn(app, "ann", ApiServer.PASSWORD));
        answered(
                200,
                api.post(
                        "/api/v1/factor/disable",
                        ann.token(),
                        "current_password",
                        ApiServer.PASSWORD,
                        "code",
                        recovery));

        String own = "account=" + ann.id();
        for (String event : List.of("factor-enabled", "code-refused", "factor-removed")) {
            assertThat(lines(event)).as(event).singleElement().asString().contains(own);
        }
        assertThat(lines("code-refused")).singleElement().asString().contains("reason=wrong-code");
        assertThat(lines("recovery-code-used")).hasSize(1);
        assertThat(lines("login-refused")).singleElement().asString().contains("reason=second-factor", own);
        assertThat(lines.all)
                .allMatch(line -> FIELDS.matcher(line).matches())
                .noneMatch(line -> line.contains(secret) || line.contains(recovery));
    }

    @Test
    void signUpsAppsLogInsAndTheirTokensAreLogged() {
        Response token = api.logIn(app, "ann", ApiServer.PASSWORD);
        answered(200, api.token(app, "grant_type", "client_credentials"));

        String byApp = " app=" + app.text("/client_id") + " ";
        assertThat(lines("signed-up")).singleElement().asString().contains("account=" + ann.id(), " app=- ");
        assertThat(lines("app-registered")).singleElement().asString().contains(byApp, "account=- ");
        assertThat(lines("login-succeeded")).singleElement().asString().contains("account=" + ann.id(), byApp);
        assertThat(lines("token-issued"))
                .hasSize(3)
                .anyMatch(line -> line.contains("reason=sign-up"))
                .anyMatch(line -> line.contains("reason=password-grant account=" + ann.id()))
                .anyMatch(line -> line.contains("reason=client-grant account=- "));
        String id = api.get("/api/v1/tokens", token.text("/access_token")).text("/0/id");
        assertThat(lines("token-issued")).anyMatch(line -> line.contains(" token=" + id + " "));
        assertThat(lines.all).allMatch(line -> FIELDS.matcher(line).matches());
        assertThat(metric("token-issued")).isEqualTo(3);
    }

    @Test
    void refusedLogInsAreLoggedWithTheirReasonAndNoneOfTheirInput() {
        answered(400, api.logIn(app, "ann", "canary-password"));
        answered(400, api.logIn(app, "canary_name", "canary-password"));
        answered(400, api.logIn(app, "canary@example.org event=login-succeeded", "canary-password"));
        for (int status : new int[] {400, 400, 400, 429}) {
            answered(status, api.logIn(app, "ann", "canary-password"));
        }
        answered(
                401,
                api.post("/oauth/token", null, "grant_type", "password", "client_id", "canary", "client_secret", "x"));
        String clientId = app.text("/client_id");
        answered(
                401,
                api.post(
                        "/oauth/token",
                        null,
                        "grant_type",
                        "password",
                        "client_id",
                        clientId,
                        "client_secret",
                        "wrong"));

        assertThat(lines("login-failed"))
                .anyMatch(line -> line.contains("reason=wrong-password account=" + ann.id()))
                .filteredOn(line -> line.contains("reason=unknown-name account=- "))
                .hasSize(2);
        assertThat(lines("login-refused")).isNotEmpty().allMatch(line -> line.contains("reason=rate"));
        assertThat(lines("client-refused"))
                .anyMatch(line -> line.contains("reason=unknown-client") && line.contains(" app=- "))
                .anyMatch(line ->
                        line.contains("reason=wrong-secret") && line.contains(" app=" + app.text("/client_id") + " "));
        assertThat(lines.all).noneMatch(line -> line.contains("canary"));
        assertThat(lines("login-succeeded")).isEmpty();
        assertThat(api.metrics
                        .get("fanfare.refusals")
                        .tag("limit", "logins")
                        .tag("reason", "spent")
                        .counter()
                        .count())
                .isEqualTo(metric("login-refused"))
                .isGreaterThan(0);
    }

    @Test
    void changedPasswordsRevokedTokensAndWrongScopesAreLogged() {
        String reader = api.token(
                        app,
                        "grant_type",
                        "password",
                        "username",
                        "ann",
                        "password",
                        ApiServer.PASSWORD,
                        "scope",
                        "read")
                .text("/access_token");
        String id = api.get("/api/v1/tokens", reader).text("/0/id");
        assertThat(api.post("/api/v1/statuses", reader, "status", "x").status()).isEqualTo(403);
        answered(400, api.token(app, "grant_type", "client_credentials", "scope", "push"));
        answered(
                200, api.post("/api/v1/tokens/" + id + "/revoke", ann.token(), "current_password", ApiServer.PASSWORD));
        answered(
                200,
                api.post(
                        "/api/v1/accounts/password",
                        ann.token(),
                        "current_password",
                        ApiServer.PASSWORD,
                        "password",
                        "another good password"));
        answered(200, api.post("/oauth/revoke", null, "token", ann.token()));

        assertThat(lines("scope-refused"))
                .anyMatch(line -> line.contains("reason=beyond-token account=" + ann.id() + " token=" + id))
                .anyMatch(line -> line.contains("reason=beyond-app account=- "));
        assertThat(lines("password-changed")).singleElement().asString().contains("account=" + ann.id());
        assertThat(lines("token-revoked")).hasSize(2).anyMatch(line -> line.contains(" token=" + id + " "));
    }

    @Test
    void aCodeThatIsSentAgainIsLogged() {
        Response form = api.get(
                "/oauth/authorize?response_type=code&redirect_uri=" + OOB + "&client_id=" + app.text("/client_id"),
                null);
        Matcher secret = Pattern.compile("name=\"form_token\" value=\"(\\w+)\"").matcher(form.body());
        assertThat(secret.find()).isTrue();
        Response shown = api.send(
                "POST",
                "/oauth/authorize",
                null,
                "application/x-www-form-urlencoded",
                "response_type=code&decision=approve&username=ann&password=" + ApiServer.PASSWORD.replace(' ', '+')
                        + "&redirect_uri=" + OOB + "&client_id=" + app.text("/client_id") + "&form_token="
                        + secret.group(1),
                "Cookie",
                form.header("Set-Cookie").orElseThrow().split(";", 2)[0]);
        Matcher code = Pattern.compile("<code>([\\w-]{43})</code>").matcher(shown.body());
        assertThat(code.find()).isTrue();
        for (int status : new int[] {200, 400}) {
            Response answer =
                    api.token(app, "grant_type", "authorization_code", "code", code.group(1), "redirect_uri", OOB);
            assertThat(answer.status()).isEqualTo(status);
        }

        assertThat(lines("code-replayed")).singleElement().asString().contains("account=" + ann.id());
        assertThat(lines("token-issued"))
                .filteredOn(line -> line.contains("reason=code-grant"))
                .hasSize(1);
        assertThat(lines.all).noneMatch(line -> line.contains(code.group(1)));
    }

    /**
     * {@code fail2ban-regex} itself is not there in a build; this reads its file as it does, as far as that is used.
     */
    @Test
    void theFilterForFail2banFindsTheAddressesOfRefusedLogInsAlone() throws IOException {
        answered(200, api.logIn(app, "ann", ApiServer.PASSWORD));
        answered(400, api.logIn(app, "ann", "wrong"));
        answered(400, api.logIn(app, "nobody", "wrong"));
        for (int status : new int[] {400, 400, 400, 429, 429}) {
            answered(status, api.logIn(app, "ann", "wrong"));
        }
        String filter = Files.readString(Path.of("..", "config", "fail2ban", "filter.conf"));
        Pattern failregex = Pattern.compile(filter.lines()
                .filter(line -> line.startsWith("failregex = "))
                .map(line -> line.substring("failregex = ".length()).replace("<ADDR>", "(?<address>[0-9a-fA-F.:]+)"))
                .findFirst()
                .orElseThrow());
        List<String> found = lines.all.stream()
                .filter(line -> {
                    Matcher matcher = failregex.matcher(
                            "2026-11-22T10:00:00.000+01:00 INFO  [vert.x-eventloop-thread-0] fanfare.audit - " + line);
                    return matcher.find() && matcher.group("address").equals("127.0.0.1");
                })
                .toList();

        assertThat(found)
                .hasSize(lines("login-failed").size() + lines("login-refused").size());
        assertThat(found).hasSize(7);
    }

    private static void answered(int status, Response answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    }

    private List<String> lines(String event) {
        return lines.all.stream()
                .filter(line -> line.startsWith("event=" + event + " "))
                .toList();
    }

    private double metric(String event) {
        return api.metrics
                .get("fanfare.audit.events")
                .tag("event", event)
                .counter()
                .count();
    }
}
