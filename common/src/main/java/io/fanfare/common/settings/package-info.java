/**
 * Settings: typed records, loaded once at start. The annotated {@code config/fanfare.yaml} holds every default and is
 * packed into the jar, so there is one place to read and to change. To add a setting, follow the recipe in
 * CONTRIBUTING.md.
 */
package io.fanfare.common.settings;
