/**
 * The cost of hostile clients for the server: the fuzz ({@link io.fanfare.app.fuzz.FuzzTest}), the memory that many
 * requests hold together ({@link io.fanfare.app.fuzz.AccumulationTest}), and an attack of all kinds at once beside
 * ordinary users ({@link io.fanfare.app.fuzz.SiegeTest}). A new kind of attack is a
 * {@link io.fanfare.app.fuzz.Generator} if one exchange shows it, else a test of accumulation.
 */
package io.fanfare.app.fuzz;
