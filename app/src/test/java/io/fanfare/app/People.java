package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.common.testing.Milliseconds;
import java.util.List;

/** Users of a server in a test, and their actions, all of which must succeed. */
final class People {
    private static final String SCOPES = "read write admin:read admin:write";

    private final ContractServer server;
    private final String app;

    People(ContractServer server) {
        this.server = server;
        Answer registered = server.send(
                "POST",
                "/api/v1/apps",
                null,
                "client_name=test&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=" + SCOPES);
        String client = "client_id=%s&client_secret=%s"
                .formatted(registered.text("client_id"), registered.text("client_secret"));
        this.app = server.send("POST", "/oauth/token", null, client + "&grant_type=client_credentials&scope=" + SCOPES)
                .text("access_token");
    }

    record Person(String id, String token) {}

    Person signUp(String name) {
        String form = "agreement=true&password=correct horse battery&username=" + name + "&email=" + name;
        String token = server.send("POST", "/api/v1/accounts", app, form + "@example.org")
                .text("access_token");
        Answer account = server.send("GET", "/api/v1/accounts/verify_credentials", token, null);
        return new Person(account.text("id"), token);
    }

    /** Answers the id of the status. */
    @CanIgnoreReturnValue
    String publish(Person author, String form) {
        String id = good(server.send("POST", "/api/v1/statuses", author.token(), form))
                .text("id");
        Milliseconds.awaitNext();
        return id;
    }

    /** Answers the id of the article. */
    @CanIgnoreReturnValue
    String article(Person author, String form) {
        String id = good(server.send("POST", "/api/v1/articles", author.token(), form))
                .text("id");
        Milliseconds.awaitNext();
        return id;
    }

    /** Answers the id of a list with these accounts, whom its owner follows. */
    String list(Person owner, List<Person> accounts) {
        String id = good(server.send("POST", "/api/v1/lists", owner.token(), "title=people"))
                .text("id");
        putOn(owner, id, accounts);
        return id;
    }

    void putOn(Person owner, String list, List<Person> accounts) {
        String form = String.join(
                "&",
                accounts.stream()
                        .map(account -> "account_ids[]=" + account.id())
                        .toList());
        good(server.send("POST", "/api/v1/lists/" + list + "/accounts", owner.token(), form));
    }

    /** Answers the id of the comment. */
    String comment(Person author, String status, String form) {
        return good(server.send("POST", "/api/v1/statuses/" + status + "/comments", author.token(), form))
                .text("id");
    }

    /** Deletes a status. */
    void take(Person author, String status) {
        good(server.send("DELETE", "/api/v1/statuses/" + status, author.token(), null));
    }

    /** The articles of a group without this one. */
    void takeOut(Person author, String article, String group) {
        good(server.send("DELETE", "/api/v1/articles/" + article + "/groups/" + group, author.token(), null));
    }

    /** A POST without a body: follow, favourite and the like. */
    void done(Person who, String path) {
        good(server.send("POST", path, who.token(), null));
    }

    void ended(Person who, String path) {
        good(server.send("DELETE", path, who.token(), null));
    }

    @CanIgnoreReturnValue
    private static Answer good(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }
}
