/**
 * The part of Vert.x that is not its public API: the one package that imports {@code io.vertx.core.internal} and
 * {@code io.vertx.core.http.impl}. {@code ArchitectureRules} holds that, so a new release of Vert.x is read against the
 * classes here alone.
 *
 * <p>{@link io.fanfare.vertx.LoopContext} is a context of one event loop, {@link io.fanfare.vertx.VertxInternals} what
 * connections, buffers and messages hide, and {@link io.fanfare.vertx.ExactRequestDecoder} a decoder that replaces the
 * one of Vert.x.
 */
@CheckReturnValue
package io.fanfare.vertx;

import com.google.errorprone.annotations.CheckReturnValue;
