/**
 * The parts of every route: the {@link io.fanfare.api.endpoint.Endpoint} with its scope and rate limit, the
 * {@link io.fanfare.api.endpoint.Call} that it gets and the {@link io.fanfare.api.endpoint.Answer} that it returns.
 */
package io.fanfare.api.endpoint;
