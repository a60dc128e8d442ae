/** Maximum number of passkeys of an account. */
export const maxPasskeys = 10;
/** Maximum length of the name of a passkey, as in GoTrue. */
export const maxPasskeyNameLength = 120;
