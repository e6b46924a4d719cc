package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds openapi.yaml itself to OpenAPI 3.1 and to the rules of the house (docs/contract.md). */
class ContractTest {
    private static final String OPENAPI = "https://spec.openapis.org/oas/3.1/schema/2022-10-07";
    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");

    private final Contract contract = Contract.instance();
    private final List<String> wrong = new ArrayList<>();

    @Test
    void theFileIsOpenApi31() throws IOException {
        String meta;
        try (InputStream in = ContractTest.class.getResourceAsStream(OPENAPI.replace("https:/", ""))) {
            meta = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Error> errors = SchemaRegistry.withDialect(
                        Dialects.getDraft202012(), builder -> builder.schemas(Map.of(OPENAPI, meta)))
                .getSchema(SchemaLocation.of(OPENAPI))
                .validate(contract.document());

        assertThat(errors).isEmpty();
    }

    @Test
    void everySchemaIsAJsonSchema() {
        Schema meta = SchemaRegistry.withDialect(Dialects.getDraft202012())
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        contract.document().at("/components/schemas").fields().forEachRemaining(schema -> {
            meta.validate(schema.getValue()).forEach(error -> wrong.add(schema.getKey() + ": " + error));
            // A word that no schema knows is found when the schema is compiled.
            contract.schema("#/components/schemas/" + schema.getKey()).initializeValidators();
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void operationsHaveNamesOfTheirOwn() {
        Set<String> ids = new HashSet<>();
        contract.operations().forEach(operation -> {
            if (!ids.add(operation.id()) || !operation.id().matches("[a-z][A-Za-z0-9]+")) {
                wrong.add(operation + " has the operationId " + operation.id());
            }
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void operationsSayWhatTheyAreAndWhoMayCallThem() {
        Set<String> tags = new HashSet<>();
        contract.document()
                .path("tags")
                .forEach(tag -> tags.add(tag.path("name").asText()));
        contract.operations().forEach(operation -> {
            JsonNode node = operation.node();
            expect(!node.path("summary").asText().isBlank(), operation, "no summary");
            expect(
                    node.path("tags").size() == 1
                            && tags.contains(node.path("tags").path(0).asText()),
                    operation,
                    "not one of the declared tags");
            expect(node.has("security"), operation, "no security: [] means that no token is looked at");
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void operationsListTheAnswersThatTheirSecurityAndParametersImply() {
        contract.operations().forEach(operation -> {
            JsonNode security = operation.node().path("security");
            boolean token = !security.isEmpty();
            // Whose scopes do not allow it, or who is suspended.
            boolean user = !security.findValues("user").isEmpty();
            boolean userOnly = token && security.findValue("app") == null;
            expectStatus(operation, token, 401);
            expectStatus(operation, user, 403);
            expectStatus(operation, userOnly, 422);
            expectStatus(operation, operation.has("id"), 404);
            expectStatus(operation, operation.node().has("requestBody"), 413);
            expectStatus(operation, operation.node().has("requestBody"), 415);
            boolean stub = operation.node().path("tags").path(0).asText().equals("stubs");
            expect(stub || operation.statuses().stream().anyMatch(status -> status < 400), operation, "no good answer");
            expect(operation.statuses().stream().anyMatch(status -> status >= 400), operation, "no bad answer");
            boolean ours = operation.node().path("x-extension").asBoolean();
            expect(
                    ours || !operation.statuses().contains(204),
                    operation,
                    "204, which Mastodon's clients do not expect");
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void variablePartsOfPathsAreParameters() {
        contract.operations().forEach(operation -> {
            Set<String> declared = new TreeSet<>();
            operation.node().path("parameters").forEach(reference -> {
                JsonNode parameter = contract.resolve(reference);
                if (parameter.path("in").asText().equals("path")) {
                    declared.add(parameter.path("name").asText());
                }
                expect(!parameter.path("description").asText().isBlank(), operation, "a parameter without description");
            });
            Set<String> variables = new TreeSet<>();
            Matcher variable = VARIABLE.matcher(operation.path());
            while (variable.find()) {
                variables.add(variable.group(1));
            }
            expect(declared.equals(variables), operation, variables + " in the path, declared " + declared);
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void scopesAreDeclared() {
        JsonNode declared = contract.document().at("/components/securitySchemes/user/flows/authorizationCode/scopes");
        contract.operations().forEach(operation -> operation
                .node()
                .path("security")
                .forEach(requirement -> requirement.forEach(scopes -> scopes.forEach(
                        scope -> expect(declared.has(scope.asText()), operation, "unknown scope " + scope)))));

        assertThat(wrong).isEmpty();
    }

    @Test
    void referencesLeadSomewhereAndNoComponentIsLeftOver() {
        Set<String> used = new HashSet<>();
        walk(contract.document(), "", (pointer, node) -> {
            if (node.has("$ref") && node.path("$ref").isTextual()) {
                String target = node.path("$ref").asText().substring(1);
                used.add(target);
                if (contract.document().at(target).isMissingNode()) {
                    wrong.add(pointer + " refers to " + target);
                }
            }
        });
        contract.document().path("components").fields().forEachRemaining(kind -> kind.getValue()
                .fieldNames()
                .forEachRemaining(name -> {
                    if (!kind.getKey().equals("securitySchemes")
                            && !used.contains("/components/" + kind.getKey() + "/" + name)) {
                        wrong.add(kind.getKey() + " " + name + " is used nowhere");
                    }
                }));

        assertThat(wrong).isEmpty();
    }

    @Test
    void examplesOfErrorsAreWhatTheirSchemasAllow() {
        contract.document().at("/components/responses").fields().forEachRemaining(response -> {
            JsonNode example = response.getValue().at("/content/application~1json/example");
            if (!example.isMissingNode()) {
                Schema schema = contract.schema(
                        "#/components/responses/" + response.getKey() + "/content/application~1json/schema");
                schema.validate(example.toString(), InputFormat.JSON)
                        .forEach(error -> wrong.add(response.getKey() + ": " + error));
            }
        });

        assertThat(wrong).isEmpty();
    }

    /** The oracle itself: it must be able to say no. */
    @Test
    void anAnswerThatIsNotDocumentedIsNoticed() throws IOException {
        JsonNode relationship = new ObjectMapper().readTree("{\"id\":\"1\",\"following\":true,\"surprise\":1}");

        assertThat(refusal("GET", "/api/v1/accounts/1", 200, relationship.toString()))
                .contains("does not allow");
        assertThat(refusal("GET", "/api/v1/accounts/1", 418, "{\"error\":\"x\"}"))
                .contains("does not list");
        assertThat(refusal("GET", "/api/v1/nothing", 200, "{}")).contains("no such operation");
        assertThat(refusal("PUT", "/api/v1/accounts/1", 200, "{}")).contains("no such operation");
        assertThat(refusal("GET", "/api/v1/accounts/1", 404, "{\"fault\":\"x\"}"))
                .contains("does not allow");
        assertThat(refusal("GET", "/api/v1/accounts/1", 404, "{\"error\":\"x\"}"))
                .isEmpty();
        assertThat(refusal("GET", "/api/v1/nothing", 404, "{\"error\":\"x\"}")).isEmpty();
    }

    private String refusal(String method, String path, int status, String body) {
        try {
            contract.check(
                    method,
                    path,
                    new Contract.Answer(
                            status,
                            name -> name.equals("Content-Type") ? Optional.of("application/json") : Optional.empty(),
                            body));
            return "";
        } catch (AssertionError refused) {
            return refused.getMessage();
        }
    }

    private void expectStatus(Operation operation, boolean due, int status) {
        expect(!due || operation.statuses().contains(status), operation, "no " + status);
    }

    private void expect(boolean holds, Operation operation, String otherwise) {
        if (!holds) {
            wrong.add(operation + ": " + otherwise);
        }
    }

    private static void walk(JsonNode node, String pointer, BiConsumer<String, JsonNode> visit) {
        visit.accept(pointer, node);
        node.fields().forEachRemaining(field -> walk(field.getValue(), pointer + "/" + field.getKey(), visit));
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                walk(node.get(i), pointer + "/" + i, visit);
            }
        }
    }
}
