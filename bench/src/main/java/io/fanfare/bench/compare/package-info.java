/** Two versions of the product, measured in turn by their own benchmarks. */
package io.fanfare.bench.compare;
