/**
 * Error Prone checks of this house. They run inside the compiler of every other module and are not part of the service.
 * To add one, write a {@code BugChecker} and name it in {@code META-INF/services}.
 */
package io.fanfare.checks;
