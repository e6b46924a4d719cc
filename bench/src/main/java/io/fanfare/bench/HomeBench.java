package io.fanfare.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bench home}. */
@Command(name = "home", mixinStandardHelpOptions = true)
final class HomeBench implements Callable<Integer> {
    @Override
    public Integer call() {
        return 0;
    }
}
