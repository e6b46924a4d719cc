/**
 * {@code fanfare replay}: real input through the whole road, and proof that nothing was lost on it. Reads a graph and
 * messages, makes the accounts, posts through HTTP while a listener holds the firehose, waits for quiet, then compares
 * every home and the stream with what was acknowledged.
 *
 * <p>Everything runs on the one event loop of {@link io.fanfare.bench.replay.Replay}'s own Vert.x; the command's thread
 * only waits for one step after the other. To read one more kind of input:
 * {@link io.fanfare.bench.replay.MessageReader}. To reach a server in one more way:
 * {@link io.fanfare.bench.replay.Backend}.
 */
package io.fanfare.bench.replay;
