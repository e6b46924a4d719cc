package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has ffmpeg take a picture out of a video, or the cover out of a sound. The file may be hostile, and ffmpeg is large:
 * it is a process of its own, without the environment of ours, without a shell, that reads one file with the demuxer
 * that we name and a few decoders, opens nothing else, and writes nothing but its standard output. Its time, its
 * memory, its output and its threads are bounded, and it is killed when it takes longer. What it says goes nowhere.
 * Blocks. Immutable.
 */
public final class Ffmpeg {
    /** The setting for none. */
    public static final String NONE = "none";

    private static final Logger LOG = LoggerFactory.getLogger(Ffmpeg.class);
    private static final long SECONDS_MAX = 10;
    private static final long MEMORY_BYTES_MAX = 1L << 30;
    private static final long BLOCK_BYTES_MAX = 256 << 20;
    private static final int OUTPUT_BYTES_MAX = 8 << 20;
    private static final int SIDE = 1280;

    /** A video that is longer begins with a dark picture often enough. */
    private static final long FADES_MILLIS = 2000;

    /** The exit status of a process that a signal has ended is larger. */
    private static final int SIGNALS = 128;

    private static final byte[] NOTHING = {};
    private static final String DECODERS = "h264,hevc,vp8,vp9,libdav1d,libaom-av1,av1,mpeg4,mjpeg,png";

    private final Supplier<Confinement> confinement;
    private final Path program;
    private final long pixelsMax;
    private final long secondsMax;

    private Ffmpeg(Path program, Supplier<Confinement> confinement, long pixelsMax, long secondsMax) {
        this.program = program;
        this.confinement = confinement;
        this.pixelsMax = pixelsMax;
        this.secondsMax = secondsMax;
    }

    /** Directories with colons between, in which programs are; empty when the process has been given none. */
    public static String searchPath() {
        return Objects.requireNonNullElse(System.getenv("PATH"), "");
    }

    /**
     * The one that the settings name, or else the first of the search path.
     *
     * @param path directories with colons between
     */
    public static Optional<Path> program(Settings.Media settings, String path) {
        if (settings.ffmpeg().equals(NONE)) {
            return Optional.empty();
        }
        return settings.ffmpeg().isEmpty()
                ? Confinement.program(path, "ffmpeg")
                : Optional.of(Path.of(settings.ffmpeg())).filter(Confinement::isProgram);
    }

    /** Empty when there is none. */
    static Optional<Ffmpeg> of(Settings.Media settings, String path, Supplier<Confinement> confinement) {
        return of(settings, path, confinement, SECONDS_MAX);
    }

    static Optional<Ffmpeg> of(
            Settings.Media settings, String path, Supplier<Confinement> confinement, long secondsMax) {
        return program(settings, path)
                .map(program -> new Ffmpeg(program, confinement, settings.pixelsMax(), secondsMax));
    }

    /** Options of {@code prlimit}. */
    private static List<String> limits(long secondsMax) {
        return List.of("--cpu=" + secondsMax, "--as=" + MEMORY_BYTES_MAX, "--fsize=0", "--core=0", "--nofile=64");
    }

    /**
     * Writes a picture out of the file as a JPEG, which is as little to be trusted as any upload. False when there is
     * none, for whatever reason. All of it ends within the time that one attempt may take.
     */
    boolean frame(ClipHead head, Path file, Path to) throws IOException {
        boolean late = head.width() > 0 && head.clip().millis() > FADES_MILLIS;
        // What was killed, or had to be, is not tried again.
        CompletableFuture<Void> over =
                new CompletableFuture<Void>().completeOnTimeout(null, secondsMax, TimeUnit.SECONDS);
        return (late && frame(head, file, to, /* second= */ 1, over)) || frame(head, file, to, /* second= */ 0, over);
    }

    private boolean frame(ClipHead head, Path file, Path to, int second, CompletableFuture<Void> over)
            throws IOException {
        if (over.isDone()) {
            return false;
        }
        byte[] picture =
                output(command(head, file, second), file.toAbsolutePath().getParent(), over);
        if (picture.length > 0) {
            Path unused = Files.write(to, picture);
        }
        return picture.length > 0;
    }

    /** The output of the command; nothing when it fails, whatever it wrote before. */
    private byte[] output(List<String> command, Path folder, CompletableFuture<Void> over) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
        // Settings with passwords may be in ours.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("LC_ALL", "C");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            LOG.warn("ffmpeg cannot be started cause={}", Reason.of(e));
            return NOTHING;
        }
        CompletableFuture<Void> unused = over.thenRun(() -> kill(process));
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            byte[] picture = output.readNBytes(OUTPUT_BYTES_MAX + 1);
            if (picture.length > OUTPUT_BYTES_MAX) {
                end(over);
                return none("too much output");
            }
            if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                end(over);
                return none("too long");
            }
            if (process.exitValue() > SIGNALS) {
                end(over);
            }
            return process.exitValue() == 0 ? picture : none("exit " + process.exitValue());
        } catch (IOException killed) {
            end(over);
            return none("killed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(over);
            return none("interrupted");
        } finally {
            kill(process);
        }
    }

    private static void end(CompletableFuture<Void> over) {
        boolean unused = over.complete(null);
    }

    private static byte[] none(String reason) {
        LOG.debug("no preview reason={}", reason);
        return NOTHING;
    }

    private List<String> command(ClipHead head, Path file, int second) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program.toString(), "-hide_banner", "-nostdin", "-nostats", "-loglevel", "quiet"));
        command.addAll(List.of("-filter_threads", "1"));
        command.addAll(List.of("-max_alloc", Long.toString(BLOCK_BYTES_MAX)));
        // Of the file that is read: it may name no other file, and only its content decides its format.
        command.addAll(
                List.of("-protocol_whitelist", "file", "-f", head.format().demuxer()));
        command.addAll(List.of("-codec_whitelist", DECODERS, "-max_pixels", Long.toString(pixelsMax)));
        command.addAll(List.of("-threads", "1"));
        if (second > 0) {
            command.addAll(List.of("-ss", Integer.toString(second)));
        }
        command.addAll(List.of("-i", "file:" + file.toAbsolutePath()));
        command.addAll(List.of("-map", "0:v:0", "-an", "-sn", "-dn", "-frames:v", "1", "-vf"));
        command.add("scale=w='min(" + SIDE + ",iw)':h='min(" + SIDE + ",ih)':force_original_aspect_ratio=decrease");
        command.addAll(List.of("-c:v", "mjpeg", "-q:v", "3", "-threads", "1", "-f", "mjpeg", "pipe:1"));
        return confinement.get().around(limits(secondsMax), command);
    }

    private static void kill(Process process) {
        // Of one that has ended the number may be another's by now.
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            Process unused = process.destroyForcibly();
        }
    }
}
