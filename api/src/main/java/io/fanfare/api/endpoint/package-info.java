/**
 * The parts of every route: the {@link io.fanfare.api.endpoint.Endpoint} with its scope and rate limit, the
 * {@link io.fanfare.api.endpoint.Call} that it gets and the {@link io.fanfare.api.endpoint.Answer} that it returns.
 *
 * <p>A feature of the API has a folder: its routes parse a request, call a use case of {@code core} or a store, and
 * render the result. Request bodies are validated records there: a constructor refuses what is not valid with the field
 * and the reason.
 */
package io.fanfare.api.endpoint;
