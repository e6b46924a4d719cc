/**
 * The use cases of Fanfare, its feeds and its queue: everything that both the API and the workers do.
 *
 * <p>{@link io.fanfare.core.LoopStores} wires the stores and use cases of an event loop for every role. The records and
 * stores below are in {@code common}, which streams read, too.
 */
package io.fanfare.core;
