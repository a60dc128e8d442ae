import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { OwnListing } from '#contract/listings.ts';
import {
  createListingFormState,
  type ListingFormEvent,
  type ListingFormState,
  listingFormReducer,
} from './form-state.ts';
import { blankListingFormValues } from './submission.ts';

const blank = createListingFormState(undefined, defaultCampus);
const listing = { id: 'lamp', title: 'Lamp', status: 'published' } as OwnListing;
const values = { ...blankListingFormValues, title: 'Lamp' };
const run = (state: ListingFormState, ...events: ListingFormEvent[]) =>
  events.reduce(listingFormReducer, state);

test('a new form begins with the email address of its owner', () => {
  expect(blank).toMatchObject({ stored: undefined, step: 'editing', isRefused: false });
  expect(blank.storedValues).toEqual(blankListingFormValues);
});

describe('the step', () => {
  const deniedSave: ListingFormEvent = { kind: 'save-refused', fields: {}, photoUrls: '' };
  test.each<[string, ListingFormEvent[], ListingFormState['step']]>([
    ['a draft without deals is saved', [{ kind: 'deal-check-started' }], 'checking-deals'],
    ['the deals are known', [{ kind: 'deal-check-started' }, { kind: 'deal-check-ended' }], 'editing'],
    ['deals would end', [{ kind: 'confirmation-required' }], 'confirming'],
    [
      'the person keeps the deals',
      [{ kind: 'confirmation-required' }, { kind: 'confirmation-closed' }],
      'editing',
    ],
    ['a draft is being saved', [{ kind: 'save-started', status: 'draft' }], 'saving-draft'],
    ['the listing is being published', [{ kind: 'save-started', status: 'published' }], 'publishing'],
    ['the save was refused', [{ kind: 'save-started', status: 'published' }, deniedSave], 'editing'],
    [
      'the save failed',
      [
        { kind: 'save-started', status: 'draft' },
        { kind: 'save-failed', message: '' },
      ],
      'editing',
    ],
    ['the listing is published', [{ kind: 'saved', listing, values, isDone: true }], 'done'],
    ['a draft was saved', [{ kind: 'saved', listing, values, isDone: false }], 'editing'],
    [
      'the person typed after publishing',
      [{ kind: 'saved', listing, values, isDone: true }, { kind: 'edited-when-done' }],
      'editing',
    ],
  ])('when %s', (_, events, step) => expect(run(blank, ...events).step).toBe(step));

  test.each<ListingFormEvent['kind']>([
    'deal-check-started',
    'deal-check-ended',
    'confirmation-required',
    'confirmation-closed',
    'edited-when-done',
  ])('a late event (%s) does not interrupt a save', (kind) => {
    const saving = run(blank, { kind: 'save-started', status: 'published' });
    expect(run(saving, { kind } as ListingFormEvent)).toBe(saving);
  });
});

test('a refusal keeps the reasons of photos and unknown fields until the next save', () => {
  const refused = run(blank, {
    kind: 'save-refused',
    fields: { title: 'Too short', photos: 'Photo not found', clientId: 'Unknown form' },
    photoUrls: '/a.jpg,/b.jpg',
  });
  expect(refused).toMatchObject({
    isRefused: true,
    failure: 'Unknown form',
    photoError: { sentence: 'Photo not found', of: '/a.jpg,/b.jpg' },
  });
  expect(run(blank, { kind: 'save-refused', fields: { title: 'Too short' }, photoUrls: '' })).toMatchObject({
    isRefused: true,
    failure: undefined,
    photoError: undefined,
  });
  const next = run(refused, { kind: 'save-started', status: 'published' });
  expect(next).toEqual({ ...blank, step: 'publishing' });
});

test('a failure is not a refusal', () => {
  expect(run(blank, { kind: 'save-failed', message: 'No connection' })).toMatchObject({
    isRefused: false,
    failure: 'No connection',
  });
});

test('after a save, the sent values count as unchanged', () => {
  expect(run(blank, { kind: 'saved', listing, values, isDone: false })).toMatchObject({
    stored: listing,
    storedValues: values,
  });
});
