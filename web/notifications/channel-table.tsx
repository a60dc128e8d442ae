import { Check } from 'lucide-react';
import { useId } from 'react';
import {
  type NotificationKind,
  type NotificationSettings,
  notificationChannelRules,
  notificationKinds,
  type SwitchableNotificationChannel,
} from '#contract/notifications.ts';

const kindLabels: Record<NotificationKind, string> = {
  messages: 'Messages',
  deals: 'Deals and deadlines',
  availability: 'Availability',
  reviews: 'Reviews',
  saved_listings: 'Saved listings',
  saved_searches: 'Saved searches',
  moderation: 'Moderation decisions',
  security: 'Security',
};

const channels = [
  { name: 'app', label: 'In the app' },
  { name: 'push', label: 'Push' },
  { name: 'email', label: 'Email' },
] as const;

export interface NotificationChannelTableProps {
  channels: NotificationSettings['channels'];
  /** Whether any device gets push notifications. Otherwise their boxes are disabled. */
  hasPushDevice: boolean;
  onChange: (name: SwitchableNotificationChannel, isOn: boolean) => void;
}

/** A table of the kinds of notifications, with a checkbox for each channel that can be switched on or off. */
export function NotificationChannelTable({
  channels: chosen,
  hasPushDevice,
  onChange,
}: NotificationChannelTableProps) {
  const hintId = useId();
  return (
    // With larger text, the table may be wider than a phone.
    <div className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">What you are notified about, and how</caption>
        <thead>
          <tr className="border-line border-b text-ink-muted">
            <th scope="col" className="py-2 text-left font-semibold">
              About
            </th>
            {channels.map(({ name, label }) => (
              <th key={name} scope="col" className="w-20 py-2 text-center font-semibold">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationKinds.map((kind) => (
            <tr key={kind} className="border-line border-b">
              <th scope="row" className="py-2 pr-3 text-left font-semibold">
                {kindLabels[kind]}
              </th>
              {channels.map((channel) => (
                <td key={channel.name} className="h-12 text-center">
                  <ChannelCell
                    label={`${kindLabels[kind]}: ${channel.label}`}
                    disabledBecause={channel.name === 'push' && !hasPushDevice ? hintId : undefined}
                    choice={notificationChannelRules[kind][channel.name]}
                    isOn={chosen[`${kind}.${channel.name}` as SwitchableNotificationChannel]}
                    onChange={(isOn) =>
                      onChange(`${kind}.${channel.name}` as SwitchableNotificationChannel, isOn)
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!hasPushDevice && (
        <p id={hintId} className="mt-2 text-ink-muted text-sm">
          To choose push notifications, turn them on for a device below.
        </p>
      )}
    </div>
  );
}

interface ChannelCellProps {
  label: string;
  choice: 'choice' | 'always' | 'never';
  isOn: boolean | undefined;
  /** The id of the text that says why the box is disabled, if it is. */
  disabledBecause: string | undefined;
  onChange: (isOn: boolean) => void;
}

function ChannelCell({ label, choice, isOn = false, disabledBecause, onChange }: ChannelCellProps) {
  if (choice === 'always') return <span className="text-ink-muted text-xs">Always</span>;
  if (choice === 'never') return <span className="text-ink-muted text-xs">In Messages</span>;
  return (
    <label className="relative inline-grid size-11 place-items-center align-middle">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn && !disabledBecause}
        disabled={disabledBecause !== undefined}
        aria-describedby={disabledBecause}
        onChange={(event) => onChange(event.target.checked)}
        className="peer absolute size-6 appearance-none rounded-sm border-2 border-line-strong bg-raised transition-colors checked:border-brand checked:bg-brand disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken"
      />
      <Check
        aria-hidden="true"
        strokeWidth={3.5}
        className="pointer-events-none absolute size-4 text-on-brand opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}
