/**
 * The bodies of native stream events: the JSON that streams send, made of the entities of
 * {@link io.fanfare.common.view}, or the short record in the log from which a stream renders that JSON.
 *
 * <p>A property of a new status that streams could not know otherwise needs a field in {@code StatusRecord}.
 */
package io.fanfare.common.event.body;
