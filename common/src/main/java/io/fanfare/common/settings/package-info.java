/**
 * Settings: typed records, loaded once at start. The annotated {@code config/fanfare.yaml} holds every default and is
 * packed into the jar, so there is one place to read and to change. To add a setting: a component in
 * {@link io.fanfare.common.settings.Settings} and its paragraph in that file; a test compares the two.
 */
package io.fanfare.common.settings;
