package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.Contract.Operation;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The table of docs/clients.md names the operations that there are. */
class ClientMatrixTest {
    @Test
    void everyOperationHasARow() throws IOException {
        assertThat(ClientMatrix.rows().keySet())
                .as("`mvn verify -Pclients -pl app -am -Dtest=ClientsTest -Dfanfare.tests.write-docs=true` writes them")
                .containsExactlyInAnyOrderElementsOf(ClientMatrix.operations().stream()
                        .map(Operation::toString)
                        .toList());
    }
}
