/** What the rest of the application may use of this feature, besides its components in routes. */
export {
  type ActionResult,
  changePassword,
  passwordNotSetMessage,
  resendSignupOTP,
  sendOTP,
  verifyOTP,
  verifySignupOTP,
} from './session-actions.ts';
export { useLogout, useLogoutEverywhere } from './use-logout.ts';
