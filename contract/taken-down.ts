/** What the owner of a listing that an administrator hid is told. */
export const takenDownSentence = (reason: string): string => `This listing was taken down: ${reason}`;
