/** Lists of accounts whose posts a user reads apart from the home. */
package io.fanfare.api.list;
