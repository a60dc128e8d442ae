/** The part of the session that header and navigation show. */
export interface SessionState {
  /**
   * True on the server, and in the browser until the session has been read from storage. Until
   * then, neither the Login link nor the avatar is shown.
   */
  loading: boolean;
  isAuthenticated: boolean;
  name?: string | undefined;
  /** URL of the person's avatar, or undefined until the profile has been loaded. */
  avatarUrl?: string | null | undefined;
  /**
   * Whether the person may open the console, because they have the role of a moderator or an
   * administrator.
   */
  mayModerate?: boolean | undefined;
}
