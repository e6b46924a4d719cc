package io.fanfare.app;

import picocli.CommandLine.Command;

/** {@code fanfare version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Runnable {
    @Override
    public void run() {
        System.out.println("fanfare " + Program.version());
    }
}
