/**
 * The REST API, which speaks the Mastodon client API. It stands alone: nothing here knows of the worker or the stream.
 *
 * <p>A request's way: {@link io.fanfare.api.ApiRoutes} (time limit, body, token), the {@code Endpoint} of a
 * {@code ...Routes} table, a request record whose constructor refuses what is not acceptable ({@code NewStatus},
 * {@code SignUp}, {@code NewApp}), a store of {@code common}, a view, the {@code Answer}. To add an endpoint, follow
 * the recipe in CONTRIBUTING.md.
 */
package io.fanfare.api;
