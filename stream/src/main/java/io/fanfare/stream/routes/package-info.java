/**
 * The addresses of streams: server-sent events ({@link io.fanfare.stream.routes.StreamRoutes}), WebSockets
 * ({@link io.fanfare.stream.routes.StreamSocket}) and the streams that Mastodon names.
 */
package io.fanfare.stream.routes;
