/** Direct messages and their conversations. */
package io.fanfare.api.conversation;
