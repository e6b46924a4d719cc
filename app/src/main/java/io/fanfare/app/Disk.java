package io.fanfare.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Brings to the disk what was written: after that, a crash of the machine loses none of it. Blocking. */
interface Disk {
    /** A file, or a folder's list of files; nothing else. */
    void force(Path path) throws IOException;

    /**
     * All that was written to the file system of a folder; false when this system has no means for it. It takes as long
     * as the disk writes. A file at a time takes 1.5 ms each, which for many files is far longer.
     */
    boolean forceAll(Path folder) throws IOException;

    /** That of this machine. */
    static Disk ofSystem() {
        return new Disk() {
            @Override
            public void force(Path path) throws IOException {
                if (Files.isRegularFile(path) || Files.isDirectory(path)) {
                    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                        channel.force(true);
                    }
                }
            }

            @Override
            public boolean forceAll(Path folder) throws IOException {
                // The program of other systems knows no folder, and does not wait for the disk.
                if (!"Linux".equals(System.getProperty("os.name"))) {
                    return false;
                }
                try {
                    return new ProcessBuilder("sync", "-f", folder.toString())
                                    .redirectErrorStream(true)
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                    .start()
                                    .waitFor()
                            == 0;
                } catch (IOException e) {
                    // There is no such program.
                    return false;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
        };
    }
}
