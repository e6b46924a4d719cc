package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin accounts export NAME}: the archive of one account. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes all that an account has into a ZIP file, as its user can download it: profile, posts,"
                + " pictures, lists. Passwords and tokens are not in it. Give the folder or the settings of the"
                + " service, so that its pictures and its archive are found.")
final class AdminAccountsExportCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "NAME|ID", description = "The account.")
    private String account;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "The file, which must not be there. Default: NAME.zip in this folder.")
    private Path to;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        Logging.ofCommand();
        Path file = to == null ? Path.of(AccountReport.name(account) + ".zip") : to;
        for (Path taken : List.of(file, ExportRun.part(file))) {
            if (Files.exists(taken)) {
                throw new StartFailed(taken + " is there already: name another file with --to");
            }
        }
        try {
            long bytes = new ExportRun(options.joining()).write(account, file);
            System.out.println(
                    json
                            ? new JsonObject()
                                    .put("file", file.toString())
                                    .put("bytes", bytes)
                                    .encode()
                            : String.format(Locale.ROOT, "%s has all of it, %,d bytes", file, bytes));
            return 0;
        } catch (Refusal refusal) {
            throw new StartFailed(refusal.getMessage());
        }
    }
}
