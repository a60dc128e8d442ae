/** Displayed instead of the name of a person whose account was deleted (rulings). */
export const deletedUserName = 'Deleted user';
