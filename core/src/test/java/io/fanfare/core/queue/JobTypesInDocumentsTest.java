package io.fanfare.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents name each type of job where its readers look for it. */
class JobTypesInDocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

    @Test
    void theTableOfFieldsHasEachTypeInOneRow() throws IOException {
        assertThat(firstCells("docs/wire.md", "| type | fields |"))
                .flatExtracting(row -> row)
                .containsExactlyInAnyOrderElementsOf(wires());
    }

    @Test
    void theTableOfRetriesHasEachTypeInOneRowWithTypesOfItsClass() throws IOException {
        List<List<String>> rows = firstCells("docs/operate/queue.md", "| jobs | tries | why |");

        assertThat(rows).flatExtracting(row -> row).containsExactlyInAnyOrderElementsOf(wires());
        for (List<String> row : rows) {
            assertThat(row.stream().map(wire -> JobType.of(wire).retry()).distinct())
                    .as("classes of %s", row)
                    .hasSize(1);
        }
    }

    private static List<String> wires() {
        return Arrays.stream(JobType.values()).map(JobType::wire).toList();
    }

    /** The words set as code in the first cell of each row of the table with this head. */
    private static List<List<String>> firstCells(String page, String head) throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(page));
        int first = lines.indexOf(head);
        assertThat(first).as("the line '%s' of %s", head, page).isNotNegative();
        List<List<String>> rows = new ArrayList<>();
        for (String line : lines.subList(first + 2, lines.size())) {
            if (!line.startsWith("|")) {
                break;
            }
            String cell = line.substring(1, line.indexOf('|', 1));
            rows.add(CODE.matcher(cell).results().map(found -> found.group(1)).toList());
        }
        return rows;
    }
}
