/**
 * Events and notifications: what a change publishes to streams and stores for the accounts that it concerns.
 *
 * <p>{@link io.fanfare.common.publish.Hydrator} loads what is needed to render a status or a notification;
 * {@link io.fanfare.common.publish.StatusEvents} and {@link io.fanfare.common.publish.NotificationEvents} render the
 * event; {@link io.fanfare.common.publish.NotificationPublisher} is how the steps of {@code action} notify an account.
 */
package io.fanfare.common.publish;
