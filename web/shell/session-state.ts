/** What the shell shows of the session. */
export interface SessionState {
  /** True on the server and until the browser knows: neither Login nor avatar is shown. */
  loading: boolean;
  isAuthenticated: boolean;
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
}
