package io.fanfare.bench;

import io.fanfare.app.ProgramCases;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line of the benchmarks and of the replay; run in this process, since nothing gets as far as starting. */
class BenchProgramTest extends ProgramCases {
    BenchProgramTest() {
        super(21);
    }

    @Override
    protected CommandLine commandLine(String... args) {
        return Main.commandLine(args);
    }

    @Override
    protected int execute(String... args) {
        return Main.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replay --graph NONE/g --messages m --posts 0 | 2 | '--posts': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --at-once 0 | 2 | '--at-once': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --users 0 | 2 | '--users': '0' is not a whole number from 1",
                "replay --graph NONE/g --messages m --rate -1 | 2 | --rate is from 0 to 1000000 posts a second",
                "replay --graph NONE/g --messages m --rate NaN | 2 | --rate is from 0",
                "replay --graph NONE/g --messages m --authors foo | 2 | expected one of [FOLLOWERS, UNIFORM]",
                "replay --graph NONE/g --messages m --run Mine | 2 | --run is 1 to 10 of a-z and 0-9",
                "replay --graph NONE/g --messages m --run abcdefghijk | 2 | --run is 1 to 10 of a-z and 0-9",
                "replay --graph NONE/g --messages m | 2 | the graph file NONE/g does not exist",
                "bench fanout --authors foo | 2 | expected one of [FOLLOWERS, UNIFORM]",
                "bench fanout --appendfsync foo | 2 | expected one of [ALWAYS, EVERYSEC, NO, OFF]",
                "bench fanout --homes 0 | 2 | '--homes': '0' is not a whole number from 1",
                "bench fanout --graph NONE/g | 2 | the graph file NONE/g does not exist",
                "bench fanout --graph NONE/file | 1 | the graph file NONE/file has no edges",
                "bench fanout --redis NONE/no-server | 1 | no redis-server can be started",
                "bench fanout --url redis://127.0.0.1:1 | 1 | 127.0.0.1:1",
                "bench compare NONE/a NONE/b | 1 | NONE/a cannot be read as a jar",
                "bench compare NONE/a NONE/b --rounds 1 | 2 | --rounds must be from 2 to 31",
                "bench compare NONE/a NONE/b --bound -1 | 2 | --bound must be from 0 to 100 percent",
                "bench                                 | 2 | which scenario?",
                "up                                    | 2 | Unmatched argument at index 0: 'up'",
            })
    void mistakesAreSentencesWithoutStackTraces(String line, int status, String sentence) throws Exception {
        expectSentence(line, status, sentence);
    }
}
