package io.fanfare.stream.session;

import io.fanfare.common.settings.Settings;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.relay.StreamCounters;
import io.fanfare.stream.wire.BlockDeflater;

/** The parts that all streams of one event loop share. Confined to that event loop. */
record LoopParts(
        LogView log,
        LoopTimers timers,
        StreamCounters counters,
        BlockDeflater deflater,
        Failures failures,
        Heartbeats heartbeats,
        ReconnectDelay delay,
        Settings.Stream settings) {}
