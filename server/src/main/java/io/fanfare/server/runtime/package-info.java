/**
 * The life of a process: starting, being ready, draining, ending by a deadline.
 * {@link io.fanfare.server.runtime.Service} is the one to read; what runs inside it are
 * {@link io.fanfare.server.runtime.Component}s, put together by the app's composition root. A command that goes through
 * its steps has one {@link io.fanfare.server.runtime.EventLoop} instead.
 */
package io.fanfare.server.runtime;
