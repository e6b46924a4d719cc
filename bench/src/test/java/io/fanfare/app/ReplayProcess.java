package io.fanfare.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** {@code fanfare replay} in a process of its own, beside the processes of a service. */
final class ReplayProcess {
    private ReplayProcess() {}

    /** Starts a replay with these options; its output and its input are in a folder. */
    static FanfareProcess start(Path folder, Path graph, String... options) throws IOException {
        Path texts = Files.writeString(folder.resolve("texts.txt"), "a text\nand another one\n");
        List<String> all = new ArrayList<>(List.of("--graph=" + graph, "--messages=" + texts));
        all.addAll(List.of(options));
        return FanfareProcess.ofClient(io.fanfare.bench.Main.class, folder, "replay", all.toArray(String[]::new));
    }

    /** Starts a replay against the address in front of a deployment. */
    static FanfareProcess start(Path folder, SplitDeployment deployment, Path graph, String... options)
            throws IOException {
        List<String> all = new ArrayList<>(List.of("--url=" + deployment.url()));
        all.addAll(List.of(options));
        return start(folder, graph, all.toArray(String[]::new));
    }

    /** A graph in which each person follows so many others at random; repetitions count once. */
    static Path graph(Path folder, int people, int followees, Random random) throws IOException {
        List<String> edges = new ArrayList<>();
        for (int person = 0; person < people; person++) {
            for (int i = 0; i < followees; i++) {
                edges.add(person + " " + random.nextInt(people));
            }
        }
        return Files.write(folder.resolve("graph.edges"), edges);
    }
}
