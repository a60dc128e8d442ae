/** Returns the message for the owner of a listing that was taken down. */
export const takenDownSentence = (reason: string): string => `This listing was taken down: ${reason}`;
