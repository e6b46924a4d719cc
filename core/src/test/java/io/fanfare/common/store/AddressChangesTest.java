package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts.Confirmation;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.mail.Mails.Recipient;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

/** Changes of an address, by links and at once, and their undoing. */
class AddressChangesTest {
    private static final String OLD = "ann@example.org";
    private static final String NEW = "new@example.org";

    private StoreFixture fixture;
    private Accounts accounts;
    private AddressChanges changes;
    private Mails mails;
    private long ann;

    private void on(TestRedis.Kind kind) {
        fixture = StoreFixture.on(kind.redis());
        accounts = accounts(fixture.link);
        changes = accounts.addressChanges();
        mails = new Mails(fixture.link);
        ann = signUp("ann", OLD);
        text(Keys.user(ann), "HDEL", "unconfirmed");
    }

    private static Accounts accounts(Redis redis) {
        return new Accounts(redis, new Shards(16), new Random(1), RenderCache.none(), Confirmation.REQUESTED);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @CanIgnoreReturnValue
    private long signUp(String name, String address) {
        return fixture.get(() -> accounts.signUp(name, address, "hash")).id();
    }

    /** The reply to a command whose first argument is the key. */
    @CanIgnoreReturnValue
    private String text(String key, String command, String... more) {
        String[] words = Stream.concat(Stream.of(command, key), Stream.of(more)).toArray(String[]::new);
        return fixture.redis.askAt(key, words).asString();
    }

    private String address() {
        return text(Keys.user(ann), "HGET", "email");
    }

    private String owner(String address) {
        return text(Keys.email(address), "GET");
    }

    private long life(String address) {
        return Long.parseLong(text(Keys.email(address), "TTL"));
    }

    /** The time and the kind of the newest mail of an account. */
    private String[] newestMail(long account) {
        String lane = Keys.lane(Id.shard(account), "low");
        String line = fixture.redis.askAt(lane, "LINDEX", lane, "0").asString();
        String[] words = line.substring(line.indexOf(" mail.1 ") + 1).split(" ", -1);
        assertThat(words[1]).isEqualTo(Long.toString(account));
        return new String[] {words[4], words[2]};
    }

    private void want(long account, String address) {
        fixture.get(() -> changes.request(account, address, "en"));
    }

    /** The token of the link of the newest mail, which goes to this address. */
    private String link(long account, MailKind kind, String address) {
        String[] mail = newestMail(account);
        assertThat(mail[1]).isEqualTo(kind.wire());
        String token = Mails.token(account, "secret-" + mail[0] + kind);
        Optional<Recipient> to = fixture.get(() -> mails.link(account, kind, Long.parseLong(mail[0]), token));
        assertThat(to).map(Recipient::address).contains(address);
        return token;
    }

    @CanIgnoreReturnValue
    private boolean follow(String token) {
        return fixture.get(() -> mails.changeAddress(changes, token, System.currentTimeMillis(), MailLanguage.EN));
    }

    private boolean undo(String token) {
        return fixture.get(() -> mails.restoreAddress(changes, token, System.currentTimeMillis(), MailLanguage.EN));
    }

    private void change() {
        want(ann, NEW);
        assertThat(follow(link(ann, MailKind.NEW_ADDRESS, NEW))).isTrue();
    }

    private void assertTaken(Runnable act) {
        assertThatThrownBy(act::run).isInstanceOf(Refusal.class).hasMessageContaining("already been taken");
    }

    @ParameterizedTest
    @KindsOfRedis
    void aLateChangeDoesNotEndTheClaimOnAnAddressThatTheAccountHasAgain(TestRedis.Kind kind) {
        on(kind);
        Steps paused = new Steps(fixture.link, (command, reply) -> {});
        AddressChanges late = accounts(paused).addressChanges();
        fixture.get(() -> {
            Future<Void> unused = late.changeNow(ann, NEW, /* over= */ false);
            return Future.succeededFuture();
        });
        while (!paused.next().startsWith("claim_drop ")) {
            fixture.get(paused::step);
        }
        fixture.get(() -> changes.changeNow(ann, OLD, /* over= */ true));
        while (paused.canStep()) {
            fixture.get(paused::step);
        }

        assertThat(address()).isEqualTo(OLD);
        assertThat(owner(OLD)).isEqualTo(Long.toString(ann));
        assertThat(life(OLD)).isEqualTo(-1);
        assertThat(owner(NEW)).isNull();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aWantedAddressIsTheAccountsWhenItsLinkIsFollowedAndNobodysBefore(TestRedis.Kind kind) {
        on(kind);
        want(ann, NEW);
        assertThat(address()).isEqualTo(OLD);
        assertThat(owner(NEW)).as("claimed before the link is used").isNull();
        String token = link(ann, MailKind.NEW_ADDRESS, NEW);

        assertThat(follow(token)).isTrue();

        assertThat(address()).isEqualTo(NEW);
        assertThat(owner(NEW)).isEqualTo(Long.toString(ann));
        assertThat(life(NEW)).isEqualTo(-1);
        assertThat(owner(OLD)).as("while it can be restored").isEqualTo(Long.toString(ann));
        assertThat(life(OLD))
                .isBetween(Duration.ofDays(7).toSeconds(), Duration.ofDays(8).toSeconds());
        assertThat(follow(token)).as("a second time").isFalse();
        assertThat(owner(NEW)).isEqualTo(Long.toString(ann));
        assertTaken(() -> signUp("thief", OLD));
        assertThatThrownBy(() -> want(ann, "third@example.org"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("a short while ago");
    }

    @ParameterizedTest
    @KindsOfRedis
    void theFormerAddressIsRestoredByTheLinkOfItsNoticeAndSessionsAndPasswordEnd(TestRedis.Kind kind) {
        on(kind);
        change();
        String notice = link(ann, MailKind.ADDRESS_CHANGED, OLD);
        text(Keys.tokens(ann), "HSET", "token", "1 client read");
        String rev = text(Keys.user(ann), "HGET", "pwrev");

        assertThat(undo(notice)).isTrue();

        assertThat(address()).isEqualTo(OLD);
        assertThat(life(OLD)).isEqualTo(-1);
        assertThat(owner(NEW)).isNull();
        assertThat(text(Keys.user(ann), "HGET", "pw")).isEmpty();
        assertThat(text(Keys.user(ann), "HGET", "pwrev")).isNotEqualTo(rev);
        assertThat(text(Keys.tokens(ann), "EXISTS")).isEqualTo("0");
        assertThat(newestMail(ann)[1]).isEqualTo("reset");
        assertThat(undo(notice)).as("a second time").isFalse();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aPasswordThatIsResetByTheNewAddressLeavesTheFormerOneRestorable(TestRedis.Kind kind) {
        on(kind);
        change();
        String notice = link(ann, MailKind.ADDRESS_CHANGED, OLD);
        fixture.get(() -> mails.request(ann, MailKind.RESET, 0, MailLanguage.EN));
        String reset = link(ann, MailKind.RESET, NEW);

        assertThat(fixture.get(() -> mails.reset(reset, "another hash", MailLanguage.EN)))
                .contains(ann);

        assertThat(undo(notice)).isTrue();
        assertThat(address()).isEqualTo(OLD);
    }

    @ParameterizedTest
    @KindsOfRedis
    void ofTwoAccountsThatWantAnAddressTheFirstToFollowItsLinkGetsIt(TestRedis.Kind kind) {
        on(kind);
        long bob = signUp("bob", "bob@example.org");
        want(ann, NEW);
        String anns = link(ann, MailKind.NEW_ADDRESS, NEW);
        want(bob, NEW);
        String bobs = link(bob, MailKind.NEW_ADDRESS, NEW);

        assertThat(follow(bobs)).isTrue();
        assertTaken(() -> follow(anns));

        assertThat(address()).isEqualTo(OLD);
        assertThat(owner(NEW)).isEqualTo(Long.toString(bob));
        assertTaken(() -> want(ann, NEW));
    }

    @ParameterizedTest
    @KindsOfRedis
    void aLinkIsGoodForTheNewestRequestAndForThePasswordOfItsTime(TestRedis.Kind kind) {
        on(kind);
        want(ann, NEW);
        String first = link(ann, MailKind.NEW_ADDRESS, NEW);
        TestRedis.awaitUntil(
                "a later millisecond", () -> System.currentTimeMillis() > Long.parseLong(newestMail(ann)[0]));
        want(ann, "third@example.org");
        String second = link(ann, MailKind.NEW_ADDRESS, "third@example.org");
        assertThat(follow(first)).as("the link of an earlier request").isFalse();

        text(Keys.user(ann), "HINCRBY", "pwrev", "1");

        assertThat(follow(second)).as("after a change of the password").isFalse();
        assertThat(address()).isEqualTo(OLD);
        assertThat(fixture.get(() -> changes.state(ann)).wanted()).isEmpty();
        assertThat(owner("third@example.org")).isNull();
    }

    @ParameterizedTest
    @KindsOfRedis
    void anUnconfirmedAddressGetsNoNoticeAndNoWayBackAndItsTokensAreFreed(TestRedis.Kind kind) {
        on(kind);
        text(Keys.user(ann), "HSET", "unconfirmed", Long.toString(System.currentTimeMillis()), "held", "1");
        text(Keys.tokens(ann), "HSET", "%token", "1 client read");

        change();

        assertThat(newestMail(ann)[1]).isEqualTo("new_address");
        assertThat(text(Keys.user(ann), "HEXISTS", "unconfirmed")).isEqualTo("0");
        assertThat(text(Keys.tokens(ann), "HEXISTS", "token")).isEqualTo("1");
        assertThat(owner(OLD)).isNull();
        assertThat(fixture.get(() -> changes.state(ann)).fixedUntil()).isNull();
    }

    @ParameterizedTest
    @KindsOfRedis
    void withoutMailsTheAddressChangesAtOnceAndTheFormerOneIsFree(TestRedis.Kind kind) {
        on(kind);
        fixture.get(() -> changes.changeNow(ann, NEW, false));

        assertThat(address()).isEqualTo(NEW);
        assertThat(life(NEW)).isEqualTo(-1);
        assertThat(owner(OLD)).isNull();
        assertThat(signUp("next", OLD)).isNotEqualTo(ann);
    }

    @ParameterizedTest
    @KindsOfRedis
    void anOperatorChangesAnAddressThatCouldBeRestored(TestRedis.Kind kind) {
        on(kind);
        change();
        String notice = link(ann, MailKind.ADDRESS_CHANGED, OLD);

        fixture.get(() -> changes.changeNow(ann, "third@example.org", true));

        assertThat(address()).isEqualTo("third@example.org");
        assertThat(owner(NEW)).isNull();
        assertThat(undo(notice)).isFalse();
    }

    @ParameterizedTest
    @KindsOfRedis
    void aChangeThatDiedBehindItsClaimIsFinishedByTheSameLinkOrFreedWhenThatHasEnded(TestRedis.Kind kind) {
        on(kind);
        want(ann, NEW);
        String token = link(ann, MailKind.NEW_ADDRESS, NEW);
        text(Keys.email(NEW), "SET", Long.toString(ann));
        assertTaken(() -> signUp("other", NEW));

        assertThat(follow(token)).isTrue();
        assertThat(address()).isEqualTo(NEW);

        text(Keys.email("left@example.org"), "SET", Long.toString(ann));
        assertThat(signUp("other", "left@example.org")).isNotEqualTo(ann);
        assertThat(owner("left@example.org")).isNotEqualTo(Long.toString(ann));
    }

    @ParameterizedTest
    @KindsOfRedis
    void aSuspendedAccountWantsNoAddress(TestRedis.Kind kind) {
        on(kind);
        text(Keys.user(ann), "HSET", "state", "suspended");

        assertThatThrownBy(() -> want(ann, NEW)).isInstanceOf(Refusal.class);

        assertThat(fixture.redis.keys()).doesNotContain(Keys.addressChange(ann), Keys.email(NEW));
        assertThat(address()).isEqualTo(OLD);
    }
}
