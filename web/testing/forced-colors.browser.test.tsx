import type { ReactElement } from 'react';
import { createRoutesStub } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import {
  defaultNotificationSettings,
  type NotificationSettings,
  type SwitchableNotificationChannel,
} from '#contract/notifications.ts';
import { ConsoleFrame } from '#web/console/console-frame.tsx';
import { NotificationChannelTable } from '#web/notifications/channel-table.tsx';
import { StarInput } from '#web/reviews/star-input.tsx';
import { SiteNavigation } from '#web/shell/site-navigation.tsx';
import { Badge, CountBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Calendar } from '#web/ui/calendar.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Stars } from '#web/ui/rating.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const act = vi.fn();
const roles = [
  { value: 'student', label: 'Student' },
  { value: 'staff', label: 'Staff' },
];
const allChannels = (isOn: boolean) =>
  Object.fromEntries(Object.keys(defaultNotificationSettings.channels).map((name) => [name, isOn])) as Record<
    SwitchableNotificationChannel,
    boolean
  > as NotificationSettings['channels'];
const days = { from: '2026-03-01', to: '2026-03-31', today: '2026-03-04', onChoose: act };
const session = { isAuthenticated: true, loading: false };

/** Each control in two states, which must be distinguishable. */
const states: Record<string, { one: ReactElement; other: ReactElement; path?: string; otherPath?: string }> =
  {
    'a checkbox': {
      one: <Checkbox label="Like new" checked={false} onChange={act} />,
      other: <Checkbox label="Like new" checked onChange={act} />,
    },
    'a switch': {
      one: <Switch label="Emails" checked={false} onChange={act} />,
      other: <Switch label="Emails" checked onChange={act} />,
    },
    'radio buttons as cards': {
      one: <RadioGroup aria-label="Role" options={roles} value="student" />,
      other: <RadioGroup aria-label="Role" options={roles} value="staff" />,
    },
    'radio buttons as chips': {
      one: <RadioGroup aria-label="Role" look="chips" options={roles} value="student" />,
      other: <RadioGroup aria-label="Role" look="chips" options={roles} value="staff" />,
    },
    'the notification settings': {
      one: <NotificationChannelTable hasPushDevice channels={allChannels(false)} onChange={act} />,
      other: <NotificationChannelTable hasPushDevice channels={allChannels(true)} onChange={act} />,
    },
    tabs: { one: <TwoTabs value="active" />, other: <TwoTabs value="sold" /> },
    'a progress bar': {
      one: <ProgressBar label="Upload" value={20} />,
      other: <ProgressBar label="Upload" value={80} />,
    },
    'a positive progress bar': {
      one: <ProgressBar label="Goal" tone="positive" value={20} />,
      other: <ProgressBar label="Goal" tone="positive" value={80} />,
    },
    'a chip': { one: <Chip pressed={false}>$20</Chip>, other: <Chip pressed>$20</Chip> },
    'an icon button': { one: <Heart pressed={false} />, other: <Heart pressed /> },
    stars: { one: <Stars value={2} />, other: <Stars value={4} /> },
    'the choice of stars': {
      one: <StarInput value={2} onChange={act} />,
      other: <StarInput value={4} onChange={act} />,
    },
    'the main navigation': {
      one: <SiteNavigation session={session} unreadCount={0} />,
      other: <SiteNavigation session={session} unreadCount={0} />,
      otherPath: '/messages',
    },
    'the navigation of the console': {
      one: <Console open="overview" />,
      other: <Console open="people" />,
    },
    'a calendar': {
      one: <Calendar mode="day" chosen="" {...days} />,
      other: <Calendar mode="day" chosen="2026-03-12" {...days} />,
    },
    'a badge and its text': {
      one: <span className="px-2.5 py-0.5 font-semibold text-xs">New</span>,
      other: <Badge>New</Badge>,
    },
    'a gold badge and another badge': { one: <Badge>New</Badge>, other: <Badge tone="gold">New</Badge> },
    'a count and its number': { one: <span>3</span>, other: <CountBadge count={3} /> },
    'a primary and a secondary button': {
      one: <Button variant="secondary">Send</Button>,
      other: <Button>Send</Button>,
    },
  };

function TwoTabs({ value }: { value: string }) {
  const tabs = ['active', 'sold'].map((it) => ({ value: it, label: it, count: 2, content: '' }));
  return <Tabs label="Listings" tabs={tabs} value={value} onValueChange={act} />;
}

function Heart({ pressed }: { pressed: boolean }) {
  return (
    <IconButton label="Favorite" tone="solid" pressed={pressed}>
      <span>♥</span>
    </IconButton>
  );
}

function Console({ open }: { open: 'overview' | 'people' }) {
  return (
    <ConsoleFrame sections={['overview', 'people']} open={open}>
      {null}
    </ConsoleFrame>
  );
}

/** Renders an element alone on a page of fixed size. */
const show = async (element: ReactElement, path = '/') => {
  const Router = createRoutesStub([
    { path: '*', Component: () => <main className="min-h-100 bg-paper p-6">{element}</main> },
  ]);
  return render(<Router initialEntries={[path]} />);
};

/** Returns the colors of all pixels of the page. */
const takePicture = async (): Promise<Uint8ClampedArray> => {
  await document.fonts.ready;
  const base64 = await page.screenshot({ save: false });
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context?.drawImage(image, 0, 0);
  return context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
};

/** Returns the number of pixels that differ visibly. */
const countDifferences = (one: Uint8ClampedArray, other: Uint8ClampedArray): number => {
  let count = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) > 60))
      count += 1;
  return count;
};

const forceColors = (value: 'active' | 'none') =>
  (cdp() as unknown as { send: (method: string, params: object) => Promise<unknown> }).send(
    'Emulation.setEmulatedMedia',
    { features: [{ name: 'forced-colors', value }] },
  );

beforeEach(() => forceColors('active'));
afterEach(() => forceColors('none'));

test.each(Object.entries(states))(
  'forced colors: two states of %s differ',
  async (_, { one, other, path, otherPath }) => {
    const { unmount } = await show(one, path);
    const before = await takePicture();
    expect(countDifferences(before, await takePicture())).toBe(0);
    await unmount();
    await show(other, otherPath ?? path);
    expect(countDifferences(before, await takePicture())).toBeGreaterThan(30);
  },
);

const controls: Record<string, ReactElement> = {
  'a button': <Button>Send</Button>,
  'a pressed chip': <Chip pressed>$20</Chip>,
  'a checkbox': <Checkbox label="Like new" />,
  'a switch': <Switch label="Emails" checked onChange={act} />,
  'a radio button': <RadioGroup aria-label="Role" options={roles} defaultValue="student" />,
  'a star': <StarInput value={2} onChange={act} />,
  'the open tab': <TwoTabs value="active" />,
  'the current link': <Console open="overview" />,
};

test.each(Object.entries(controls))('forced colors: the focus of %s is visible', async (_, control) => {
  await show(control);
  const before = await takePicture();
  await userEvent.tab();
  expect(document.activeElement).not.toBe(document.body);
  expect(countDifferences(before, await takePicture())).toBeGreaterThan(30);
});
