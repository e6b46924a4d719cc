package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The accounts of one row of the matrix: an owner, another user who does not follow the owner, and a third user whom
 * neither knows; and the owner's tokens, good and bad.
 */
final class Cast {
    /** All scopes that there are, below the old names. */
    private static final String ALL = "read write follow push admin:read admin:write";

    /** The scope of a token that lacks the scope an operation needs. The server offers nothing for this scope. */
    static final String OTHER_SCOPE = "push";

    private static final String PASSWORD = "correct horse battery";
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

    private static int casts;

    /**
     * The callers in the order of their requests. The owner is last: its request succeeds and changes what the others
     * would find.
     */
    enum Caller {
        NOBODY,
        APP,
        REVOKED,
        OTHER_SCOPE,
        OTHER,
        OWNER
    }

    private final ContractServer server;
    private final String client;
    private final String app;
    private final int number = ++casts;
    private final String name = "owner" + number;
    private final String owner;
    private final String account;

    /** Null until somebody asks; so are {@link #stranger}, an id, and {@link #pollOfAnother}, that of a poll. */
    private String other;

    private String stranger;
    private String pollOfAnother;

    /** The warning of the newest appellant. */
    private String appealed;

    /** The post of the newest holder, which waits for a moderator. */
    private String held;

    Cast(ContractServer server) {
        this.server = server;
        client = register();
        app = token("grant_type=client_credentials&scope=" + ALL);
        owner = signUp(name);
        account = idOf(owner);
    }

    /** Other people who use the same app. */
    private Cast(Cast cast) {
        server = cast.server;
        client = cast.client;
        app = cast.app;
        owner = signUp(name);
        account = idOf(owner);
    }

    /** Other people who have done nothing before, and use the same app. */
    Cast again() {
        return new Cast(this);
    }

    private String other() {
        if (other == null) {
            other = signUp("other" + number);
        }
        return other;
    }

    private String stranger() {
        if (stranger == null) {
            stranger = idOf(signUp("stranger" + number));
        }
        return stranger;
    }

    /** Whether a third account takes part. */
    boolean hasStranger() {
        return stranger != null;
    }

    /** Null for nobody. */
    String token(Caller caller) {
        return switch (caller) {
            case NOBODY -> null;
            case APP -> app;
            case REVOKED -> revoked();
            case OTHER_SCOPE ->
                token("grant_type=password&scope=" + OTHER_SCOPE + "&username=" + name + "&password=" + PASSWORD);
            case OTHER -> other();
            case OWNER -> owner;
        };
    }

    /** Makes the owner an owner of the site, for the operations of moderators. */
    void promoteOwner() {
        server.promote(account, "owner");
    }

    /** The token of a new account with a role. */
    String staff(String role) {
        String token = signUp("with_a_role" + ++casts);
        server.promote(idOf(token), role);
        return token;
    }

