package io.fanfare.app;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin streams close CONN}: ends one stream; asks the console of its process. */
@Command(
        name = "close",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Ends a stream of a process, with code 3; its client may come back. Needs console.operator-token: that of the service on --data, or FANFARE_CONSOLE_OPERATOR_TOKEN.")
final class AdminStreamsCloseCommand implements Callable<Integer> {
    @Mixin
    private ManagementServer server;

    @Parameters(paramLabel = "CONN", description = "The connection, as `admin streams` shows it.")
    private String conn;

    @Override
    public Integer call() {
        Logging.ofCommand();
        JsonObject done = server.act("streams/close", new JsonObject().put("conn", conn));
        System.out.println("closed " + done.getString("conn"));
        return 0;
    }
}
