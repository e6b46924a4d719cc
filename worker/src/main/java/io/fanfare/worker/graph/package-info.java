/** Handlers that run the remaining steps of follows, blocks and requests. */
package io.fanfare.worker.graph;
