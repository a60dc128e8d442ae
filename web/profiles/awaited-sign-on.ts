/** Says what a person still waits for whose account is connected with the university's sign-on. */
export const formatAwaitedSignOn = (name: string): string =>
  `You get the verified badge when ${name} confirms that you are a member of the campus.`;
