package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Role;
import io.fanfare.redis.testing.TestRedis;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of networks, mail domains and user names, behind a proxy that the server trusts. */
class SiteBlockRoutesTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String NETWORKS = "/api/v1/admin/ip_blocks";
    private static final String DOMAINS = "/api/v1/admin/email_domain_blocks";
    private static final String NAMES = "/api/v1/admin/username_blocks";

    /** The address of the moderator. */
    private static final String DESK = "192.0.2.80";

    private final TestRedis redis = TestRedis.standalone();
    private ApiServer api;
    private User mod;
    private int names;

    @BeforeEach
    void start() {
        redis.flush();
        api = new ApiServer(redis, "http.trusted-proxies=127.0.0.1");
        mod = Moderators.signUp(api, "mia");
        Moderators.promote(redis, mod, Role.MODERATOR);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private Response from(String address, String method, String path, String token, String form) {
        return api.send(method, path, token, form == null ? null : FORM, form, "X-Forwarded-For", address);
    }

    @CanIgnoreReturnValue
    private Response desk(String method, String path, String form) {
        return from(DESK, method, path, mod.token(), form);
    }

    @CanIgnoreReturnValue
    private Response add(String path, String form) {
        Response added = desk("POST", path, form);
        assertThat(added.status()).as(added.body()).isEqualTo(200);
        return added;
    }

    private Response look(String address) {
        return from(address, "GET", "/api/v1/accounts/verify_credentials", mod.token(), null);
    }

    private void awaitStatus(String address, int status) {
        TestRedis.awaitUntil(status + " for " + address, () -> look(address).status() == status);
    }

    /** Signs somebody up; the answer may be a refusal. */
    private Response signUp(String address, String name, String email) {
        return from(
                address,
                "POST",
                "/api/v1/accounts",
                null,
                "username=" + name + "&email=" + email + "&password=a+good+long+one&agreement=true");
    }

    private Response signUp(String address) {
        String name = "person" + names++;
        return signUp(address, name, name + "@example.org");
    }

    @Test
    void aBlockOfANetworkIsAddedShownChangedAndRemovedAsMastodonsAppsDo() {
        Response added = add(NETWORKS, "ip=198.51.100.7/24&severity=sign_up_block&comment=a+wave&expires_in=3600");
        assertThat(added.text("/ip")).isEqualTo("198.51.100.0/24");
        assertThat(added.text("/severity")).isEqualTo("sign_up_block");
        assertThat(added.text("/comment")).isEqualTo("a wave");
        assertThat(Instant.parse(added.text("/expires_at")))
                .isAfter(Instant.now().plusSeconds(3000));
        String one = NETWORKS + "/" + added.text("/id");
        assertThat(desk("GET", one, null).body()).isEqualTo(added.body());

        Response changed = desk("PUT", one, "severity=no_access&expires_in=");
        assertThat(changed.text("/severity")).isEqualTo("no_access");
        assertThat(changed.text("/comment")).isEqualTo("a wave");
        assertThat(changed.json().at("/expires_at").isNull()).isTrue();
        assertThat(desk("GET", NETWORKS, null).each("ip")).containsExactly("198.51.100.0/24");

        assertThat(desk("DELETE", one, null).body()).isEqualTo("{}");
        assertThat(desk("GET", one, null).status()).isEqualTo(404);
        assertThat(desk("DELETE", one, null).status()).isEqualTo(404);
        assertThat(desk("PUT", one, "severity=no_access").status()).isEqualTo(404);
        Response log = desk("GET", "/api/v1/admin/audit_log?action=blocks.", null);
        assertThat(log.json().at("/entries").findValuesAsText("action"))
                .containsExactly("blocks.remove", "blocks.change", "blocks.add");
        assertThat(log.text("/entries/0/detail")).isEqualTo("network 198.51.100.0/24 no_access");
        assertThat(log.text("/entries/0/why")).isEqualTo("a wave");
        assertThat(log.text("/entries/0/by_account_id")).isEqualTo(mod.id());
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, too wide",
        "::/0, too wide",
        "10.0.0.0/7, too wide",
        "2000::/3, too wide",
        "::ffff:0:0/96, must be an address",
        "::ffff:10.0.0.1/120, must be an address",
        "127.0.0.1, the server itself",
        "127.9.9.0/24, the server itself",
        "::1, the server itself",
        "::/16, the server itself",
        "0::1/128, the server itself",
        "192.0.2.0/24, your own address",
        "192.0.0.0/8, your own address",
        "192.0.2.80, your own address",
        "fe80::1%eth0, must be an address",
        "2001:db8::/65, must be an address",
        "10.0.0.0/33, must be an address",
        "10.0.0, must be an address",
        "10.0.0.0/, must be an address",
        "10.0.0.0/-1, must be an address",
        "example.org, must be an address",
        "'', blank",
        "[::1], must be an address"
    })
    void aNetworkThatWouldShutOutTheSiteOrItsModeratorIsRefusedWithASentence(String ip, String sentence) {
        Response refused = desk("POST", NETWORKS, "severity=no_access&ip=" + ip.replace("%", "%25"));
        assertThat(refused.status()).as(refused.body()).isEqualTo(422);
        assertThat(refused.text("/details/ip/0/description")).contains(sentence);
        assertThat(desk("GET", NETWORKS, null).body()).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7, 198.51.100.7/32",
        "::ffff:198.51.100.7, 198.51.100.7/32",
        "2001:db8::7, 2001:db8::/64",
        "2001:db8::7/128, 2001:db8::/64",
        "2001:DB8:1:2::/33, 2001:db8::/33"
    })
    void anAddressIsSpelledAsTheNetworkThatIsCompared(String ip, String shown) {
        assertThat(add(NETWORKS, "severity=sign_up_block&ip=" + ip).text("/ip")).isEqualTo(shown);
        Response again = desk("POST", NETWORKS, "severity=no_access&ip=" + shown);
        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text("/error")).contains(shown + " already");
    }

    @Test
    void aNetworkWithoutAccessGetsNothingUntilTheBlockIsRemoved() {
        String id = add(NETWORKS, "severity=no_access&ip=198.51.100.0/24").text("/id");
        String six = add(NETWORKS, "severity=no_access&ip=2001:db8:1::/48").text("/id");
        awaitStatus("198.51.100.7", 403);
        assertThat(look("198.51.100.7").text("/error")).contains("blocked");
        assertThat(look("198.51.100.7").header("Connection")).contains("close");
        assertThat(look("::ffff:198.51.100.7").status()).as("IPv4 in IPv6").isEqualTo(403);
        assertThat(look("2001:db8:1:9::1").status()).isEqualTo(403);
        assertThat(look("2001:db8:1:9::1%eth0").status()).as("with a zone").isEqualTo(403);
        assertThat(look("[2001:db8:1:9::1]:443").status()).isEqualTo(403);
        assertThat(look("2001:db8:2::1").status()).isEqualTo(200);
        assertThat(look("198.51.101.7").status()).isEqualTo(200);
        assertThat(look("198.51.100.7, 198.51.101.7").status())
                .as("an address that the client has written itself")
                .isEqualTo(200);
        assertThat(look("198.51.101.7, 198.51.100.7").status()).isEqualTo(403);
        assertThat(signUp("198.51.100.7").status()).isEqualTo(403);

        desk("DELETE", NETWORKS + "/" + id, null);
        awaitStatus("198.51.100.7", 200);
        desk("PUT", NETWORKS + "/" + six, "severity=sign_up_block");
        awaitStatus("2001:db8:1:9::1", 200);
    }

    /** Nobody believes the header of a client that comes directly. */
    @Test
    void aForwardedAddressOfNoTrustedProxyBlocksNobody() {
        add(NETWORKS, "severity=no_access&ip=198.51.100.0/24");
        awaitStatus("198.51.100.7", 403);
        try (ApiServer direct = new ApiServer(redis)) {
            assertThat(direct.send(
                                    "GET",
                                    "/api/v1/accounts/verify_credentials",
                                    mod.token(),
                                    null,
                                    null,
                                    "X-Forwarded-For",
                                    "198.51.100.7")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAccountOfANetworkThatNeedsApprovalWaitsForAModerator() {
        add(NETWORKS, "ip=198.51.100.0/24&severity=sign_up_requires_approval");
        TestRedis.awaitUntil("pending", () -> isPending(signUp("198.51.100.7")));
        assertThat(isPending(signUp("198.51.101.7"))).isFalse();
        assertThat(look("198.51.100.7").status()).isEqualTo(200);
    }

    private boolean isPending(Response signedUp) {
        assertThat(signedUp.status()).isEqualTo(200);
        return api.get("/api/v1/accounts/verify_credentials", signedUp.text("/access_token"))
                        .status()
                == 403;
    }

    @Test
    void aNetworkWithoutSignUpsReadsAndLogsIn() {
        add(NETWORKS, "ip=198.51.100.0/24&severity=sign_up_block");
        TestRedis.awaitUntil("refused", () -> signUp("198.51.100.7").status() == 403);
        assertThat(signUp("198.51.100.7").text("/error")).contains("no sign-ups from your network");
        assertThat(look("198.51.100.7").status()).isEqualTo(200);
        assertThat(signUp("198.51.101.7").status()).isEqualTo(200);
    }

    @Test
    void aBlockedMailDomainRefusesSignUpsAlsoOfItsSubdomainsAndCountsThem() {
        Response added = add(DOMAINS, "domain=@Spam.Example&comment=throw-away");
        assertThat(added.text("/domain")).isEqualTo("spam.example");
        TestRedis.awaitUntil("refused", () -> signUp(DESK, "member" + names++, names + "@spam.example")
                .text("/details/email/0/error")
                .equals("ERR_BLOCKED"));
        Response refused = signUp(DESK, "bob", "a@mail.spam.example");
        assertThat(refused.text("/details/email/0/error")).isEqualTo("ERR_BLOCKED");
        assertThat(signUp(DESK, "bob", "a@nospam.example").status()).isEqualTo(200);

        Response shown = desk("GET", DOMAINS + "/" + added.text("/id"), null);
        assertThat(shown.json().at("/history").size()).isEqualTo(7);
        assertThat(shown.text("/history/0/uses")).isEqualTo("2");
        assertThat(shown.json().at("/history").findValuesAsText("uses").subList(1, 7))
                .containsOnly("0");
        assertThat(Long.parseLong(shown.text("/history/0/day")) % 86_400).isZero();
        assertThat(desk("POST", DOMAINS, "domain=spam.example").status()).isEqualTo(422);
        for (String none : List.of("", "a b", "-a.org", "a@b", "x".repeat(301))) {
            assertThat(desk("POST", DOMAINS, "domain=" + none.replace(" ", "+")).status())
                    .as(none)
                    .isEqualTo(422);
        }
        desk("DELETE", DOMAINS + "/" + added.text("/id"), null);
        TestRedis.awaitUntil(
                "accepted",
                () -> signUp(DESK, "member" + names++, names + "@spam.example").status() == 200);
    }

    @Test
    void aBlockedNameRefusesSignUpsAndLeavesAccountsAlone() {
        assertThat(signUp(DESK, "casino_old", "old@example.org").status()).isEqualTo(200);
        String id = add(NAMES, "username=Casino*&comment=spam").text("/id");
        TestRedis.awaitUntil(
                "refused",
                () -> signUp(DESK, "casino" + names++, "c" + names + "@example.org")
                                .status()
                        == 422);
        Response refused = signUp(DESK, "CASINO777", "d@example.org");
        assertThat(refused.text("/details/username/0/error")).isEqualTo("ERR_RESERVED");
        assertThat(signUp(DESK, "my_casino", "e@example.org").status()).isEqualTo(200);
        assertThat(api.get("/api/v1/accounts/lookup?acct=casino_old", null).status())
                .isEqualTo(200);
        assertThat(desk("GET", NAMES, null).each("username")).containsExactly("casino*");
        assertThat(desk("POST", NAMES, "username=*").status()).isEqualTo(422);
        assertThat(desk("GET", NETWORKS + "/" + id, null).status())
                .as("of another kind")
                .isEqualTo(404);
        assertThat(desk("DELETE", NAMES + "/" + id, null).status()).isEqualTo(200);
    }

    @Test
    void aFormThatLacksOrMistakesAFieldIsRefused() {
        assertThat(desk("POST", NETWORKS, "ip=10.0.0.0/8").text("/details/severity/0/error"))
                .isEqualTo("ERR_INCLUSION");
        assertThat(desk("POST", NETWORKS, "ip=10.0.0.0/8&severity=slow").status())
                .isEqualTo(422);
        assertThat(desk("POST", NETWORKS, "ip=10.0.0.0/8&severity=no_access&comment=" + "x".repeat(501))
                        .status())
                .isEqualTo(422);
        assertThat(desk("POST", DOMAINS, "").status()).isEqualTo(422);
    }

    /** One short command a second; the list of 10,000 only after a change. */
    @Test
    void aSiteWithoutBlocksPaysNothing() {
        assertThat(redis.askAt(Keys.SITE_BLOCKS, "EXISTS", Keys.SITE_BLOCKS).asLong())
                .isZero();
        assertThat(desk("GET", NETWORKS, null).body()).isEqualTo("[]");
        assertThat(signUp("198.51.100.7").status()).isEqualTo(200);
        assertThat(redis.askAt(Keys.SITE_BLOCKS, "EXISTS", Keys.SITE_BLOCKS, Keys.SITE_BLOCK_USES)
                        .asLong())
                .isZero();
    }

    /** Also on restart: nobody signs up before the list was read, and the blocks hold at once. */
    @Test
    void aServerThatStartsKnowsTheBlocksFromItsFirstRequestOn() {
        add(NETWORKS, "severity=no_access&ip=198.51.100.0/24");
        try (ApiServer second = new ApiServer(redis, "http.trusted-proxies=127.0.0.1")) {
            assertThat(second.send(
                                    "GET",
                                    "/api/v1/accounts/verify_credentials",
                                    mod.token(),
                                    null,
                                    null,
                                    "X-Forwarded-For",
                                    "198.51.100.7")
                            .status())
                    .isEqualTo(403);
        }
    }
}
