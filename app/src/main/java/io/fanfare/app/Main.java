package io.fanfare.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Runs one sub-command and exits with its status. */
@Command(name = "fanfare", mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
public final class Main implements Runnable {
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    /** The version in the jar's manifest, or {@code development} when run from classes. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"fanfare " + (version == null ? "development" : version)};
        }
    }
}
