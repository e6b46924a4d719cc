/** The client of a Fanfare server: {@link io.fanfare.client.Fanfare} is where to start. */
package io.fanfare.client;
