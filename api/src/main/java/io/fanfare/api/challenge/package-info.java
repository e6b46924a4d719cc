/** A proof of work for each sign-up, without a third party: a hash with leading zero bits (hashcash). */
package io.fanfare.api.challenge;
