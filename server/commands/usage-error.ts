/** Thrown by a command that was called with wrong arguments. Its help is printed below the message. */
export class UsageError extends Error {}
