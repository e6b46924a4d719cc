/**
 * The program beside the product: the commands {@code bench} and {@code replay}. Benchmarks drive the service from
 * outside, and start servers of their own where asked to.
 */
package io.fanfare.bench;
