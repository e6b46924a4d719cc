package io.fanfare.worker.mail;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Warning;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.AddressChanges;
import io.fanfare.common.store.Warnings;
import io.fanfare.common.testing.SmtpStub;
import io.fanfare.common.testing.SmtpStub.Fault;
import io.fanfare.common.testing.SmtpStub.Received;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.mail.SignInPlaces;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.worker.handler.Feeds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The jobs of mails, with a mail server of the test. */
class MailHandlerTest {
    private static final SigningKeys KEYS = SigningKeys.of(new byte[32]);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicLong aheadMillis = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private SealedTexts described = new SealedTexts(KEYS, SignInPlaces.SEALED);
    private SmtpStub server;
    private Feeds feeds;
    private Mails mails;
    private Warnings warnings;
    private SmtpSender sender;
    private MailHandler handler;
    private long ann;

    @BeforeEach
    void open() throws IOException {
        server = SmtpStub.plain();
        feeds = Feeds.on(TestRedis.standalone());
        ann = feeds.users(1)[0];
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "email", "ann@example.org");
        mails = new Mails(feeds.stores.redis());
        warnings = feeds.stores.notifications().warnings();
        feeds.redis.askAt(
                Keys.user(ann), "HSET", Keys.user(ann), "unconfirmed", Long.toString(System.currentTimeMillis()));
        handler = handler();
    }

    @AfterEach
    void close() throws IOException {
        if (sender != null) {
            await(sender.close());
        }
        feeds.close();
        server.close();
    }

    private MailHandler handler(String... more) {
        Settings settings = SettingsLoader.defaultsWith(Stream.concat(
                        Stream.of(
                                "http.public-url=https://example.org",
                                "mail.host=127.0.0.1",
                                "mail.port=" + server.port(),
                                "mail.tls=off",
                                "mail.from=fanfare@example.org"),
                        Stream.of(more))
                .toArray(String[]::new));
        InstantSource clock = () -> InstantSource.system().instant().plusMillis(aheadMillis.get());
        sender = new SmtpSender(
                feeds.vertx(), settings.mail(), "Site", clock, (SSLSocketFactory) SSLSocketFactory.getDefault());
        return handler(settings, new MailHandler.Road(sender, nanos::get), clock);
    }

    private MailHandler handler(Settings settings, MailHandler.Road road, InstantSource clock) {
        return new MailHandler(
                settings.mail(),
                feeds.stores.redis(),
                mails,
                warnings,
                new MailTexts("Site", settings.http().publicUrl()),
                described,
                road,
                clock,
                new SecureRandom(),
                metrics);
    }

    private Job.Mail job(MailKind kind, MailLanguage language) {
        return new Job.Mail(ann, kind, 0, System.currentTimeMillis(), language);
    }

    private Outcome run(Job.Mail job) {
        return feeds.run(handler, job).get(0);
    }

    private double count(String result) {
        return metrics.counter("fanfare.mails", "result", result).count();
    }

    private static String decoded(Received received) {
        return received.source().replace("=\r\n", "").replace("=3D", "=");
    }

    /** The plain text (0) or the HTML (1) of a mail. */
    private static String part(Received received, int index) throws MessagingException, IOException {
        MimeMessage read = new MimeMessage(
                Session.getInstance(new Properties()),
                new ByteArrayInputStream(received.source().getBytes(StandardCharsets.US_ASCII)));
        return (String) ((Multipart) read.getContent()).getBodyPart(index).getContent();
    }

    private static String link(Received received) {
        return decoded(received).replaceAll("(?s).*\\?token=([0-9]+\\.[A-Za-z0-9_-]{43}).*", "$1");
    }

    @Test
    void aRequestBecomesAJobWithoutTextOrAddressAndTheJobAMailWithALink() throws Exception {
        assertThat(feeds.get(() -> mails.request(ann, MailKind.RESET, 0, MailLanguage.EN)))
                .isTrue();
        String lane = Keys.lane(Id.shard(ann), "low");
        String line = feeds.redis.askAt(lane, "RPOP", lane).asString();
        assertThat(line).contains(" mail.1 " + ann + " reset 0 ").endsWith(" en");

        assertThat(run((Job.Mail) JobCodec.decode(line).job())).isEqualTo(Outcome.DONE);

        Received received = server.next();
        assertThat(received.to()).isEqualTo("ann@example.org");
        assertThat(received.header("Subject")).isEqualTo("Reset your password on Site");
        assertThat(decoded(received)).contains("https://example.org/auth/password/edit?token=" + ann + ".");
        assertThat(count("sent")).isEqualTo(1);
        String links = Keys.mailLinks(ann);
        assertThat(feeds.redis.askAt(links, "HGETALL", links).items())
                .isNotEmpty()
                .noneMatch(field -> field.asString().contains(link(received).split("\\.", -1)[1]));
        long life = feeds.redis.askAt(links, "PTTL", links).asLong();
        assertThat(life).isBetween(1L, Duration.ofHours(1).toMillis());
        assertThat(feeds.get(() -> mails.isGood(MailKind.RESET, link(received), System.currentTimeMillis())))
                .isTrue();
    }

    @Test
    void aWarningArrivesWithItsMessageAlsoAtASuspendedAccountInTheLanguageOfItsPosts() throws Exception {
        long warning = feeds.get(() -> warnings.add(ann, Warning.Action.SUSPEND, "spam <b>again</b>", List.of()));
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "suspended", "language", "zh-TW");
        assertThat(feeds.get(() -> mails.request(ann, MailKind.WARNING, warning)))
                .isTrue();
        String lane = Keys.lane(Id.shard(ann), "low");
        String line = feeds.redis.askAt(lane, "RPOP", lane).asString();
        assertThat(line)
                .contains(" mail.1 " + ann + " warning " + warning + " ")
                .endsWith(" zh");

        assertThat(run((Job.Mail) JobCodec.decode(line).job())).isEqualTo(Outcome.DONE);

        Received received = server.next();
        assertThat(received.header("Content-Language")).isEqualTo("zh");
        assertThat(part(received, 0)).contains("管理员封停了你的帐户", "spam <b>again</b>");
        assertThat(part(received, 1)).contains("spam &lt;b&gt;again&lt;/b&gt;").doesNotContain("<b>");
        assertThat(run(new Job.Mail(ann, MailKind.WARNING, 7, System.currentTimeMillis(), MailLanguage.EN)))
                .as("a warning that is gone")
                .isEqualTo(Outcome.DONE);
        assertThat(server.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource(MailLanguage.class)
    void theDecisionAboutAnAppealArrivesOnceItIsMade(MailLanguage language) throws Exception {
        for (Warning.Appeal.State decision : List.of(Warning.Appeal.State.APPROVED, Warning.Appeal.State.REJECTED)) {
            long warning =
                    feeds.get(() -> warnings.add(ann, Warning.Action.SUSPEND, "why " + decision + language, List.of()));
            feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "suspended");
            Job.Mail job = new Job.Mail(ann, MailKind.APPEAL, warning, System.currentTimeMillis(), language);
            feeds.get(() -> warnings.appeal(ann, warning, "I did nothing"));
            assertThat(run(job)).as("while it waits").isEqualTo(Outcome.DONE);
            assertThat(server.waiting()).isZero();
            feeds.get(() -> warnings.decide(ann, warning, decision));

            assertThat(run(job)).isEqualTo(Outcome.DONE);

            Received mail = server.next();
            assertThat(mail.header("Content-Language")).isEqualTo(language.wire());
            boolean approved = decision == Warning.Appeal.State.APPROVED;
            String words = language == MailLanguage.ZH
                    ? approved ? "申诉已通过" : "申诉未通过"
                    : approved ? "was approved" : "was rejected";
            assertThat(part(mail, 0)).contains(words);
            assertThat(part(mail, 0).contains(language == MailLanguage.ZH ? "已解除" : "is undone"))
                    .isEqualTo(approved);
        }
    }

    @Test
    void aWarningOfASelectionIsNotSentWhenItsActIsUndoneAndTwoRunsOfItHaveOneId() throws Exception {
        long warning = feeds.get(() -> warnings.addSelected(ann, Warning.Action.SILENCE, "a wave", 7));
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "limited", "1");
        long now = System.currentTimeMillis();
        for (long made : List.of(now, now - 1)) {
            assertThat(run(new Job.Mail(ann, MailKind.SELECTION_WARNING, warning, made, MailLanguage.EN)))
                    .isEqualTo(Outcome.DONE);
        }
        Received first = server.next();
        assertThat(part(first, 0)).contains("limited your account", "a wave");
        assertThat(server.next().header("Message-ID")).isEqualTo(first.header("Message-ID"));

        feeds.redis.askAt(Keys.user(ann), "HDEL", Keys.user(ann), "limited");

        assertThat(run(new Job.Mail(ann, MailKind.SELECTION_WARNING, warning, now, MailLanguage.EN)))
                .isEqualTo(Outcome.DONE);
        assertThat(server.waiting()).isZero();
    }

    @Test
    void mailsOfASelectionLeaveHalfOfEachMinuteToOthers() throws IOException {
        handler = handler("mail.per-minute=4");
        long warning = feeds.get(() -> warnings.addSelected(ann, Warning.Action.SILENCE, "a wave", 7));
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "limited", "1");
        Job.Mail selected =
                new Job.Mail(ann, MailKind.SELECTION_WARNING, warning, System.currentTimeMillis(), MailLanguage.EN);
        for (int i = 0; i < 2; i++) {
            assertThat(run(selected)).isEqualTo(Outcome.DONE);
        }

        assertThat(run(selected)).isInstanceOf(Outcome.Retry.class);
        assertThat(run(job(MailKind.RESET, MailLanguage.EN))).isEqualTo(Outcome.DONE);
        assertThat(run(job(MailKind.RESET, MailLanguage.EN))).isEqualTo(Outcome.DONE);
        assertThat(run(job(MailKind.RESET, MailLanguage.EN))).isInstanceOf(Outcome.Retry.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "CONFIRM", "PASSWORD_CHANGED"})
    void aKindWithoutASubjectIsWrittenInBothLanguages(MailKind kind) throws Exception {
        for (MailLanguage language : MailLanguage.values()) {
            assertThat(run(job(kind, language))).isEqualTo(Outcome.DONE);
            Received received = server.next();
            assertThat(received.header("Content-Language")).isEqualTo(language.wire());
            assertThat(received.header("Subject").startsWith("=?UTF-8?")).isEqualTo(language == MailLanguage.ZH);
        }
    }

    @Test
    void aMailThatIsSentTwiceHasOneIdAndOneOfItsLinksIsUsed() throws Exception {
        Job.Mail job = job(MailKind.RESET, MailLanguage.EN);
        server.have(Fault.CLOSES_AFTER_THE_MAIL);
        assertThat(run(job)).isInstanceOf(Outcome.Retry.class);
        Received first = server.next();
        server.have(Fault.NONE);
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());

        assertThat(run(job)).isEqualTo(Outcome.DONE);

        Received second = server.next();
        assertThat(second.header("Message-ID"))
                .isEqualTo(first.header("Message-ID"))
                .isNotEmpty();
        assertThat(feeds.get(() -> mails.reset(link(first), "hash", MailLanguage.EN)))
                .contains(ann);
        assertThat(feeds.get(() -> mails.reset(link(second), "another", MailLanguage.EN)))
                .isEmpty();
    }

    @Test
    void aRefusedMailBecomesADeadLetterAtOnceWithoutTheAddress() {
        server.have(Fault.REFUSES_THE_RECIPIENT_WITH_550);

        assertThat(run(job(MailKind.RESET, MailLanguage.EN)))
                .isEqualTo(new Outcome.Dead("the mail server refused the mail with 550"));
        assertThat(count("refused")).isEqualTo(1);
    }

    @Test
    void aMailThatIsPutOffComesAgainWithGrowingPausesUntilItIsTooOld() {
        server.have(Fault.PUTS_THE_RECIPIENT_OFF_WITH_451);
        Job.Mail job = job(MailKind.RESET, MailLanguage.EN);
        int tries = 0;
        Outcome outcome = run(job);
        while (outcome instanceof Outcome.Retry retry && tries < 100) {
            assertThat(retry.countsAttempt()).isFalse();
            assertThat(retry.reason()).isEqualTo("the mail server put the mail off with 451");
            assertThat(retry.delayMillis()).isBetween(10_000L, 23 * 60_000L);
            aheadMillis.addAndGet(retry.delayMillis());
            tries++;
            outcome = run(job);
        }

        assertThat(outcome)
                .isEqualTo(new Outcome.Dead("not sent within 1 h: the mail server put the mail off with 451"));
        assertThat(tries).isBetween(6, 40);
    }

    @Test
    void whileTheMailServerIsAwayOneMailTriesItAndTheOthersWait() {
        server.have(Fault.GREETS_WITH_421);
        Job.Mail[] jobs = IntStream.range(0, 20)
                .mapToObj(i -> job(MailKind.RESET, MailLanguage.EN))
                .toArray(Job.Mail[]::new);

        assertThat(feeds.run(handler, jobs)).allMatch(outcome -> outcome instanceof Outcome.Retry);
        assertThat(server.connections()).isEqualTo(1);

        nanos.addAndGet(Duration.ofMillis(MailHandler.REST_MILLIS + 1).toNanos());
        server.have(Fault.NONE);
        assertThat(run(jobs[0])).isEqualTo(Outcome.DONE);
    }

    @Test
    void allProcessesTogetherSendAsManyInAMinuteAsTheSettingSays() {
        await(sender.close());
        handler = handler("mail.per-minute=3");
        Job.Mail[] jobs = IntStream.range(0, 5)
                .mapToObj(i -> job(MailKind.PASSWORD_CHANGED, MailLanguage.EN))
                .toArray(Job.Mail[]::new);

        List<Outcome> outcomes = feeds.run(handler, jobs);

        assertThat(outcomes.subList(0, 3)).containsOnly(Outcome.DONE);
        assertThat(outcomes.subList(3, 5)).allSatisfy(outcome -> assertThat(outcome)
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.reason())
                        .isEqualTo("mail.per-minute is used up")));
    }

    @Test
    void anAccountThatIsGoneOrHasNoAddressGetsNoMail() {
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "suspended");
        assertThat(run(job(MailKind.RESET, MailLanguage.EN))).isEqualTo(Outcome.DONE);
        assertThat(run(job(MailKind.PASSWORD_CHANGED, MailLanguage.EN))).isEqualTo(Outcome.DONE);
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "active");
        feeds.redis.askAt(Keys.user(ann), "HDEL", Keys.user(ann), "email");
        assertThat(run(job(MailKind.RESET, MailLanguage.EN))).isEqualTo(Outcome.DONE);

        assertThat(feeds.get(() -> mails.request(ann, MailKind.RESET, 0, MailLanguage.EN)))
                .isFalse();
        assertThat(server.connections()).isZero();
        assertThat(count("unwanted")).isEqualTo(3);
    }

    @Test
    void aWorkerWithoutTheSettingLeavesMailsToOthers() {
        handler = handler(SettingsLoader.defaultsWith(), null, InstantSource.system());

        assertThat(run(job(MailKind.RESET, MailLanguage.EN)))
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.reason())
                        .isEqualTo("mail.host is not set for this worker"));
    }

    @Test
    void aLinkIsGoodOnceForAnHourAndForTheFormerPassword() {
        long now = System.currentTimeMillis();
        String used = Mails.token(ann, "used");
        String other = Mails.token(ann, "other");
        String old = Mails.token(ann, "old");
        feeds.get(() -> mails.link(ann, MailKind.RESET, now, used));
        feeds.get(() -> mails.link(ann, MailKind.RESET, now, other));
        assertThat(feeds.get(() -> mails.link(
                        ann, MailKind.RESET, now - Duration.ofHours(1).toMillis(), old)))
                .as("a link that would have ended")
                .isEmpty();
        feeds.redis.askAt(Keys.tokens(ann), "HSET", Keys.tokens(ann), "session", "1 client read");

        assertThat(feeds.get(() -> mails.reset(used, "hash", MailLanguage.ZH))).contains(ann);

        assertThat(feeds.redis
                        .askAt(Keys.user(ann), "HGET", Keys.user(ann), "pw")
                        .asString())
                .isEqualTo("hash");
        assertThat(feeds.redis
                        .askAt(Keys.tokens(ann), "EXISTS", Keys.tokens(ann))
                        .asLong())
                .isZero();
        for (String token : List.of(used, other, old, Mails.token(ann + 1, "used"), "", ".", "x.used", ann + ".")) {
            assertThat(feeds.get(() -> mails.isGood(MailKind.RESET, token, now)))
                    .isFalse();
            assertThat(feeds.get(() -> mails.reset(token, "evil", MailLanguage.EN)))
                    .isEmpty();
        }
        String lane = Keys.lane(Id.shard(ann), "low");
        assertThat(feeds.redis.askAt(lane, "RPOP", lane).asString())
                .contains(" mail.1 " + ann + " password_changed 0 ")
                .endsWith(" zh");
    }

    @Test
    void aLinkOfThePasswordBeforeIsNotGood() {
        String token = Mails.token(ann, "secret");
        long now = System.currentTimeMillis();
        feeds.get(() -> mails.link(ann, MailKind.RESET, now, token));
        feeds.redis.askAt(Keys.user(ann), "HINCRBY", Keys.user(ann), "pwrev", "1");

        assertThat(feeds.get(() -> mails.isGood(MailKind.RESET, token, now))).isFalse();
        assertThat(feeds.get(() -> mails.reset(token, "hash", MailLanguage.EN))).isEmpty();
    }

    @Test
    void ofAKindAnAccountHasTheNewestThreeLinks() {
        long now = System.currentTimeMillis();
        for (int i = 0; i < 5; i++) {
            String token = Mails.token(ann, "secret" + i);
            long made = now - 1000 + i;
            feeds.get(() -> mails.link(ann, MailKind.RESET, made, token));
        }

        assertThat(feeds.redis
                        .askAt(Keys.mailLinks(ann), "HLEN", Keys.mailLinks(ann))
                        .asLong())
                .isEqualTo(3);
        assertThat(feeds.get(() -> mails.isGood(MailKind.RESET, Mails.token(ann, "secret1"), now)))
                .isFalse();
        assertThat(feeds.get(() -> mails.isGood(MailKind.RESET, Mails.token(ann, "secret4"), now)))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(MailLanguage.class)
    void aLinkToAWantedAddressGoesThereAndTheNoticeOfTheChangeToTheFormerOne(MailLanguage language) throws Exception {
        AddressChanges changes = feeds.stores.accounts().addressChanges();
        feeds.redis.askAt(Keys.user(ann), "HDEL", Keys.user(ann), "unconfirmed");
        feeds.get(() -> changes.request(ann, "new@example.org", language.wire()));
        Job.Mail wanted = newest(MailKind.NEW_ADDRESS);
        assertThat(wanted.language()).isEqualTo(language);

        assertThat(run(wanted)).isEqualTo(Outcome.DONE);

        Received mail = server.next();
        assertThat(mail.to()).isEqualTo("new@example.org");
        assertThat(part(mail, 0)).contains("https://example.org/auth/confirmation?token=");
        assertThat(feeds.get(() -> mails.changeAddress(changes, link(mail), System.currentTimeMillis(), language)))
                .isTrue();
        assertThat(run(wanted)).as("the same mail after the change").isEqualTo(Outcome.DONE);
        assertThat(server.waiting()).isZero();

        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "suspended");
        assertThat(run(newest(MailKind.ADDRESS_CHANGED))).isEqualTo(Outcome.DONE);

        Received notice = server.next();
        assertThat(notice.to()).isEqualTo("ann@example.org");
        assertThat(part(notice, 0)).contains("https://example.org/auth/address?token=");
        for (Received each : List.of(mail, notice)) {
            assertThat(each.header("Content-Language")).isEqualTo(language.wire());
            assertThat(each.header("Subject").startsWith("=?UTF-8?")).isEqualTo(language == MailLanguage.ZH);
        }
        assertThat(feeds.get(() -> mails.kind(link(notice), System.currentTimeMillis())))
                .contains(MailKind.ADDRESS_CHANGED);
    }

    @ParameterizedTest
    @EnumSource(MailLanguage.class)
    void aLogInFromANewPlaceIsDescribedAndTheNameOfAnAppContainsNoLink(MailLanguage language) throws Exception {
        feeds.redis.askAt(Keys.user(ann), "HDEL", Keys.user(ann), "unconfirmed");
        feeds.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "language", language.wire());
        SignInPlaces places = new SignInPlaces(feeds.stores.redis(), KEYS, new SecureRandom());
        Device device = new Device("Firefox", "Linux", "192.0.2.0/24");
        assertThat(feeds.get(() -> places.noteBrowser(ann, device, "see https://evil.example/now")))
                .isTrue();
        Job.Mail job = newest(MailKind.SIGN_IN);

        assertThat(run(job)).isEqualTo(Outcome.DONE);

        Received mail = server.next();
        assertThat(mail.to()).isEqualTo("ann@example.org");
        assertThat(mail.header("Content-Language")).isEqualTo(language.wire());
        assertThat(part(mail, 0))
                .contains(
                        "Firefox, Linux", "192.0.2.0/24", "see https evil example now", "https://example.org/settings")
                .contains(Instant.ofEpochMilli(job.subject()).toString().substring(0, 10))
                .doesNotContain("evil.example");

        described = SealedTexts.closed();
        handler = handler();
        assertThat(run(job)).isEqualTo(Outcome.DONE);
        assertThat(part(server.next(), 0))
                .as("of a worker without the key")
                .contains("https://example.org/settings")
                .doesNotContain("Firefox", "192.0.2.0");

        feeds.redis.askAt(Keys.signIns(ann), "DEL", Keys.signIns(ann));
        assertThat(run(job)).isEqualTo(Outcome.DONE);
        assertThat(server.waiting()).as("of a place that is gone").isZero();
    }

    /** The newest job in the lane of the account. */
    private Job.Mail newest(MailKind kind) {
        String lane = Keys.lane(Id.shard(ann), "low");
        String line = feeds.redis.askAt(lane, "LINDEX", lane, "0").asString();
        Job.Mail job = (Job.Mail) JobCodec.decode(line).job();
        assertThat(job.kind()).isEqualTo(kind);
        return job;
    }
}
