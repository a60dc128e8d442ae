/** The part of the session that header and navigation show. */
export interface SessionState {
  /** True until the browser has read its session, and on the server. Neither Login nor avatar is shown meanwhile. */
  loading: boolean;
  isAuthenticated: boolean;
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
}