    /** The text with what stands in braces put in: what is made for it is made anew each time. */
    String fill(String text) {
        return NAME.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(match.group(1))));
    }

    private String value(String what) {
        return switch (what) {
            case "status" -> publish("private");
            case "public" -> publish("public");
            case "article" ->
                server.send("POST", "/api/v1/articles", owner, "title=words").text("id");
            case "list" -> list();
            case "poll" -> poll(owner, "private");
            case "asked" -> {
                pollOfAnother = poll(signUp("asker" + ++casts), "public");
                yield pollOfAnother;
            }
            case "scheduled" ->
                server.send("POST", "/api/v1/statuses", owner, "status=words&scheduled_at=2100-01-01")
                        .text("id");
            case "filter" -> filter();
            case "keyword" ->
                server.send("POST", "/api/v2/filters/" + filter() + "/keywords", owner, "keyword=word")
                        .text("id");
            case "lying" ->
                server.send(
                                "POST",
                                "/api/v2/filters/" + filter() + "/statuses",
                                owner,
                                "status_id=" + publish("public"))
                        .text("id");
            case "conversation" -> conversation();
            case "publicurl" ->
                server.send("GET", "/api/v1/statuses/" + publish("public"), owner, null)
                        .text("url");
            case "account" -> account;
            case "stranger" -> stranger();
            case "banned" -> banned();
            case "warned" -> warned(account, owner);
            case "appellant" -> appellant();
            case "warning" -> {
                if (appealed == null) {
                    String unused = appellant();
                }
                yield appealed;
            }
            case "waiting" -> held(owner);
            case "holder" -> holder();
            case "held" -> {
                if (held == null) {
                    String unused = holder();
                }
                yield held;
            }
            case "selection" -> selection(staff("owner"));
            case "acted" -> {
                String by = staff("owner");
                String selection = selection(by);
                ContractServer.Answer done =
                        server.send("POST", "/api/v1/admin/selections/" + selection + "/act", by, "type=silence");
                assertThat(done.status()).as(done.body()).isEqualTo(200);
                yield selection;
            }
            case "report" ->
                server.send("POST", "/api/v1/reports", owner, "account_id=" + stranger())
                        .text("id");
            case "network" -> network();
            case "ipblock" -> block("ip_blocks", "severity=sign_up_block&ip=" + network());
            case "mailblock" -> block("email_domain_blocks", "domain=blocked" + ++casts + ".example.org");
            case "nameblock" -> block("username_blocks", "username=blocked" + ++casts);
            case "name" -> name;
            case "password" -> PASSWORD;
            case "client" -> client;
            case "token" -> token("grant_type=password&scope=read&username=" + name + "&password=" + PASSWORD);
            case "ended" -> idOfNewToken();
            case "fresh" -> "fresh" + ++casts;
            default -> throw new IllegalArgumentException("authorisation.yaml names {" + what + "}");
        };
    }

    /** A new account that the owner of the site has suspended. */
    private String banned() {
        promoteOwner();
        String id = idOf(signUp("banned" + ++casts));
        ContractServer.Answer done =
                server.send("POST", "/api/v1/admin/accounts/" + id + "/action", owner, "type=suspend");
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        return id;
    }

    /** A network that has no block, of addresses that nobody has. */
    private static String network() {
        return "198.18." + ++casts % 256 + "." + casts / 256 + "/32";
    }

    /** A new block of the site; its id. */
    private String block(String kind, String form) {
        ContractServer.Answer done = server.send("POST", "/api/v1/admin/" + kind, staff("owner"), form);
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        return done.text("id");
    }

    /** A new warning to an account of {@code token}, by another owner of the site; its id. */
    private String warned(String id, String token) {
        String by = staff("owner");
        ContractServer.Answer done =
                server.send("POST", "/api/v1/admin/accounts/" + id + "/action", by, "type=none&text=" + ++casts);
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        return server.send("GET", "/api/v1/warnings", token, null).text("/0/id");
    }

    /** A new account that has appealed a warning, which {@code {warning}} is from then on. */
    private String appellant() {
        String token = signUp("appellant" + ++casts);
        String id = idOf(token);
        appealed = warned(id, token);
        ContractServer.Answer done =
                server.send("POST", "/api/v1/warnings/" + appealed + "/appeal", token, "text=words");
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        return id;
    }

    /** A new account whose post {@code {held}} waits for a moderator from then on. */
    private String holder() {
        String token = signUp("holder" + ++casts);
        held = held(token);
        return idOf(token);
    }

    /** A post of an account without a role, which names two strangers and so waits for a moderator; its id. */
    private String held(String token) {
        String first = "named" + ++casts;
        String second = "named" + ++casts;
        String unused = signUp(first) + signUp(second);
        ContractServer.Answer refused =
                server.send("POST", "/api/v1/statuses", token, "status=words for @" + first + " and @" + second);
        assertThat(refused.text("/details/status/0/error")).as(refused.body()).isEqualTo("ERR_HELD");
        return server.send("GET", "/api/v1/held_statuses", token, null).text("/0/id");
    }

    /** A selection of a new account. */
    private String selection(String by) {
        String selected = "selected" + ++casts;
        String unused = signUp(selected);
        ContractServer.Answer made = server.send("POST", "/api/v1/admin/selections", by, "usernames[]=" + selected);
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        return made.text("id");
    }

    private String conversation() {
        String unused = publish("direct");
        return server.send("GET", "/api/v1/conversations", owner, null).text("/0/id");
    }

    private String list() {
        String list = server.send("POST", "/api/v1/lists", owner, "title=words").text("id");
        ContractServer.Answer unused =
                server.send("POST", "/api/v1/lists/" + list + "/accounts", owner, "account_ids[]=" + account);
        return list;
    }

    private String poll(String author, String visibility) {
        return server.send(
                        "POST",
                        "/api/v1/statuses",
                        author,
                        "status=words&poll[options][]=a&poll[options][]=b&poll[expires_in]=300&visibility="
                                + visibility)
                .text("id");
    }

    /** The poll of a fourth account that was asked for last; null = none. */
    String pollOfAnother() {
        return pollOfAnother;
    }

    private String filter() {
        return server.send("POST", "/api/v2/filters", owner, "title=words&context[]=home")
                .text("id");
    }

    private String publish(String visibility) {
        return server.send("POST", "/api/v1/statuses", owner, "status=words&visibility=" + visibility)
                .text("id");
    }

    private String signUp(String username) {
        ContractServer.Answer answer = server.send(
                "POST",
                "/api/v1/accounts",
                app,
                "agreement=true&username=" + username + "&email=" + username + "@example.org&password=" + PASSWORD);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.text("access_token");
    }

    private String idOf(String token) {
        return server.send("GET", "/api/v1/accounts/verify_credentials", token, null)
                .text("id");
    }

    /** By its difference: tokens of one second come in any order. */
    private String idOfNewToken() {
        Set<String> before = idsOfTokens();
        String unused = value("token");
        return idsOfTokens().stream()
                .filter(id -> !before.contains(id))
                .findFirst()
                .orElseThrow();
    }

    private Set<String> idsOfTokens() {
        Set<String> ids = new HashSet<>();
        server.send("GET", "/api/v1/tokens", owner, null)
                .json()
                .forEach(token -> ids.add(token.path("id").asText()));
        return ids;
    }

    private String register() {
        ContractServer.Answer app = server.send(
                "POST",
                "/api/v1/apps",
                null,
                "client_name=cast&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=profile " + ALL);
        return "client_id=" + app.text("client_id") + "&client_secret=" + app.text("client_secret");
    }

    private String token(String grant) {
        return server.send("POST", "/oauth/token", null, client + "&" + grant).text("access_token");
    }

    private String revoked() {
        String token = token("grant_type=password&scope=" + ALL + "&username=" + name + "&password=" + PASSWORD);
        ContractServer.Answer done = server.send("POST", "/oauth/revoke", null, client + "&token=" + token);
        if (done.status() != 200) {
            throw new AssertionError("not revoked: " + done.body());
        }
        return token;
    }
}
