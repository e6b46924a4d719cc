/** Which events a connection wants. To add a filter: a class here and the route that makes it. */
package io.fanfare.stream.filter;
