/** Sentences for people about failures of the system and of libraries. */
package io.fanfare.failure;
