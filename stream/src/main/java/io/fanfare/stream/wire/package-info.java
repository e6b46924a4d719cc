/**
 * The bytes on the wire: one {@link io.fanfare.stream.wire.Dialect} per kind of stream. To add one: a constant there
 * and a class of its own with the bytes, an example in its Javadoc and a golden test.
 */
package io.fanfare.stream.wire;
