/**
 * The routes of the REST API, one class for each group of operations, and what several of them share: rendering of
 * statuses and accounts. A route parses its request, calls an action of {@link io.fanfare.core.posting} or a store, and
 * renders the result.
 */
package io.fanfare.api.routes;
