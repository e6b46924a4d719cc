/**
 * Input that people have: text files, plain or gzip, and graphs of who follows whom. What cannot be read is counted,
 * never guessed.
 */
package io.fanfare.bench.input;
