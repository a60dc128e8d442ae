/** The session as the shell shows it. */
export interface SessionState {
  /** True on the server and until the session is known; neither Login nor avatar is shown. */
  loading: boolean;
  isAuthenticated: boolean;
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
}
