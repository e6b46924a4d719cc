package io.fanfare.app.console;

import io.fanfare.app.operate.ProcessFacts;
import io.netty.util.Version;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The parts of this process, and its settings in force, secrets masked. Immutable. */
final class ProcessOperations {
    private final ProcessFacts inputs;
    private final int shards;

    ProcessOperations(ProcessFacts inputs, int shards) {
        this.inputs = inputs;
        this.shards = shards;
    }

    List<Operation> operations() {
        return List.of(Operation.get("settings", List.of(), given -> Future.succeededFuture(show())));
    }

    private JsonObject show() {
        JsonArray settings = new JsonArray();
        inputs.settings()
                .forEach(one -> settings.add(new JsonObject()
                        .put("key", one.key())
                        .put("value", one.text())
                        .put("from", one.place())));
        return new JsonObject().put("settings", settings).put("versions", versions());
    }

    private JsonObject versions() {
        Version netty = Version.identify().get("netty-common");
        return new JsonObject()
                .put("fanfare", inputs.version())
                .put("java", Runtime.version() + ", " + System.getProperty("java.vm.name"))
                .put("vertx", vertx())
                .put("netty", netty == null ? "" : netty.artifactVersion())
                .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("heap_max_bytes", Runtime.getRuntime().maxMemory())
                .put("shards", shards)
                .put("pid", ProcessHandle.current().pid())
                .put("started", ManagementFactory.getRuntimeMXBean().getStartTime());
    }

    /** As its jar says. */
    private static String vertx() {
        try (InputStream text = Vertx.class.getResourceAsStream("/META-INF/vertx/vertx-version.txt")) {
            return text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
