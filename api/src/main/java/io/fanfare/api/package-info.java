/** The HTTP role. It stands alone: nothing here knows of the worker or the stream. */
package io.fanfare.api;
