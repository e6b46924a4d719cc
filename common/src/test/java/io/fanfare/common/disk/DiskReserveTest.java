package io.fanfare.common.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.disk.DiskSpace.Volume;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskReserveTest {
    private static final long GB = 1L << 30;
    private static final Path PICTURES = Path.of("pictures");
    private static final Settings.Disk DEFAULTS = SettingsLoader.defaultsWith().disk();

    @TempDir
    Path redis;

    private Volume volume = new Volume(100 * GB, 100 * GB);
    private boolean broken;

    private Volume volume(Path path) throws IOException {
        if (broken) {
            throw new IOException("no such device as that of " + path);
        }
        return volume;
    }

    private DiskReserve reserve(Path ofRedis) {
        DiskReserve reserve = new DiskReserve(DEFAULTS, List.of(PICTURES), ofRedis, this::volume);
        reserve.look();
        return reserve;
    }

    private long kept(long total) {
        volume = new Volume(total, total);
        return reserve(null).tightest().orElseThrow().reserve();
    }

    @Test
    void theReserveIsTwoGigabytesOrFivePercentButATenthOfASmallVolume() {
        assertThat(kept(40 * GB)).isEqualTo(2 * GB);
        assertThat(kept(200 * GB)).isBetween(10 * GB - 500, 10 * GB);
        assertThat(kept(10 * GB)).isEqualTo(GB);
        assertThat(kept(64L << 20)).isEqualTo((64L << 20) / 10);
    }

    @Test
    void aFreshSmallVolumeTakesFiles() {
        volume = new Volume(60L << 20, 64L << 20);

        assertThat(reserve(null).isShort()).isFalse();
    }

    @Test
    void twiceTheDataOfRedisIsKeptButAQuarterOfTheVolumeAtMost() throws IOException {
        Path file = Files.createDirectory(redis.resolve("appendonlydir")).resolve("aof");
        volume = new Volume(90L << 20, 100L << 20);
        Path unused = Files.write(file, new byte[10 << 20]);

        assertThat(reserve(redis).tightest().orElseThrow().reserve()).isEqualTo(20L << 20);

        unused = Files.write(file, new byte[30 << 20]);
        assertThat(reserve(redis).tightest().orElseThrow().reserve()).isEqualTo(25L << 20);
    }

    @Test
    void filesAreRefusedBelowTheReserveAndTakenAgainAboveIt() {
        volume = new Volume(2 * GB - 1, 40 * GB);
        DiskReserve reserve = reserve(null);

        assertThat(reserve.isShort()).isTrue();
        assertThatThrownBy(reserve::check).isInstanceOf(Refusal.class).hasMessageContaining("disk is nearly full");
        assertThatThrownBy(() -> reserve.hold(1)).isInstanceOf(Refusal.class);
        assertThat(reserve.held()).isZero();

        volume = new Volume(3 * GB, 40 * GB);
        reserve.look();
        reserve.check();
        reserve.hold(GB).run();
        assertThat(reserve.held()).isZero();
    }

    @Test
    void whatIsBeingReceivedCountsAlready() {
        volume = new Volume(3 * GB, 40 * GB);
        DiskReserve reserve = reserve(null);

        Runnable first = reserve.hold(GB);

        assertThatThrownBy(() -> reserve.hold(1)).isInstanceOf(Refusal.class);
        first.run();
        reserve.hold(GB).run();
    }

    @Test
    void aDiskThatCannotBeReadIsTakenForWhatItWas() {
        DiskReserve reserve = reserve(null);
        broken = true;
        reserve.look();
        assertThat(reserve.isShort()).isFalse();

        broken = false;
        volume = new Volume(0, 40 * GB);
        reserve.look();
        broken = true;
        reserve.look();
        assertThat(reserve.isShort()).isTrue();
    }
}
