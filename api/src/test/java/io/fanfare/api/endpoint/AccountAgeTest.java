package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.server.http.ClientAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an account is new, by its id alone. */
class AccountAgeTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    /** A negative age is that of an account of a server whose clock is ahead. */
    @ParameterizedTest
    @CsvSource({"24, 0, true", "24, 23, true", "24, 24, false", "24, 48, false", "24, -1, true", "0, 0, false"})
    void anAccountIsNewUntilTheHoursOfTheSettingHavePassed(int hours, int age, boolean isNew) {
        RateLimits rates = new RateLimits(
                SettingsLoader.defaultsWith("limits.rates.new-account-hours=" + hours)
                        .limits(),
                new ClientAddress(""),
                null,
                null,
                () -> NOW);
        Instant signedUp = NOW.minus(Duration.ofHours(age));
        long until = rates.newUntil(Id.of(signedUp.toEpochMilli(), 0, 0));
        assertThat(until)
                .isEqualTo(isNew ? signedUp.plus(Duration.ofHours(hours)).toEpochMilli() : 0);
    }
}
