import type { ConsoleRole } from '#contract/console.ts';

export interface ConsoleScreenProps {
  /** Id of the signed-in person. */
  ownId: string;
  role: ConsoleRole;
  /** The part of the path after the section, such as the id of a person. */
  id: string | undefined;
}
