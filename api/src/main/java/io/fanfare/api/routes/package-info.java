/**
 * The routes of the REST API, one class for each group of operations, and what several of them share: rendering of
 * statuses and accounts, {@link io.fanfare.api.routes.Publisher}, visibility.
 */
package io.fanfare.api.routes;
