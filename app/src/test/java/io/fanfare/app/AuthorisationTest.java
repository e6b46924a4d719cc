package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every operation of openapi.yaml called by everybody: without token, with an app's, with one that is revoked, with one
 * of another scope, by another user and by the owner of what it is about. What each gets follows from the operation's
 * {@code security}, and for what belongs to somebody from its row in {@code authorisation.yaml}.
 */
class AuthorisationTest extends OnEveryOperation {
    /** Ids that no status and no account has: unused ones, ids of another server, and texts that are no ids. */
    private static final List<String> STRANGE_IDS = List.of(
            "4711",
            "9007199254740991",
            "9007199254740992",
            "113456789012345678",
            "0",
            "-1",
            "0x10",
            "1e3",
            "%D9%A1",
            "null",
            "..%2F1",
            "1%00",
            "9".repeat(400));

    @Test
    void everyOperationHasItsRow() {
        Set<String> operations = Contract.instance().operations().stream()
                .map(Operation::id)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = new TreeSet<>();
        rows.fieldNames().forEachRemaining(named::add);

        assertThat(named)
                .as("rows of authorisation.yaml that are no operations")
                .allMatch(operations::contains);
        operations.removeAll(named);
        assertThat(operations)
                .as("operations of openapi.yaml without a row in authorisation.yaml")
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> everybodyGetsWhatTheContractSays() {
        return server.operations()
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = newPeople();
                    JsonNode row = rows.path(operation.id());
                    Expected expected = Expected.of(operation, row);
                    for (Cast.Caller caller : Cast.Caller.values()) {
                        Request request = Request.of(operation, row, cast);
                        ContractServer.Answer answer = request.send(server, cast.token(caller));
                        assertThat(answer.status())
                                .as("%s by %s: %s", request, caller, answer.body())
                                .isEqualTo(expected.status(caller));
                    }
                }));
    }

    /** Rows say {@code moderator} and {@code admin} where these get something else than an owner. */
    @TestFactory
    Stream<DynamicTest> eachRoleGetsWhatItsRowSays() {
        return server.operations().filter(Request::isOfStaff).flatMap(operation -> Stream.of("moderator", "admin")
                .map(role -> DynamicTest.dynamicTest(operation.id() + " by " + role, () -> {
                    Cast cast = newPeople();
                    JsonNode row = rows.path(operation.id());
                    Request request = Request.of(operation, row, cast);
                    ContractServer.Answer answer = request.send(server, cast.staff(role));
                    int owner = row.path("owner").asInt(row.path("anyone").asInt(200));
                    assertThat(answer.status())
                            .as("%s: %s", request, answer.body())
                            .isEqualTo(row.path(role).asInt(owner));
                })));
    }

    @TestFactory
    Stream<DynamicTest> anIdThatNobodyHasIsAsUnknownAsWhatMayNotBeSeen() {
        return server.operations()
                .filter(operation -> operation.has("id"))
                .map(operation -> DynamicTest.dynamicTest(operation.id(), () -> {
                    Cast cast = newPeople();
                    JsonNode row = rows.path(operation.id());
                    String unknown = null;
                    for (String id : STRANGE_IDS) {
                        Request request = Request.of(operation, row, cast, id);
                        ContractServer.Answer answer = request.send(server, cast.token(Cast.Caller.OWNER));
                        assertThat(answer.status())
                                .as("%s: %s", request, answer.body())
                                .isEqualTo(404);
                        unknown = answer.body();
                    }
                    if (row.path("other").asInt() == 404) {
                        assertThat(Request.of(operation, row, cast)
                                        .send(server, cast.token(Cast.Caller.OTHER))
                                        .body())
                                .isEqualTo(unknown);
                    }
                }));
    }

    /** The expected status for each caller. */
    private record Expected(boolean looksAtToken, boolean tokenDue, boolean userDue, boolean scoped, JsonNode row) {
        static Expected of(Operation operation, JsonNode row) {
            JsonNode security = operation.node().path("security");
            boolean looks = !security.isEmpty();
            boolean optional =
                    StreamSupport.stream(security.spliterator(), false).anyMatch(JsonNode::isEmpty);
            boolean userDue = looks && security.findValue("app") == null;
            boolean scoped = security.findValues("user").stream()
                    .anyMatch(scopes -> !scopes.isEmpty() && !scopes.toString().contains(Cast.OTHER_SCOPE));
            return new Expected(looks, looks && !optional, userDue, scoped, row);
        }

        int status(Cast.Caller caller) {
            int anyone = row.path("anyone").asInt(200);
            if (!looksAtToken) {
                return anyone;
            }
            int own = row.path("owner").asInt(anyone);
            return switch (caller) {
                case NOBODY -> tokenDue ? 401 : row.path("anonymous").asInt(anyone);
                case APP ->
                    userDue ? 422 : row.path("app").asInt(row.path("anonymous").asInt(anyone));
                case REVOKED -> 401;
                case OTHER_SCOPE -> scoped ? 403 : own;
                case OTHER -> row.path("other").asInt(anyone);
                case OWNER -> own;
            };
        }
    }
}
