/** This feature's public API for other features and the shell. Routes also import its components. */
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
