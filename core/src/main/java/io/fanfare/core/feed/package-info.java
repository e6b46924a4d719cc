/**
 * Timelines: how homes are filled, read, completed and rebuilt. The protocol is in docs/feeds.md.
 *
 * <p>Read {@link io.fanfare.core.feed.Timelines} first: it answers a page of a home, a profile or a public timeline.
 * {@link io.fanfare.core.feed.Homes} owns the keys of homes and their scripts; {@code HomePolicy} decides what a home
 * shows; {@code PageDown} and {@code PageUp} page over a home and the profiles behind it. An id in a home proves
 * nothing: a status is shown when it exists, its author is followed and the viewer may see it.
 *
 * <p>To change a step, change it here and run the model test ({@code SimulationTest}) with {@code -Pfaults}; a rule
 * that no seeded mutant of {@code Rules} breaks has no test.
 */
package io.fanfare.core.feed;
