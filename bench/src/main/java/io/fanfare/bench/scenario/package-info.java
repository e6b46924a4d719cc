/** The benchmarks, one class each. To add one, add a class here and a line in {@code BenchCommand}. */
package io.fanfare.bench.scenario;
