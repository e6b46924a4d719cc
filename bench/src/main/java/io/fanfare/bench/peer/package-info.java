/** Other servers that Fanfare is compared with, and Fanfare itself behind the same interface. */
package io.fanfare.bench.peer;
