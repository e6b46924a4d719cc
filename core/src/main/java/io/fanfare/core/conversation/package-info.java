/** Direct conversations: their lists, their unread marks and their events. */
package io.fanfare.core.conversation;
