/**
 * The size of a site: a calculation from the costs that the benchmarks have measured. It contacts no service. All
 * figures are at most as good as these costs, which a machine with 2 cores has given.
 */
package io.fanfare.app.size;
