/**
 * Hydration: {@link io.fanfare.core.view.Hydrator} loads what is needed to render statuses for a viewer: accounts,
 * articles, polls, relationships and filters.
 */
package io.fanfare.core.view;
