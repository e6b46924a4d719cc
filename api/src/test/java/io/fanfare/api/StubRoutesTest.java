package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.routes.StubRoutes;
import io.fanfare.common.testing.TestRedis;
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
    void whatClientsAskForWhenTheyStartIsThereAndEmpty() {
        Set<String> objects = Set.of(
                "/api/v1/instance/privacy_policy", "/api/v1/instance/translation_languages", "/api/v1/preferences");
        List<Endpoint> stubs = StubRoutes.endpoints();
        for (Endpoint stub : stubs) {
            ApiServer.Response answer = api.get(stub.path().replace(":id", ann.id()), ann.token());
            assertThat(answer.status()).as(stub.path()).isEqualTo(200);
            assertThat(answer.json().isArray()).as(stub.path()).isNotEqualTo(objects.contains(stub.path()));
        }
    }

    @Test
    void whatIsNotOfferedIsUnknownInJson() {
        for (String path : new String[] {"/api/v1/polls/1", "/api/v1/admin/accounts"}) {
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
    void whatIsMissingIsSaidInWordsOfTheButton(String method, String path, int status, String word) {
        ApiServer.Response answer = api.send(method, path, ann.token(), null, "");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text("/error")).contains(word);
    }
}
