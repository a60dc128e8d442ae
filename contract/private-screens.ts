/**
 * The paths of the screens that show personal data and have no parameters. They are never cached with data, and search
 * engines are told to leave them out.
 */
export const privateScreens = {
  profile: '/profile',
  profileEdit: '/profile/edit',
  profileSetup: '/profile-setup',
  postAd: '/post-ad',
  myListings: '/my-listings',
  saved: '/saved',
  notifications: '/notifications',
  decisions: '/decisions',
  messages: '/messages',
  handovers: '/handovers',
} as const;

export const privateScreenPaths: readonly string[] = Object.values(privateScreens);
