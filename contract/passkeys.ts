/** Maximum number of passkeys of an account. */
export const maxPasskeys = 10;
/** Maximum length of the name of a passkey, as in GoTrue. */
export const maxPasskeyNameLength = 120;
/** The refusal of a passkey in the open session of somebody else. */
export const otherAccountSentence = 'This passkey belongs to another account. Please choose another one.';
