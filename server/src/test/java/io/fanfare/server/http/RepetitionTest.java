package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepetitionTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/accounts/:id, READ",
        "HEAD, /oauth/token, READ",
        "POST, /api/v1/streaming/filter, READ",
        "POST, /1.1/statuses/filter.json, READ",
        "PUT, /api/v1/statuses/:id, SAFE",
        "PUT, /api/v2/filters/:id, UNSAFE",
        "DELETE, /api/v1/statuses/:id, SAFE",
        "POST, /api/v1/accounts/:id/follow, SAFE",
        "POST, /api/v1/notifications/clear, SAFE",
        "POST, /api/v1/lists/:id/accounts, SAFE",
        "POST, /api/v1/warnings/:id/appeal, SAFE",
        "POST, /api/v1/admin/accounts/:id/appeals/:name/approve, SAFE",
        "POST, /api/v1/admin/statuses/:id/delete, SAFE",
        "POST, /api/v1/admin/statuses/:id/sensitive, SAFE",
        "POST, /api/v1/statuses, KEYED",
        "POST, /api/v1/articles, KEYED",
        "POST, /api/v1/statuses/:id/reblog, KEYED",
        "POST, /api/v1/accounts, SIGN_UP",
        "POST, /api/v1/session/sign_up, SIGN_UP",
        "POST, /oauth/token, TOKEN",
        "POST, /oauth/authorize, UNSAFE",
        "POST, /api/v1/accounts/password, PASSWORD",
        "POST, /api/v1/accounts/delete, UNSAFE",
        "POST, /api/v1/apps, UNSAFE",
        "POST, /api/v1/reports, UNSAFE",
        "POST, /api/v1/lists, UNSAFE",
        "POST, /api/v2/filters, UNSAFE",
        "POST, /api/v2/media, UNSAFE",
        "POST, /api/v1/polls/:id/votes, UNSAFE",
        "POST, /api/v9/something/new, UNSAFE"
    })
    void onlyIdempotentRequestsAreCalledSafe(String method, String route, Repetition repetition) {
        assertThat(Repetition.of(method, route)).isEqualTo(repetition);
        assertThat(repetition.sentence().contains("is safe")).isEqualTo(repetition == Repetition.SAFE);
    }
}
