/** What is done with texts of users before anything else looks at them. Knows nothing else of ours. */
package io.fanfare.common.text;
