/** Requests over {@code java.net.http}: bounds, retries, JSON. Internal; the packages above it are the API. */
package io.fanfare.client.http;
