/** Load generators, the servers and readers that they start, and the data that they load. */
package io.fanfare.bench.load;
