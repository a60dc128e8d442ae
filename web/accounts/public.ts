/**
 * The public API of the accounts feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */
export { CodeStep } from './code-step.tsx';
export { codeAlreadySentMessage } from './failure-messages.ts';
export { refreshSessions } from './own-sessions.ts';
export { ReauthenticationForm } from './reauthentication-form.tsx';
export {
  type ActionResult,
  changePassword,
  passwordNotSetMessage,
  resendSignupOTP,
  sendOTP,
  toActionError,
  verifyOTP,
  verifySignupOTP,
} from './session-actions.ts';
export { completeSignOn } from './sign-on-actions.ts';
export { useLogout } from './use-logout.ts';
