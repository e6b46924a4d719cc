package io.fanfare.app;

import io.fanfare.common.store.Release;
import picocli.CommandLine.Command;

/** {@code fanfare version}. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description = "Prints the version, and the commit that it was built from.")
final class VersionCommand implements Runnable {
    @Override
    public void run() {
        System.out.println("fanfare " + Release.running());
    }
}
