/** What other folders may use of accounts and sessions. */
export { createAccountServices } from './account-services.ts';
export { createAdministration } from './administration-service.ts';
export { type AccountModeration, createAccountModeration } from './moderation-service.ts';
export { publishSessionEnd } from './sessions.ts';
export { createKeyRotation } from './signing-key-service.ts';
