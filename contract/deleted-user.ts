/** The name displayed for a person whose account was deleted. */
export const deletedUserName = 'Deleted user';
