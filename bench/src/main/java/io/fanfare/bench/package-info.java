/**
 * The {@code bench} command. Benchmarks drive the service from outside, and start servers of their own where asked to.
 */
package io.fanfare.bench;
