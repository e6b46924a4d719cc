/**
 * The entities of the Mastodon API as JSON: a class an entity, and {@link io.fanfare.common.view.Views}, which holds
 * one of each.
 *
 * <p>Each class writes fields by hand through a streaming generator, so that renaming a record's component moves
 * nothing on the wire; the golden files of {@code ViewsTest} show whole entities. To add a field: there, in the golden
 * file, and in docs/wire.md; and in {@code StatusRecord} of {@code event.body} when streams could not know what it says
 * of a new status.
 */
package io.fanfare.common.view;
