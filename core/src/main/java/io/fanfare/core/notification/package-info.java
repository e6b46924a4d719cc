/**
 * How a use case notifies an account: the notification is stored, published to the streams of its account and queued
 * for its push subscriptions.
 */
package io.fanfare.core.notification;
