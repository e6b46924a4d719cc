/**
 * What a hostile client can send, and what it costs the server: the fuzz ({@link io.fanfare.app.fuzz.FuzzTest}), what
 * many requests together may hold ({@link io.fanfare.app.fuzz.AccumulationTest}), and an attack of all kinds at once
 * beside ordinary users ({@link io.fanfare.app.fuzz.SiegeTest}). A new kind of attack is a
 * {@link io.fanfare.app.fuzz.Generator} when one exchange shows it, else a test of accumulation.
 */
package io.fanfare.app.fuzz;
