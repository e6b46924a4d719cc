/**
 * How accounts, statuses and events look as JSON: the entities of the Mastodon API, and the bodies of native stream
 * events.
 *
 * <p>{@link io.fanfare.common.view.Views} writes fields by hand through a streaming generator, so that renaming a
 * record's component moves nothing on the wire; the golden files of its test show whole entities. To add a field:
 * there, in the golden file, and in docs/wire.md; and in {@code StatusRecord} when streams could not know what it says
 * of a new status.
 */
package io.fanfare.common.view;
