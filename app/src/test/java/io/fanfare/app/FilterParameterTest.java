package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.stream.routes.FilterParameter;
import io.fanfare.stream.wire.FieldSelection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters of a filter in openapi.yaml and in docs/wire.md are those of {@link FilterParameter}. */
class FilterParameterTest {
    private static final Contract CONTRACT = Contract.instance();
    private static final String EXPLAIN = FilterParameter.EXPLAIN.wire();

    private static final String FIELDS = FilterParameter.FIELDS.wire();

    /** An option of the stream in a body that otherwise has a filter. */
    private static final String VOTES = "votes";

    @ParameterizedTest
    @ValueSource(strings = {"streamFilter", "changeStreamingFilter"})
    void anOperationWithAFilterListsEveryParameterOfIt(String operation) {
        assertThat(parameters(operation)).containsAll(names());
    }

    @Test
    void aFilterInTwittersDialectListsEveryParameterButExplainAndFields() {
        Set<String> names = names();
        assertThat(names.removeAll(Set.of(EXPLAIN, FIELDS))).isTrue();
        assertThat(parameters("streamTwitterFilter")).containsAll(names).doesNotContain(EXPLAIN, FIELDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"changeStreamingFilter", "streamFilterOfBody", "streamTwitterFilterOfBody"})
    void aBodyWithAFilterHasEveryParameterAndNoOthers(String operation) {
        Set<String> expected = names();
        expected.add(VOTES);
        JsonNode content = CONTRACT.resolve(operation(operation).node().path("requestBody"))
                .path("content");
        assertThat(content).hasSize(2);
        content.forEach(
                type -> assertThat(fields(CONTRACT.resolve(type.path("schema")).path("properties")))
                        .isEqualTo(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"streamSample", "streamTwitterSample"})
    void aSampleListsItsRateAndItsSeed(String operation) {
        assertThat(parameters(operation)).contains(FilterParameter.RATE.wire(), FilterParameter.SEED.wire());
    }

    @Test
    void theFieldsThatAReaderCanSelectAreThoseOfAStatus() {
        Set<String> names = new TreeSet<>(Set.of("matched"));
        for (String schema : List.of("StatusFields", "Status")) {
            names.addAll(fields(CONTRACT.document().at("/components/schemas/" + schema + "/properties")));
        }
        names.remove("limited_by"); // The answer to the author has it; events do not.
        assertThat(FieldSelection.KNOWN).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void theDocumentOfTheWireNamesEveryParameter() throws IOException {
        String page = Files.readString(Path.of("../docs/wire.md"));
        String section = page.substring(page.indexOf("- `filter` ("), page.indexOf("**Limits of filters.**"));
        assertThat(names()).allSatisfy(name -> assertThat(section).containsPattern('`' + name + "[`=]"));
    }

    private static Set<String> names() {
        return Stream.of(FilterParameter.values())
                .map(FilterParameter::wire)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> parameters(String operation) {
        return StreamSupport.stream(
                        operation(operation).node().path("parameters").spliterator(), false)
                .map(parameter -> CONTRACT.resolve(parameter).path("name").asText())
                .toList();
    }

    private static Set<String> fields(JsonNode properties) {
        Set<String> names = new TreeSet<>();
        properties.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Operation operation(String id) {
        return CONTRACT.operations().stream()
                .filter(operation -> operation.id().equals(id))
                .findAny()
                .orElseThrow();
    }
}
