import { type CampusDomains, isCampusEmail } from '#contract/campus.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import type {
  ConsolePersonDetail,
  ParameterlessPersonAction,
  PersonAction,
} from '#contract/console-people.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

export const getPersonQueryKey = (ownId: string, id: string) => ['console-person', ownId, id] as const;

/** Takes an action on an account and updates the screen that shows the account. */
export const actOnPerson = async (ownId: string, id: string, body: PersonAction): Promise<void> => {
  const person = await request(consoleCalls.actOnPerson, { params: { id }, body });
  queryClient.setQueryData(getPersonQueryKey(ownId, id), person);
};

/** The texts for the button and the dialog of an action that requires no input but a reason. */
export interface PersonActionTexts {
  action: ParameterlessPersonAction;
  label: string;
  description: string;
  done: string;
  danger?: boolean;
}

/**
 * Returns the actions that are possible in the account's current state and require no input but a reason.
 * `isOwn` tells whether it is the administrator's own account. Reset links are sent to campus addresses only.
 */
export const listReasonOnlyPersonActions = (
  person: ConsolePersonDetail,
  { isOwn, campus }: { isOwn: boolean; campus: CampusDomains },
): PersonActionTexts[] => [
  ...(person.confirmed_at
    ? []
    : [
        {
          action: 'confirm' as const,
          label: 'Confirm address',
          description:
            'Confirms the email address in place of a code. Clears password and name, because the person who signed up may not own the address. The owner is told how to log in.',
          done: 'Address confirmed',
        },
      ]),
  person.usc_verified
    ? {
        action: 'remove_badge' as const,
        label: 'Remove badge',
        description:
          'Removes the verified badge for good: a campus address does not bring it back. The person is told.',
        done: 'Badge removed',
        danger: true,
      }
    : {
        action: 'verify' as const,
        label: 'Give badge',
        description: 'Gives the badge of a verified person. The person is told.',
        done: 'Badge given',
      },
  ...(person.sessions > 0
    ? [
        {
          action: 'end_sessions' as const,
          label: 'End all sessions',
          description: 'Logs the person out on every device, at once. The person is told.',
          done: 'Sessions ended',
          danger: true,
        },
      ]
    : []),
  ...(person.suspended_at
    ? [
        {
          action: 'lift' as const,
          label: 'Lift suspension',
          description:
            'Shows the hidden listings again and lets the person log in. The person is told by email.',
          done: 'Suspension lifted',
        },
      ]
    : []),
  ...(isCampusEmail(campus, person.email)
    ? [
        {
          action: 'send_reset_link' as const,
          label: 'Send reset link',
          description: 'Emails a link with which the owner sets a new password. It works for 15 minutes.',
          done: 'Reset link sent',
        },
      ]
    : []),
  ...(person.has_second_factor && !isOwn
    ? [
        {
          action: 'remove_second_factor' as const,
          label: 'Remove second factor',
          description:
            'Removes the authenticator app, recovery codes and all passkeys of a person who lost them. Make sure that the request comes from the owner. The person is told.',
          done: 'Second factor removed',
          danger: true,
        },
      ]
    : []),
];
