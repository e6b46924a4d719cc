package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.instance.StubRoutes;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StubRoutesTest {
    private static ApiServer api;
    private static ApiServer.User ann;

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        api = new ApiServer(TestRedis.standalone());
        ann = api.signUp("ann");
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @Test
    void endpointsThatClientsCallAtStartExistAndAreEmpty() {
        Set<String> objects = Set.of(
                "/api/v1/annual_reports",
                "/api/v1/annual_reports/:id/state",
                "/api/v1/instance/privacy_policy",
                "/api/v1/instance/translation_languages",
                "/api/v1/preferences");
        List<Endpoint> stubs = StubRoutes.endpoints().stream()
                .filter(stub -> stub.method().equals(HttpMethod.GET))
                .toList();
        for (Endpoint stub : stubs) {
            ApiServer.Response answer = api.get(stub.path().replace(":id", "2026"), ann.token());
            assertThat(answer.status()).as(stub.path()).isEqualTo(200);
            assertThat(answer.json().isArray()).as(stub.path()).isNotEqualTo(objects.contains(stub.path()));
        }
    }

    @Test
    void nobodyHasAReportOfAYear() {
        String reports = "/api/v1/annual_reports";
        for (String list : List.of("annual_reports", "accounts", "statuses")) {
            assertThat(api.get(reports, ann.token()).json().path(list).isArray())
                    .isTrue();
        }
        assertThat(api.get(reports + "/2026/state", ann.token()).text("/state")).isEqualTo("ineligible");
        assertThat(api.post(reports + "/2026/generate", ann.token()).body()).isEqualTo("{}");
        assertThat(api.get(reports + "/2026", ann.token()).status()).isEqualTo(404);
        for (String year : List.of("26", "1999", "20266", "abcd", "٢٠٢٦")) {
            assertThat(api.get(reports + "/" + year + "/state", ann.token()).status())
                    .as(year)
                    .isEqualTo(404);
        }
    }

    @Test
    void nobodyHasAProofOfIdentityAndWhoIsNobodyIsUnknown() {
        assertThat(api.get("/api/v1/accounts/" + ann.id() + "/identity_proofs", ann.token())
                        .body())
                .isEqualTo("[]");
        assertThat(api.get("/api/v1/accounts/4711/identity_proofs", ann.token()).status())
                .isEqualTo(404);
    }

    @Test
    void anUnsupportedEndpointAnswersNotFoundInJson() {
        for (String path : new String[] {"/api/v1/polls/1", "/api/v1/admin/domain_blocks"}) {
            ApiServer.Response answer = api.get(path, ann.token());
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.text("/error")).as(path).isNotEmpty();
        }
    }

    /** Clients show the error to whoever has pressed the button. */
    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/statuses/1/translate/, 404, translated",
        "POST, /api/v1/nonsense, 404, check the path",
        "PUT, /api/v1/timelines/home, 405, does not take PUT"
    })
    void anUnsupportedActionIsNamedAsItsButtonIs(String method, String path, int status, String part) {
        ApiServer.Response answer = api.send(method, path, ann.token(), null, "");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text("/error")).contains(part);
    }
}
