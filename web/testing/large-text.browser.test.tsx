import { createRoutesStub } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { OwnListing } from '#contract/listings.ts';
import { defaultNotificationSettings } from '#contract/notifications.ts';
import { OwnListingCard } from '#web/listings/mine/own-listing-card.tsx';
import { ListingFormActions } from '#web/listings/post/form-actions.tsx';
import { blankListingFormValues, listMissingFields } from '#web/listings/post/submission.ts';
import { NotificationChannelTable } from '#web/notifications/channel-table.tsx';
import { SiteNavigation } from '#web/shell/site-navigation.tsx';
import { Card } from '#web/ui/card.tsx';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const act = vi.fn();
const draft = {
  id: 'lamp',
  title: 'Lamp',
  price: 5,
  status: 'draft',
  images: [],
  save_count: 3,
  hidden_reason: null,
};
const handlers = {
  onStatus: act,
  onAvailability: act,
  onOffers: act,
  onSell: act,
  onSellTo: act,
  onPrice: act,
  onSelect: act,
  onRelist: act,
  onCopy: act,
  onDelete: act,
};

const parts = [
  {
    name: 'the main navigation',
    element: <SiteNavigation session={{ isAuthenticated: true, loading: false }} unreadCount={3} />,
    control: { role: 'link', name: 'Profile' },
  },
  {
    name: 'the actions of the listing form',
    element: (
      <ListingFormActions
        mainActions={{ form: 'form', submitLabel: 'Update Listing', step: 'editing', onUnpublish: act }}
        hasHead={false}
        missing={listMissingFields(blankListingFormValues)}
        onMissingField={act}
        isSavedOnDevice
        hasErrors={false}
        isWaiting={false}
        onSaveDraft={act}
      />
    ),
    control: { role: 'button', name: 'Update Listing' },
  },
  {
    name: 'an own listing',
    element: (
      <OwnListingCard
        isBusy={false}
        listing={draft as unknown as OwnListing}
        today="2026-03-04"
        {...handlers}
      />
    ),
    control: { role: 'button', name: 'More actions for Lamp' },
  },
  {
    name: 'the notification settings',
    element: (
      <Card padded>
        <NotificationChannelTable
          channels={defaultNotificationSettings.channels}
          hasPushDevice={false}
          onChange={act}
        />
      </Card>
    ),
    control: { role: 'checkbox', name: 'Saved searches: Email' },
  },
] as const;

/** Returns the ancestors of an element that are wider than they appear and that the person cannot scroll. */
const listClippingAncestors = (element: Element): Element[] => {
  const found: Element[] = [];
  for (let around = element.parentElement; around; around = around.parentElement)
    if (getComputedStyle(around).overflowX === 'hidden' && around.scrollWidth > around.clientWidth)
      found.push(around);
  return found;
};

beforeEach(() => page.viewport(360, 740));
afterEach(async () => {
  document.documentElement.style.removeProperty('font-size');
  await page.viewport(800, 600);
});

test.each(parts.flatMap((part) => [150, 200].map((percent) => ({ ...part, percent }))))(
  '$name can be used with text at $percent % on a phone',
  async ({ element: part, control, percent }) => {
    document.documentElement.style.fontSize = `${percent}%`;
    const Router = createRoutesStub([
      { path: '*', Component: () => <main className="page-gutters">{part}</main> },
    ]);
    await render(<Router />);
    const { role, name } = control;
    const element = page.getByRole(role, { name }).element() as HTMLElement;
    expect(listClippingAncestors(element)).toEqual([]);
    element.focus();
    const { left, right } = element.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(360);
    expect(document.documentElement.scrollWidth).toBe(360);
  },
);
