package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.server.http.BodyBudget.Claim;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyBudgetTest {
    private static final int MAX = 16 << 20;
    private static final long PIECE = 64 << 10;

    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final BodyBudget budget = new BodyBudget(
            SettingsLoader.defaultsWith("http.bodies-in-flight-bytes=" + MAX).http(), metrics);

    @ParameterizedTest
    @CsvSource({"one address, 8", "all addresses, 2", "the machine itself, 2", "one user, 4", "all users, 1"})
    void eachHasItsPartAndNoMore(String who, int part) {
        List<Claim> claims = new ArrayList<>();
        int room = (int) (MAX / part / PIECE);
        for (int i = 0; i < room; i++) {
            Claim claim = claim(who, i);
            claim.add(PIECE);
            claims.add(claim);
        }

        assertThat(budget.bytes()).isEqualTo(MAX / part);
        Claim last = claim(who, room);
        assertThatThrownBy(() -> last.add(1))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED));
        assertThat(budget.bytes()).as("nothing of what was refused").isEqualTo(MAX / part);
        assertThat(metrics.get("fanfare.http.bodies.refused").counter().count()).isOne();

        claims.get(0).release();
        claims.get(0).release();
        last.add(PIECE);
        last.release();
        claims.forEach(Claim::release);
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void strangersLeaveRoomForUsers() {
        for (int i = 0; i < MAX / 2 / PIECE; i++) {
            claim("all addresses", i).add(PIECE);
        }
        claim("one user", 0).add(MAX / 4);

        assertThat(budget.bytes()).isEqualTo(MAX / 2 + MAX / 4);
    }

    @Test
    void manyEventLoopsAtOnceNeitherLoseNorGainAByte() {
        List<CompletableFuture<Void>> loops = IntStream.range(0, 8)
                .mapToObj(loop -> CompletableFuture.runAsync(() -> useAndRelease(new Random(loop))))
                .toList();

        loops.forEach(CompletableFuture::join);
        assertThat(budget.bytes()).isZero();
    }

    private void useAndRelease(Random random) {
        for (int i = 0; i < 20_000; i++) {
            Claim claim = budget.ofAddress("c000020" + random.nextInt(3));
            try {
                claim.add(random.nextInt(2 << 20));
                claim.add(random.nextInt(2 << 20));
            } catch (Refusal full) {
                assertThat(full.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
            }
            assertThat(budget.bytes()).isLessThanOrEqualTo(MAX + 8L * (4 << 20));
            claim.release();
        }
    }

    private Claim claim(String who, int number) {
        return switch (who) {
            case "one address" -> budget.ofAddress("c0000201");
            case "all addresses" -> budget.ofAddress(Integer.toHexString(0xc0000000 + number / 8));
            case "the machine itself" -> budget.ofAddress("7f000001");
            case "one user" -> budget.ofUser(7);
            default -> budget.ofUser(1 + number / 8);
        };
    }
}
