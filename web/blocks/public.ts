/**
 * The public API of the blocks feature for other features and the shell. Route modules may also import the feature's
 * components directly.
 */
export { BlockDialog } from './block-dialog.tsx';
export { loadBlockedIds, useIsBlocked, watchBlockedIds } from './blocked-ids.ts';
export { hideListingsOfBlockedPeople } from './hidden-listings.ts';
export { MessagingUnavailableNotice } from './messaging-unavailable-notice.tsx';
export { type BlockablePerson, setBlocked } from './set-blocked.ts';
