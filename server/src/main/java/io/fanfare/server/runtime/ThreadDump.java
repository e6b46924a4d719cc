package io.fanfare.server.runtime;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** The stacks of all threads, for the last output of a process that cannot go on. */
final class ThreadDump {
    private static final int FRAMES_SHOWN = 24;

    private ThreadDump() {}

    /** The newest frames of each thread; no values, which may be of users. */
    static void print(PrintStream out) {
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, FRAMES_SHOWN)) {
            out.println("\"" + thread.getThreadName() + "\" " + thread.getThreadState());
            for (StackTraceElement frame : thread.getStackTrace()) {
                out.println("    at " + frame);
            }
        }
    }
}
