/** Options, comparisons in interleaved rounds, and the tables that are printed. */
package io.fanfare.bench.report;
