package io.fanfare.app;

import io.fanfare.app.operate.SelectionReport;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.StartFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The accounts that a command acts on: by name, from a file, or by the network of their sign-up. */
final class AccountSelection {
    private static final int LINE_CHARS_MAX = 100;

    @Parameters(paramLabel = "NAME|ID", arity = "0..*", description = "The accounts.")
    private List<String> accounts = new ArrayList<>();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "In place of them: a file with a name or an id a line, at most " + SuspendRun.MAX
                    + "; - is the standard input. Empty lines, and those after a #, are left out.")
    private String file;

    @Option(
            names = "--signed-up-from",
            paramLabel = "ADDRESS[/BITS]",
            description =
                    "In place of them: those that have signed up from this network lately, IPv4 from /16 on, IPv6 from /40 to /64, which a single address stands for. Kept for auth.sign-up-address-days.")
    private String from;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "With --signed-up-from: from a moment on, such as 2026-01-02T03:04:05Z, or for so long,"
                    + " such as 90m, 24h or 7d. Default: as far back as is known.")
    private String since;

    @Option(names = "--dry-run", description = "Shows what would be done, and changes nothing.")
    private boolean dryRun;

    /** Whether it is one account by its name, without a dry run. */
    boolean isOne() {
        return accounts.size() == 1 && file == null && from == null && since == null && !dryRun;
    }

    /** @throws ParameterException if the options do not go together or cannot be read */
    void check(CommandLine line) {
        int ways = (accounts.isEmpty() ? 0 : 1) + (file == null ? 0 : 1) + (from == null ? 0 : 1);
        if (ways != 1) {
            throw new ParameterException(line, "give names, or --file, or --signed-up-from");
        }
        if (since != null && from == null) {
            throw new ParameterException(line, "--since goes with --signed-up-from");
        }
        if (from != null && network() == null) {
            throw new ParameterException(
                    line,
                    "--signed-up-from must be an address or a network: IPv4 from /16 to /32, IPv6 from /40 to /64");
        }
        if (since != null && sinceMillis() < 0) {
            throw new ParameterException(
                    line, "--since must be a moment such as 2026-01-02T03:04:05Z, or a time such as 90m, 24h or 7d");
        }
    }

    /** The only one, see {@link #isOne}. */
    String account() {
        return accounts.get(0);
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** Null = none that can be looked for. */
    private SignUpNetworks.Network network() {
        return SelectionReport.network(from);
    }

    /** The moment of {@code --since}, epoch ms; 0 = no bound; -1 = the text is no moment. */
    private long sinceMillis() {
        return since == null ? 0 : SelectionReport.millis(since, Clock.systemUTC());
    }

    /** Names and ids, without repeats. Reads the file, or Redis. */
    Collection<String> chosen(RemoteStores.Session stores) {
        if (from != null) {
            return signedUp(stores);
        }
        return file == null ? new LinkedHashSet<>(accounts) : read();
    }

    private Collection<String> signedUp(RemoteStores.Session stores) {
        SignUpNetworks networks = stores.signUpNetworks();
        SignUpNetworks.Network network = network();
        Set<String> found = new LinkedHashSet<>();
        long next = sinceMillis();
        do {
            long from = next;
            SignUpNetworks.Page page = stores.askRedis(redis -> networks.find(network, from));
            page.matching().forEach(one -> found.add(Long.toString(one.account())));
            next = page.next();
        } while (next > 0);
        return found;
    }

    private Collection<String> read() {
        Set<String> names = new LinkedHashSet<>();
        try (BufferedReader lines = file.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String name = line.strip();
                if (name.length() > LINE_CHARS_MAX) {
                    throw new StartFailed("a line of " + file + " is longer than any name: nothing is suspended");
                }
                if (!name.isEmpty() && !name.startsWith("#")) {
                    names.add(name);
                }
                if (names.size() > SuspendRun.MAX) {
                    throw new StartFailed(
                            file + " has more than " + SuspendRun.MAX + " accounts: nothing is suspended");
                }
            }
            return names;
        } catch (IOException e) {
            throw new StartFailed("cannot read " + file + ": " + Reason.of(e));
        }
    }
}
