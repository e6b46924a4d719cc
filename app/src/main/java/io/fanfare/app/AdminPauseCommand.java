package io.fanfare.app;

import io.fanfare.app.operate.LanesReport;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.LanePause;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin queue pause} and {@code resume}: a lane's jobs wait until they are told otherwise. */
abstract class AdminPauseCommand implements Callable<Integer> {
    private final boolean paused;

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "LANE", description = "high, normal or low.")
    private Lane lane;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    private AdminPauseCommand(boolean paused) {
        this.paused = paused;
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description =
                    "Pauses a lane in all shards, until it is resumed: workers take nothing from it, new jobs wait in it. Jobs in hand end as usual. Safe to repeat.",
            exitCodeListHeading = ExitStatus.HEADING,
            exitCodeList = {
                "0:all shards have taken it",
                "1:some shards, which are named, or all could not be reached: repeat the command",
                "2:the arguments or settings are wrong"
            })
    static final class Pause extends AdminPauseCommand {
        Pause() {
            super(true);
        }
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description = "Resumes a lane in all shards: workers take its jobs again. Safe to repeat.",
            exitCodeListHeading = ExitStatus.HEADING,
            exitCodeList = {
                "0:all shards have taken it",
                "1:some shards, which are named, or all could not be reached: repeat the command",
                "2:the arguments or settings are wrong"
            })
    static final class Resume extends AdminPauseCommand {
        Resume() {
            super(false);
        }
    }

    /** The result of pausing or resuming a lane, and the number of shards. */
    private record Answer(LanePause.Result result, int shards) {}

    @Override
    public Integer call() {
        Logging.ofCommand();
        Answer answer = RemoteStores.ask(
                options.joining(),
                queue -> queue.lanePause().set(lane, paused).map(result -> new Answer(result, queue.shardCount())));
        LanePause.Result result = answer.result();
        System.out.println(
                json ? LanesReport.json(lane, paused, result, answer.shards()).encode() : text(answer));
        result.unreached()
                .forEach((shard, reason) ->
                        System.err.println("fanfare: shard " + shard + " could not be reached: " + reason));
        return result.unreached().isEmpty() ? 0 : 1;
    }

    private String text(Answer answer) {
        LanePause.Result result = answer.result();
        int reached = answer.shards() - result.unreached().size();
        String state = "lane " + lane.key() + (paused ? " is paused" : " runs") + " in " + reached + " of "
                + answer.shards() + " shards; " + result.changed() + " changed";
        return result.unreached().isEmpty()
                ? state
                : state + "; not reached: shard "
                        + result.unreached().keySet().stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + ". Repeat the command when Redis answers.";
    }
}
