package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.common.testing.Contract.Operation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every operation, called by strangers with the id of a direct message: none shows it, its text or that it is there.
 */
class DirectLeakTest extends OnEveryOperation {
    private static final String SECRET = "xylophonquartz";

    private static String message;
    private static Person author;
    private static Person recipient;
    private static Person follower;

    @BeforeAll
    static void write() {
        server.startWorkers();
        People people = new People(server);
        author = people.signUp("leakauthor");
        recipient = people.signUp("leakrecipient");
        follower = people.signUp("leakfollower");
        people.done(follower, "/api/v1/accounts/" + author.id() + "/follow");
        people.done(author, "/api/v1/accounts/" + follower.id() + "/follow");
        message = people.publish(
                author, "status=@leakrecipient " + SECRET + " %23leaktag&visibility=direct&spoiler_text=" + SECRET);
        people.done(recipient, "/api/v1/statuses/" + message + "/favourite");
        people.publish(recipient, "status=@leakauthor " + SECRET + "&visibility=direct&in_reply_to_id=" + message);
        Answer edited = server.send(
                "PUT", "/api/v1/statuses/" + message, author.token(), "status=@leakrecipient " + SECRET + " again");
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
    }

    @Test
    void participantsSeeTheDirectMessage() {
        for (Person person : List.of(author, recipient)) {
            Answer answer = server.send("GET", "/api/v1/statuses/" + message, person.token(), null);
            assertThat(answer.body()).contains(SECRET).contains(message);
            assertThat(server.send("GET", "/api/v1/conversations", person.token(), null)
                            .body())
                    .contains(SECRET);
        }
    }

    @TestFactory
    Stream<DynamicTest> noOperationShowsADirectMessageToAStranger() {
        return server.operations()
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = cast(operation);
                    for (Person who : new Person[] {null, follower}) {
                        if (who != null && operation.id().contains("oken")) {
                            continue; // It would end the follower's.
                        }
                        for (Request request : requests(operation, cast)) {
                            Answer answer = request.send(server, who == null ? null : who.token());
                            assertThat(answer.body()).as("%s", request).doesNotContain(SECRET);
                            assertThat(answer.body().replace("/" + message, ""))
                                    .as("%s", request)
                                    .doesNotContain(message);
                            assertThat(answer.status()).as("%s", request).isLessThan(500);
                        }
                    }
                }));
    }

    private static List<Request> requests(Operation operation, Cast cast) {
        Request usual = Request.of(operation, rows.path(operation.id()), cast);
        if (!operation.has("id")) {
            return List.of(
                    usual,
                    usual.asking("id[]", message),
                    usual.asking("q", SECRET),
                    usual.asking("acct", "leakauthor"));
        }
        return List.of(
                Request.of(operation, rows.path(operation.id()), cast, message),
                Request.of(operation, rows.path(operation.id()), cast, author.id()));
    }
}
