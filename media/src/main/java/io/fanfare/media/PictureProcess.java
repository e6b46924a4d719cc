package io.fanfare.media;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM that decodes pictures: without our environment and our open files, with a heap, direct memory and threads
 * of its own, within the bounds of the system that hold. Blocks; used by one thread at a time, but closed by any.
 */
final class PictureProcess implements AutoCloseable {
    /**
     * Bytes of heap of a child. The largest picture takes {@link PictureDecoder#DECODED_BYTES_MAX} decoded, a copy of
     * it for each step of scaling, and a row of the decoder.
     */
    static final int HEAP_MIB = 256;

    /** A JVM on a tenth of a core takes ten seconds to start. */
    private static final long START_SECONDS = 60;

    private static final long END_SECONDS = 5;

    /** The status of a process that a signal has killed. */
    private static final int KILLED = 128 + 9;

    /** Address space for the heap, for code and classes, and for libraries that allocate outside of the heap. */
    private static final List<String> LIMITS =
            List.of("--as=" + (4L << 30), "--fsize=" + (128 << 20), "--core=0", "--nofile=256");

    private static final List<String> OPTIONS = List.of(
            "-Xmx" + HEAP_MIB + "m",
            "-Xss512k",
            "-XX:MaxDirectMemorySize=16m",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:CompressedClassSpaceSize=48m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:+UseSerialGC",
            // The heap shrinks while the process waits.
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=20",
            "-XX:+ExitOnOutOfMemoryError",
            // A crash leaves neither a dump of memory nor a report in the folder of pictures.
            "-XX:+SuppressFatalErrorMessage",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:-UsePerfData",
            "-XX:+DisableAttachMechanism",
            "-Djdk.nio.maxCachedBufferSize=65536",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8");

    private final Process process;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** Whether this side has killed it, and whether it had used little of a processor then. */
    private volatile boolean killed;

    private volatile boolean starved;

    private PictureProcess(Process process) {
        this.process = process;
        this.in = new DataInputStream(process.getInputStream());
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    }

    /**
     * Starts a child and waits until it can take requests.
     *
     * @param folder directory for its temporary files, where it runs
     */
    static PictureProcess start(Confinement confinement, List<String> options, Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.add("-Djava.io.tmpdir=" + folder.toAbsolutePath());
        command.addAll(options);
        command.add("-cp");
        command.add(absolute(System.getProperty("java.class.path")));
        command.add(PictureChild.class.getName());
        ProcessBuilder builder = new ProcessBuilder(confinement.around(LIMITS, command))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // Passwords of settings may be in ours.
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        PictureProcess started = new PictureProcess(builder.start());
        try {
            int ready = started.within(START_SECONDS, () -> started.in.readUnsignedByte());
            if (ready != PictureChild.READY) {
                throw new IOException("it is not the process that was started");
            }
            return started;
        } catch (IOException | RuntimeException failed) {
            started.close();
            throw failed;
        }
    }

    /** The child runs in another folder. */
    private static String absolute(String classPath) {
        StringBuilder whole = new StringBuilder(classPath.length());
        for (String part : classPath.split(java.io.File.pathSeparator, -1)) {
            if (!whole.isEmpty()) {
                whole.append(java.io.File.pathSeparator);
            }
            whole.append(Path.of(part).toAbsolutePath());
        }
        return whole.toString();
    }

    /**
     * Makes a picture. Fails with {@code Refusal(INVALID)} for a broken file.
     *
     * @throws PictureChild.Unwritable if the files cannot be written
     * @throws Starved if the machine had no time or memory for it, which is no fault of the file
     * @throws IOException if the child has ended, or is killed because it takes longer
     */
    Rendition make(PictureChild.Request request, long seconds) throws IOException, PictureChild.Unwritable, Starved {
        Object reply;
        try {
            request.write(out);
            reply = within(seconds, () -> {
                try {
                    return PictureChild.reply(in);
                } catch (PictureChild.Unwritable unwritable) {
                    return unwritable;
                }
            });
        } catch (IOException ended) {
            if (starved || (!killed && isEndedByTheSystem())) {
                throw new Starved(ended.getMessage(), starved);
            }
            throw ended;
        }
        if (reply instanceof PictureChild.Unwritable unwritable) {
            throw unwritable;
        }
        return (Rendition) reply;
    }

    /** The child had hardly any time of a processor, or the system has ended it, as when memory runs out. */
    static final class Starved extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean late;

        private Starved(String cause, boolean late) {
            super(cause);
            this.late = late;
        }

        /** Whether it was killed because it took longer; otherwise the system has ended it. */
        boolean isLate() {
            return late;
        }
    }

    /** Whether somebody else has killed it. */
    private boolean isEndedByTheSystem() {
        try {
            return process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() == KILLED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private interface Read<T> {
        T read() throws IOException;
    }

    /** Reads from the child, which is killed when the time is over: the read fails then. */
    private <T> T within(long seconds, Read<T> read) throws IOException {
        Duration begun = processorTime();
        CompletableFuture<Void> late = new CompletableFuture<>();
        CompletableFuture<Void> killing = late.completeOnTimeout(null, seconds, TimeUnit.SECONDS)
                .thenRun(() -> {
                    // At low priority, a busy machine gives it a part of the time.
                    starved = processorTime()
                                    .minus(begun)
                                    .compareTo(Duration.ofSeconds(seconds).dividedBy(2))
                            < 0;
                    close();
                });
        try {
            return read.read();
        } catch (IOException ended) {
            throw killing.isDone() ? new IOException("no reply within " + seconds + " s", ended) : ended;
        } finally {
            boolean unused = late.cancel(false);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the child. Never blocks. */
    @Override
    public void close() {
        killed = true;
        Process unused = process.destroyForcibly();
    }
}
