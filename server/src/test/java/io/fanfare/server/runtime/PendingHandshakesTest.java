package io.fanfare.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.server.runtime.PendingHandshakes.Begun;
import io.fanfare.server.runtime.PendingHandshakes.Handshake;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Eight handshakes at a time, four of one address. */
class PendingHandshakesTest {
    private final PendingHandshakes pending = new PendingHandshakes(8, 4);
    private final List<String> closed = new ArrayList<>();

    private Handshake handshake(String address, String name) {
        return new Handshake(address, () -> closed.add(name));
    }

    private void begin(String address, String name, boolean greeted) {
        Handshake handshake = handshake(address, name);
        assertThat(pending.begin(handshake)).isNotEqualTo(Begun.REFUSED);
        if (greeted) {
            pending.greeted(handshake);
        }
    }

    @Test
    void theAddressWithTheMostMakesRoomForAClientWithOne() {
        begin("a", "a1", false);
        for (int i = 1; i <= 4; i++) {
            begin("b", "b" + i, true);
        }
        for (int i = 1; i <= 3; i++) {
            begin("c", "c" + i, false);
        }

        begin("d", "d1", false);
        begin("e", "e1", false);

        assertThat(closed).containsExactly("b1", "c1");
    }

    @Test
    void handshakesThatStallBehindTheirClientHelloLeaveTimeForOthers() {
        for (int i = 1; i <= 7; i++) {
            begin("stalled" + i, "stalled" + i, true);
        }
        begin("ann", "ann", false);

        for (int i = 1; i <= 3; i++) {
            begin("new" + i, "new" + i, false);
        }

        assertThat(closed).containsExactly("stalled1", "stalled2", "stalled3");
    }

    @Test
    void silentOnesThatTakeMoreThanHalfOfTheRoomMakeIt() {
        begin("ann", "ann", true);
        for (int i = 1; i <= 7; i++) {
            begin("silent" + i, "silent" + i, false);
        }

        begin("bob", "bob", false);
        begin(null, "proxy", false);

        assertThat(closed).containsExactly("silent1", "silent2");
        assertThat(pending.size()).isEqualTo(8);
    }

    @Test
    void anAddressHasABoundWhateverIsFree() {
        for (int i = 0; i < 4; i++) {
            begin("a", "a" + i, i % 2 == 0);
        }

        assertThat(pending.begin(handshake("a", "fifth"))).isEqualTo(Begun.REFUSED);
        assertThat(closed).isEmpty();
    }
}
