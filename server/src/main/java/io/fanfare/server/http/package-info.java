/**
 * The HTTP code of the roles api and stream. Both answer alike, on one server or on several.
 *
 * <p>{@link io.fanfare.server.http.CommonHandlers} is passed by every request and is mounted once per server, before
 * the roles' routes; {@link io.fanfare.server.http.MethodNotAllowed} closes a path behind its routes;
 * {@link io.fanfare.server.http.Authentication} identifies the caller; {@link io.fanfare.server.http.BodyReader} reads
 * the request into {@link io.fanfare.server.http.Parameters}, after that and within a
 * {@link io.fanfare.server.http.TimeLimit}, while all bodies together stay within the
 * {@link io.fanfare.server.http.BodyBudget}; {@link io.fanfare.server.http.Problems} is the one place that turns a
 * failure into a status and a sentence. To add a kind of refusal: a {@code Refusal.Reason} and its status in
 * {@code Problems}.
 */
package io.fanfare.server.http;
