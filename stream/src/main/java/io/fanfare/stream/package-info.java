/** The stream role. It stands alone: nothing here knows of the API or the worker. */
package io.fanfare.stream;
