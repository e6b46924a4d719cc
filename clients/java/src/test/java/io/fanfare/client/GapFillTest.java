package io.fanfare.client;

import static io.fanfare.client.ScriptedServer.answer;
import static io.fanfare.client.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.client.model.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class GapFillTest {
    /** The links of a server name the upper end of the next page only. */
    @Test
    void pagesEndAtTheStatusBeforeTheGap() {
        try (ScriptedServer server = new ScriptedServer(
                answer(200, "Link: </x?max_id=1000>; rel=\"next\"\r\n", "[{\"id\":\"1001\"},{\"id\":\"1000\"}]"),
                json("[{\"id\":\"999\"},{\"id\":\"998\"},{\"id\":\"997\"}]"))) {
            Fanfare client = Fanfare.at(server.url()).attempts(1).build();
            assertThat(client.timelines().homeAfter("998").map(Status::id)).containsExactly("1001", "1000", "999");
        }
    }

    @Test
    void theStatusesOfEachAccountAreRequested() {
        try (ScriptedServer server = new ScriptedServer(json("[{\"id\":\"7\"}]"))) {
            Fanfare client = Fanfare.at(server.url()).attempts(1).build();
            assertThat(client.timelines().byAuthorsAfter(List.of("1", "2"), "5"))
                    .hasSize(2);
            assertThat(server.requests().get(1).line()).isEqualTo("GET /api/v1/accounts/2/statuses?limit=40 HTTP/1.1");
        }
    }
}
