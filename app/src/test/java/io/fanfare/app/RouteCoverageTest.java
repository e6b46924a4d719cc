package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.testing.Contract;
import io.fanfare.redis.testing.TestRedis;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The served routes and the operations of openapi.yaml are the same. */
class RouteCoverageTest {
    @Test
    void everyRouteIsAnOperationAndEveryOperationHasARoute() {
        Set<String> listed = Contract.instance().operations().stream()
                .map(operation -> operation.method() + " " + ContractServer.anonymous(operation.path()))
                .collect(Collectors.toCollection(TreeSet::new));
        try (ContractServer server = new ContractServer(TestRedis.standalone())) {
            Set<String> served = new TreeSet<>(server.routes());

            assertThat(served).as("routes that openapi.yaml does not list").allMatch(listed::contains);
            listed.removeAll(served);
            assertThat(listed).as("operations of openapi.yaml without a route").isEmpty();
        }
    }
}
