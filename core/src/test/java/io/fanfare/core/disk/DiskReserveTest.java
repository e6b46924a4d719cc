package io.fanfare.core.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.disk.DiskSpace.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskReserveTest {
    private static final long GB = 1L << 30;
    private static final Path PICTURES = Path.of("pictures");
    private static final Path DRAFT = PICTURES.resolve("tmp").resolve("x");
    private static final Path INDEX = Path.of("index");
    private static final Settings.Disk DEFAULTS = SettingsLoader.defaultsWith().disk();

    @TempDir
    Path redis;

    private Volume volume = new Volume(100 * GB, 100 * GB);

    /** The volumes of paths that lie on another one. */
    private final Map<Path, Volume> elsewhere = new HashMap<>();

    private long now = 1_000;
    private boolean broken;

    private Volume volume(Path path) throws IOException {
        if (broken) {
            throw new IOException("no such device as that of " + path);
        }
        return elsewhere.getOrDefault(path, volume);
    }

    private DiskReserve reserve(Path ofRedis) {
        return reserve(List.of(PICTURES), ofRedis);
    }

    private DiskReserve reserve(List<Path> folders, Path ofRedis) {
        DiskReserve reserve =
                new DiskReserve(DEFAULTS, folders, ofRedis, this::volume, () -> Instant.ofEpochMilli(now));
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
        assertThatThrownBy(() -> reserve.hold(DRAFT, 1)).isInstanceOf(Refusal.class);
        assertThat(reserve.held()).isZero();

        volume = new Volume(3 * GB, 40 * GB);
        reserve.look();
        reserve.check();
        reserve.hold(DRAFT, GB).run();
        assertThat(reserve.held()).isZero();
    }

    @Test
    void anUploadInProgressCountsAgainstTheReserve() {
        volume = new Volume(3 * GB, 40 * GB);
        DiskReserve reserve = reserve(null);

        Runnable first = reserve.hold(DRAFT, GB);

        assertThatThrownBy(() -> reserve.hold(DRAFT, 1)).isInstanceOf(Refusal.class);
        first.run();
        reserve.hold(DRAFT, GB).run();
    }

    @Test
    void anUploadInProgressTakesSpaceOnlyOnItsOwnVolume() {
        volume = new Volume(50 * GB, 100 * GB, "pictures");
        elsewhere.put(INDEX, new Volume(6 * GB, 100 * GB, "index"));
        DiskReserve reserve = reserve(List.of(PICTURES, INDEX), null);

        Runnable file = reserve.hold(DRAFT, 40 * GB);
        assertThat(reserve.isShort()).as("the other volume has what it had").isFalse();
        assertThatThrownBy(() -> reserve.hold(DRAFT, 6 * GB)).isInstanceOf(Refusal.class);
        reserve.hold(INDEX.resolve("segment"), GB / 2).run();
        file.run();
        assertThat(reserve.held()).isZero();

        assertThatThrownBy(() -> reserve.hold(Path.of("not watched"), 2 * GB))
                .as("may be any of them")
                .isInstanceOf(Refusal.class);
        reserve.hold(Path.of("not watched"), GB / 2).run();

        elsewhere.put(INDEX, new Volume(GB, 100 * GB, "index"));
        reserve.look();
        assertThatThrownBy(() -> reserve.hold(DRAFT, 1))
                .as("one is short, whichever")
                .isInstanceOf(Refusal.class);
    }

    @Test
    void foldersOfOneVolumeCountTogetherAndHaveTheLargestOfTheirReserves() throws IOException {
        Path file = Files.write(redis.resolve("aof"), new byte[10 << 20]);
        assertThat(file).isRegularFile();
        volume = new Volume(60L << 20, 100L << 20, "one");
        DiskReserve reserve = reserve(List.of(PICTURES, INDEX), redis);

        assertThat(reserve.tightest().orElseThrow().reserve()).isEqualTo(20L << 20);
        Runnable picture = reserve.hold(DRAFT, 30L << 20);
        assertThatThrownBy(() -> reserve.hold(INDEX.resolve("segment"), 11L << 20))
                .isInstanceOf(Refusal.class);
        Runnable index = reserve.hold(INDEX.resolve("segment"), 10L << 20);
        assertThat(reserve.held()).isEqualTo(40L << 20);
        picture.run();
        index.run();
    }

    @Test
    void foldersOfThisMachineThatShareADiskAreOfOneVolume() throws IOException {
        Path other = Files.createDirectory(redis.resolve("other"));

        assertThat(DiskSpace.ofSystem().of(other).id())
                .isEqualTo(DiskSpace.ofSystem().of(redis).id())
                .isEqualTo(
                        DiskSpace.ofSystem().of(redis.resolve("not there yet")).id());
    }

    @Test
    void itIsKnownSinceWhenTheReserveIsTouched() {
        DiskReserve reserve = reserve(null);
        assertThat(reserve.tightest().orElseThrow().shortSince()).isZero();

        volume = new Volume(GB, 100 * GB);
        now = 2_000;
        reserve.look();
        now = 3_000;
        reserve.look();
        assertThat(reserve.tightest().orElseThrow().shortSince()).isEqualTo(2_000);

        volume = new Volume(90 * GB, 100 * GB);
        reserve.look();
        assertThat(reserve.tightest().orElseThrow().shortSince()).isZero();
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
